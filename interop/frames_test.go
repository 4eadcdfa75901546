package interop_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/flinkser/flinkser/internal/corpus"
	"github.com/flinkser/flinkser/internal/corpus/recordpb"
	"github.com/flinkser/flinkser/internal/randpb"
	"github.com/flinkser/flinkser/interop"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

func sum(frames [][]byte) string {
	h := sha256.Sum256(bytes.Join(frames, nil))
	return hex.EncodeToString(h[:])
}

// TestCorpus compares the hashes of the corpus: records that Go has made and written, the same that Java has made and
// written, and those of Go after a job on the cluster has kept them in state, over a savepoint.
func TestCorpus(t *testing.T) {
	p := peer(t)
	md := (&recordpb.Record{}).ProtoReflect().Descriptor()
	class := interop.Class{Jar: compile(t, md.ParentFile().Path()), Name: javaClass(t, md)}
	s := serializer(t, flinkser.WithDeterministic())
	for _, workload := range corpus.Workloads() {
		want := corpus.CheckValues()[workload].SHA256
		var ours, theirs [][]byte
		for _, r := range corpus.Records(workload) {
			ours = append(ours, frame(t, s, r))
		}
		results, err := p.Corpus(class, settings(s), workload, len(ours))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			theirs = append(theirs, r.Bytes)
		}
		if sum(ours) != want || sum(theirs) != want {
			t.Errorf("%s: Go %s, Java %s, want %s", workload, sum(ours), sum(theirs), want)
		}
		compared.frames.Add(int64(len(ours)))
		for _, backend := range interop.Backends {
			through(t, class, settings(s), workload+"/"+backend, backend, ours, want)
		}
	}
}

// through sends frames of records through a job, and puts what comes back into the order of the records.
func through(t *testing.T, class interop.Class, set interop.Settings, name, backend string, frames [][]byte, want string) {
	t.Helper()
	values, err := peer(t).Frames(class.Jar, interop.Case{Name: "records", Class: class.Name, Settings: set}, backend, folder(t), frames)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(values) != len(frames) {
		t.Fatalf("%s: %d frames came back, want %d", name, len(values), len(frames))
	}
	s := serializer(t)
	id := map[string]int32{}
	var back [][]byte
	for _, v := range values {
		r := new(recordpb.Record)
		read(t, s, v.Bytes, r)
		id[string(v.Bytes)] = r.GetId()
		back = append(back, v.Bytes)
	}
	slices.SortFunc(back, func(a, b []byte) int { return int(id[string(a)] - id[string(b)]) })
	if got := sum(back); got != want {
		t.Errorf("%s: after the job %s, want %s", name, got, want)
	}
	compared.frames.Add(int64(len(back)))
}

// TestCorpusPosts does the same for posts, which Go alone makes.
func TestCorpusPosts(t *testing.T) {
	md := (&recordpb.SocialMediaPost{}).ProtoReflect().Descriptor()
	class := interop.Class{Jar: compile(t, md.ParentFile().Path()), Name: javaClass(t, md)}
	s := serializer(t, flinkser.WithDeterministic())
	var ours, theirs [][]byte
	for _, p := range corpus.Posts() {
		ours = append(ours, frame(t, s, p))
	}
	results, err := peer(t).Each(class, settings(s), interop.Both, ours)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		theirs = append(theirs, r.Bytes)
	}
	if want := corpus.CheckValues()[corpus.Social].SHA256; sum(ours) != want || sum(theirs) != want {
		t.Errorf("Go %s, Java %s, want %s", sum(ours), sum(theirs), want)
	}
	compared.frames.Add(int64(len(ours)))
}

// golden are the golden proto3 schemas that Java has classes for.
type golden struct {
	jar   string
	types []protoreflect.MessageType
}

// compileGolden holds what goldenSchemas has made.
var compileGolden struct {
	sync.Mutex
	done golden
}

// goldenSchemas compiles the golden schemas, with those of other syntax that they may import. What javac refuses is logged.
func goldenSchemas(t *testing.T) golden {
	t.Helper()
	p := peer(t)
	compileGolden.Lock()
	defer compileGolden.Unlock()
	if compileGolden.done.jar != "" {
		return compileGolden.done
	}
	root := abs(t, "..")
	var sources []interop.Source
	protoregistry.GlobalFiles.RangeFiles(func(fd protoreflect.FileDescriptor) bool {
		if strings.HasPrefix(fd.Path(), "golden/") {
			sources = append(sources, interop.Source{ID: fd.Path(), Root: root, File: fd.Path()})
		}
		return true
	})
	for _, path := range proto3Files(t, root) {
		// The Go code of this one is for Windows alone.
		if path != "golden/suffix/f_windows.proto" && !slices.ContainsFunc(sources, func(s interop.Source) bool { return s.File == path }) {
			t.Errorf("%s is not linked into this test", path)
		}
	}
	g := golden{jar: filepath.Join(folder(t), "golden.jar")}
	refused, err := p.Compile(g.jar, sources)
	if err != nil {
		t.Fatal(err)
	}
	for file, cause := range refused {
		t.Logf("%s has no Java classes: %s", file, cause)
	}
	protoregistry.GlobalTypes.RangeMessages(func(mt protoreflect.MessageType) bool {
		md := mt.Descriptor()
		path := md.ParentFile().Path()
		if strings.HasPrefix(path, "golden/") && md.ParentFile().Syntax() == protoreflect.Proto3 && refused[path] == "" && !md.IsMapEntry() {
			if reasons := snapshot.JavaSupport(md); len(reasons) > 0 {
				t.Logf("%s is left out: %s", md.FullName(), reasons[0])
			} else {
				g.types = append(g.types, mt)
			}
		}
		return true
	})
	slices.SortFunc(g.types, func(a, b protoreflect.MessageType) int {
		return strings.Compare(string(a.Descriptor().FullName()), string(b.Descriptor().FullName()))
	})
	if len(g.types) < 100 {
		t.Errorf("only %d messages have Java classes", len(g.types))
	}
	t.Logf("%d messages of golden proto3 files have Java classes", len(g.types))
	compileGolden.done = g
	return g
}

// proto3Files lists the .proto files of proto3 in the golden folders that belong to the root module.
func proto3Files(t *testing.T, root string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(filepath.Join(root, "golden"), func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(path) != ".proto" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil && bytes.Contains(text, []byte(`syntax = "proto3";`)) {
			path, err = filepath.Rel(root, path)
			list = append(list, filepath.ToSlash(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

const messagesPerType = 25

// unknownFields are in the order in which Java writes unknown fields: by number, and by wire type.
func unknownFields() []byte {
	b := protowire.AppendVarint(protowire.AppendTag(nil, 536870909, protowire.VarintType), 1<<63)
	b = protowire.AppendFixed64(protowire.AppendTag(b, 536870909, protowire.Fixed64Type), 7)
	b = protowire.AppendBytes(protowire.AppendTag(b, 536870910, protowire.BytesType), []byte("unknown\xff"))
	b = protowire.AppendTag(b, 536870911, protowire.StartGroupType)
	b = protowire.AppendFixed32(protowire.AppendTag(b, 1, protowire.Fixed32Type), 9)
	return protowire.AppendTag(b, 536870911, protowire.EndGroupType)
}

// TestGolden writes random messages of all golden proto3 schemas, has Java read and write them, and compares: bytes where
// both write in the deterministic mode, values where they do not. Every second message has unknown fields.
func TestGolden(t *testing.T) {
	g := goldenSchemas(t)
	r := rand.New(rand.NewPCG(30012026, 7))
	sorted, unsorted := serializer(t, flinkser.WithDeterministic()), serializer(t)
	for _, mt := range g.types {
		class := interop.Class{Jar: g.jar, Name: javaClass(t, mt.Descriptor())}
		messages := make([]proto.Message, messagesPerType)
		for i := range messages {
			messages[i] = mt.New().Interface()
			randpb.Message(r, messages[i], randpb.Options{Depth: 3})
			if i%2 == 1 {
				messages[i].ProtoReflect().SetUnknown(unknownFields())
			}
		}
		for _, s := range []*flinkser.Serializer[proto.Message]{sorted, unsorted} {
			compareFrames(t, class, s, mt, messages)
		}
	}
}

func compareFrames(t *testing.T, class interop.Class, s *flinkser.Serializer[proto.Message], mt protoreflect.MessageType, messages []proto.Message) {
	t.Helper()
	var frames [][]byte
	for _, m := range messages {
		frames = append(frames, frame(t, s, m))
	}
	results, err := peer(t).Each(class, settings(s), interop.Both, frames)
	if err != nil {
		t.Fatalf("%s: %v", class.Name, err)
	}
	for i, result := range results {
		if result.Error != "" || result.Left != 0 {
			t.Errorf("%s: frame %x: %d bytes left, %s", class.Name, frames[i], result.Left, result.Error)
			continue
		}
		compared.frames.Add(1)
		if settings(s).Deterministic && !bytes.Equal(result.Bytes, frames[i]) {
			t.Errorf("%s:\nGo   %x\nJava %x", class.Name, frames[i], result.Bytes)
		}
		back := mt.New().Interface()
		read(t, s, result.Bytes, back)
		if !sameMessage(back, messages[i]) {
			t.Errorf("%s: %v came back as %v", class.Name, messages[i], back)
		}
	}
}
