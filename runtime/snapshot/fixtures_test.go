package snapshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/flinkser/flinkser/internal/protocheck"
)

// fixture is a snapshot that Java wrote, and what it was made of.
type fixture struct {
	name     string
	bytes    []byte
	protos   string // folder with the .proto files
	root     protoreflect.FullName
	settings Settings
}

func fixtures(t testing.TB) []fixture {
	t.Helper()
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	const envelope = "flink.protobuf.snapshot.Envelope"
	list := []fixture{
		{"default", read("flink-snapshots/default.snapshot"), "flink-snapshots/proto", envelope, Settings{}},
		{"raised", read("flink-snapshots/raised.snapshot"), "flink-snapshots/proto", envelope, Settings{Deterministic: true, MaxMessageSize: 134217728, RecursionLimit: 200}},
	}
	folders, err := os.ReadDir(filepath.Join("testdata", "flink-schemas"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if !f.IsDir() {
			continue
		}
		folder := "flink-schemas/" + f.Name()
		x := fixture{f.Name(), read(folder + "/envelope.snapshot"), folder, "evolve.v1.Order", Settings{MaxMessageSize: 4096, RecursionLimit: 10}}
		switch f.Name() {
		case "deterministic":
			x.settings.Deterministic = true
		case "limits-raised":
			x.settings.MaxMessageSize, x.settings.RecursionLimit = 8192, 20
		case "limit-size-lowered":
			x.settings.MaxMessageSize = 4095
		case "message-renamed":
			x.root = "evolve.v1.Purchase"
		}
		list = append(list, x)
	}
	if len(list) < 30 {
		t.Fatalf("only %d fixtures", len(list))
	}
	return list
}

// compile returns descriptors of .proto files, with source info.
func compile(t testing.TB, files map[string]string) *descriptorpb.FileDescriptorSet {
	t.Helper()
	req, err := protocheck.Request(files, "")
	if err != nil {
		t.Fatal(err)
	}
	return &descriptorpb.FileDescriptorSet{File: req.GetProtoFile()}
}

// message returns a message of a set.
func message(t testing.TB, set *descriptorpb.FileDescriptorSet, name protoreflect.FullName) protoreflect.MessageDescriptor {
	t.Helper()
	files, err := protodesc.NewFiles(set)
	if err != nil {
		t.Fatal(err)
	}
	d, err := files.FindDescriptorByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return d.(protoreflect.MessageDescriptor)
}

// compiled returns a message of the .proto text m.proto.
func compiled(t testing.TB, text string, name protoreflect.FullName) protoreflect.MessageDescriptor {
	t.Helper()
	return message(t, compile(t, map[string]string{"m.proto": text}), name)
}

func mustParse(t testing.TB, b []byte) *Snapshot {
	t.Helper()
	s, rest, err := Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	if len(rest) > 0 {
		t.Fatalf("%d bytes are left", len(rest))
	}
	return s
}

func mustAppend(t testing.TB, s *Snapshot) []byte {
	t.Helper()
	b, err := s.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// show is what there is to see of a snapshot.
func show(s *Snapshot) string {
	var files []string
	for _, f := range s.Files().GetFile() {
		files = append(files, fmt.Sprintf("%s (%d messages, %d enums)", f.GetName(), len(f.GetMessageType()), len(f.GetEnumType())))
	}
	return fmt.Sprintf("class %s, message %s, deterministic %t, maxMessageSize %d, recursionLimit %d, digest %x, files %s",
		s.JavaClass(), s.MessageName(), s.Deterministic(), s.MaxMessageSize(), s.RecursionLimit(), s.Digest(), strings.Join(files, ", "))
}

// TestFixtures reads the snapshots that Java wrote, and writes them again: from what was read, and from the
// .proto files and the settings.
func TestFixtures(t *testing.T) {
	for _, x := range fixtures(t) {
		t.Run(x.name, func(t *testing.T) {
			s := mustParse(t, x.bytes)
			t.Log(show(s))
			if got := mustAppend(t, s); !bytes.Equal(got, x.bytes) {
				t.Errorf("written again: %d other bytes, %d were read", len(got), len(x.bytes))
			}
			streamed, err := Read(bytes.NewReader(x.bytes))
			if err != nil {
				t.Fatal(err)
			}
			if got := mustAppend(t, streamed); !bytes.Equal(got, x.bytes) {
				t.Error("read from a stream, it is written in other bytes")
			}

			files, err := protocheck.Read(os.DirFS(filepath.Join("testdata", filepath.FromSlash(x.protos))))
			if err != nil {
				t.Fatal(err)
			}
			md := message(t, compile(t, files), x.root)
			made, err := OfDescriptor(md, x.settings)
			if err != nil {
				t.Fatal(err)
			}
			if got := mustAppend(t, made); !bytes.Equal(got, x.bytes) {
				t.Errorf("from the .proto file, other bytes:\n got %s\nwant %s", show(made), show(s))
			}
			if made.Fingerprint() != s.Fingerprint() || made.Fingerprint() == ([sha256.Size]byte{}) {
				t.Error("the fingerprints are not those of one schema")
			}
			ofFiles, err := OfFiles(s.Files(), x.root, x.settings)
			if err != nil {
				t.Fatal(err)
			}
			if got := mustAppend(t, ofFiles); !bytes.Equal(got, x.bytes) {
				t.Error("from its own files, it has other bytes")
			}
			if reasons := JavaSupport(s.Descriptor()); len(reasons) > 0 {
				t.Errorf("Java has it, but %v", reasons)
			}
		})
	}
}

// TestFixturesKnown checks the fixtures against what is known of them from elsewhere.
func TestFixturesKnown(t *testing.T) {
	list := fixtures(t)
	const digest = "0b4ec24fa7b857b7882019c19612da9e026f26b1c1a587a977fc0985cce6fee7"
	for _, x := range list[:2] {
		s := mustParse(t, x.bytes)
		if got := fmt.Sprintf("%x", s.Digest()); got != digest {
			t.Errorf("%s: digest %s", x.name, got)
		}
		if len(s.encoded) != 598 || len(x.bytes) != 824 {
			t.Errorf("%s: %d bytes, %d of descriptors", x.name, len(x.bytes), len(s.encoded))
		}
		if s.JavaClass() != "io.github.flink.gcp.protobuf.snapshotgenerated.SnapshotMessages$Envelope" {
			t.Errorf("%s: class %s", x.name, s.JavaClass())
		}
	}
}

// TestFixturesFrame reads the frame that Java wrote with the schema in its snapshot alone.
func TestFixturesFrame(t *testing.T) {
	frame, err := os.ReadFile(filepath.Join("testdata", "flink-snapshots", "envelope.frame"))
	if err != nil {
		t.Fatal(err)
	}
	if n := binary.BigEndian.Uint32(frame); int(n) != len(frame)-4 {
		t.Fatalf("prefix %d", n)
	}
	m := dynamicpb.NewMessage(mustParse(t, fixtures(t)[0].bytes).Descriptor())
	if err := proto.Unmarshal(frame[4:], m); err != nil {
		t.Fatal(err)
	}
	fields := m.Descriptor().Fields()
	if got := m.Get(fields.ByName("id")).Int(); got != 42 {
		t.Errorf("id = %d", got)
	}
	detail := m.Get(fields.ByName("detail")).Message()
	if got := detail.Get(detail.Descriptor().Fields().ByName("text")).String(); got != "saved" {
		t.Errorf("detail.text = %q", got)
	}
	if got := hex.EncodeToString(m.GetUnknown()); got != "a00663" { // field 100 = 99
		t.Errorf("unknown fields %s", got)
	}
	got, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil || !bytes.Equal(got, frame[4:]) {
		t.Errorf("written again: %x, %v", got, err)
	}
	t.Log(m)
}
