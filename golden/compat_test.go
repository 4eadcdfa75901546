package golden_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/golden/cases"
	otel "github.com/flinkser/flinkser/golden/otel"
	"github.com/flinkser/flinkser/golden/recursive"
	"github.com/flinkser/flinkser/golden/wellknown"
	"github.com/flinkser/flinkser/internal/corpus"
	"github.com/flinkser/flinkser/internal/corpus/recordpb"
	"github.com/flinkser/flinkser/internal/randpb"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

// released are the versions whose frames and snapshots testdata/compat holds, each with the
// SHA-256 of its SHA256SUMS. A folder is never changed once its version is out: this list, the sums
// and the files hold each other.
var released = map[string]string{
	"v0.1.0": "48557e0cb65a7726986ff0aec5fbeb3da301a6d3d913af6a89adebcc35673645",
}

// A stored type is one whose state every version must be able to restore.
type storedType struct {
	name     string
	messages func() []proto.Message
	// restore returns what is in frames, after it has checked the snapshot, and writes it again.
	restore func(saved *snapshot.Snapshot, frames []byte) (messages []proto.Message, again []byte, err error)
	// store returns frames and the snapshot of this version.
	store func(messages []proto.Message) (frames []byte, s *snapshot.Snapshot, err error)
}

func stored[M proto.Message](name string, messages func() []proto.Message) storedType {
	return storedType{
		name:     name,
		messages: messages,
		restore: func(saved *snapshot.Snapshot, frames []byte) (list []proto.Message, again []byte, err error) {
			s, err := flinkser.Restore[M](saved)
			if err != nil {
				return nil, nil, err
			}
			for len(frames) > 0 {
				m := (*new(M)).ProtoReflect().New().Interface().(M)
				if frames, err = s.Decode(frames, m); err != nil {
					return nil, nil, err
				}
				if again, err = s.Append(again, m); err != nil {
					return nil, nil, err
				}
				list = append(list, m)
			}
			return list, again, nil
		},
		store: func(list []proto.Message) (frames []byte, saved *snapshot.Snapshot, err error) {
			s, err := flinkser.New[M](flinkser.WithDeterministic(), flinkser.WithMaxMessageSize(1<<20), flinkser.WithRecursionLimit(50))
			if err != nil {
				return nil, nil, err
			}
			for _, m := range list {
				if frames, err = s.Append(frames, m.(M)); err != nil {
					return nil, nil, err
				}
			}
			saved, err = s.Snapshot()
			return frames, saved, err
		},
	}
}

// random returns a function that makes n messages like m, always the same.
func random(n int, m proto.Message) func() []proto.Message {
	return func() []proto.Message {
		r := rand.New(rand.NewPCG(1, 1))
		list := make([]proto.Message, n)
		for i := range list {
			list[i] = m.ProtoReflect().New().Interface()
			randpb.Message(r, list[i], randpb.Options{Depth: 4})
		}
		return list
	}
}

func records() []proto.Message {
	var list []proto.Message
	for _, workload := range corpus.Workloads() {
		if workload == "large" {
			continue // nothing but size
		}
		for _, m := range corpus.Records(workload)[:4] {
			list = append(list, m)
		}
	}
	return list
}

var storedTypes = []storedType{
	stored[*recordpb.Record]("record", records),
	stored[*cases.All]("all", random(12, (*cases.All)(nil))),
	stored[*recursive.Node]("node", random(2, (*recursive.Node)(nil))),
	stored[*wellknown.Fields]("wellknown", random(12, (*wellknown.Fields)(nil))),
	stored[*otel.AnyValue]("anyvalue", random(12, (*otel.AnyValue)(nil))),
}

const compatFolder = "testdata/compat"

// TestCompat restores what each released version has stored: the snapshot is accepted under the strict
// policy, the frames hold the values that are written beside them, and come out as the same bytes. With a new
// folder in FLINKSER_UPDATE, as in testdata/compat/v1.2.0, it writes that folder first, and fails.
func TestCompat(t *testing.T) {
	if dir := os.Getenv("FLINKSER_UPDATE"); path.Dir(dir) == compatFolder {
		writeStored(t, dir)
	}
	entries, err := os.ReadDir(filepath.Join("..", compatFolder))
	if err != nil {
		t.Fatal(err)
	}
	var versions []string
	for _, entry := range entries {
		if entry.IsDir() {
			versions = append(versions, entry.Name())
		}
	}
	for version := range released {
		if !slices.Contains(versions, version) {
			t.Errorf("the folder of %s is gone", version)
		}
	}
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			checkSums(t, version)
			for _, s := range storedTypes {
				checkStored(t, version, s)
			}
		})
	}
}

// checkSums compares all files of a version with their sums.
func checkSums(t *testing.T, version string) {
	t.Helper()
	dir := filepath.Join("..", compatFolder, version)
	sums, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(sums)); got != released[version] {
		t.Errorf("%s/SHA256SUMS has the SHA-256 %s, and the list of released versions %q", version, got, released[version])
	}
	if got := sumsOf(t, dir); got != string(sums) {
		t.Errorf("files of %s are not what they were:\n%swere\n%s", version, got, sums)
	}
}

// sumsOf returns the sums of all files in a folder but the list of sums, as sha256sum writes them.
func sumsOf(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, entry := range entries {
		if entry.Name() == "SHA256SUMS" {
			continue
		}
		content, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(content), entry.Name())
	}
	return b.String()
}

func checkStored(t *testing.T, version string, s storedType) {
	t.Helper()
	file := func(extension string) []byte {
		b, err := os.ReadFile(filepath.Join("..", compatFolder, version, s.name+extension))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	saved, rest, err := snapshot.Parse(file(".snapshot"))
	if err != nil || len(rest) > 0 {
		t.Errorf("%s.snapshot: %v, %d bytes left", s.name, err, len(rest))
		return
	}
	frames := file(".frame")
	got, again, err := s.restore(saved, frames)
	if err != nil {
		t.Errorf("%s: %v", s.name, err)
		return
	}
	if !bytes.Equal(again, frames) {
		t.Errorf("%s: written again, the bytes are others", s.name)
	}
	lines := strings.Split(strings.TrimSuffix(string(file(".txt")), "\n"), "\n")
	if len(lines) != len(got) {
		t.Errorf("%s: %d messages, want %d", s.name, len(got), len(lines))
		return
	}
	for i, line := range lines {
		want := got[i].ProtoReflect().New().Interface()
		if err := prototext.Unmarshal([]byte(line), want); err != nil {
			t.Errorf("%s.txt:%d: %v", s.name, i+1, err)
		} else if !proto.Equal(got[i], want) {
			t.Errorf("%s: message %d is %v, want %v", s.name, i, got[i], want)
		}
	}
}

// writeStored writes the folder of a version, which must not be there.
func writeStored(t *testing.T, dir string) {
	t.Helper()
	folder := filepath.Join("..", filepath.FromSlash(dir))
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name string, content []byte) {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range storedTypes {
		messages := s.messages()
		frames, saved, err := s.store(messages)
		if err != nil {
			t.Fatal(err)
		}
		b, err := saved.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		for _, m := range messages {
			line, err := prototext.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			text.Write(append(line, '\n'))
		}
		write(s.name+".frame", frames)
		write(s.name+".snapshot", b)
		write(s.name+".txt", text.Bytes())
	}
	sums := sumsOf(t, folder)
	write("SHA256SUMS", []byte(sums))
	t.Errorf("%s has been written; SHA-256 of its sums: %x", dir, sha256.Sum256([]byte(sums)))
}
