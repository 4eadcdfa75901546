package golden_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/flinkser/flinkser/golden/imports"
	"github.com/flinkser/flinkser/golden/wellknown"
	"github.com/flinkser/flinkser/internal/javadesc"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/snapshot"
	"github.com/flinkser/flinkser/runtime/wire"
)

// goldenFiles are the paths of the .proto files of the golden packages that the test links.
func goldenFiles(t *testing.T) []string {
	t.Helper()
	var paths []string
	protoregistry.GlobalFiles.RangeFiles(func(fd protoreflect.FileDescriptor) bool {
		if strings.HasPrefix(fd.Path(), "golden/") {
			paths = append(paths, fd.Path())
		}
		return true
	})
	if len(paths) < 50 {
		t.Fatalf("only %d files are linked", len(paths))
	}
	slices.Sort(paths)
	return paths
}

// runtimeFile returns the bytes that a snapshot has of a linked file. The file needs no message: one of a file
// that imports it will do.
func runtimeFile(t *testing.T, path string, settings snapshot.Settings) []byte {
	t.Helper()
	file := &descriptorpb.FileDescriptorProto{
		Name:        proto.String("user.proto"),
		Package:     proto.String("golden_user"),
		Dependency:  []string{path},
		MessageType: []*descriptorpb.DescriptorProto{{Name: proto.String("Root")}},
	}
	fd, err := protodesc.NewFile(file, protoregistry.GlobalFiles)
	if err != nil {
		t.Fatal(err)
	}
	s, err := snapshot.OfDescriptor(fd.Messages().Get(0), settings)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for _, f := range s.Files().GetFile() {
		if f.GetName() == path {
			return encodeFile(t, f)
		}
	}
	t.Fatalf("%s is not in its own snapshot", path)
	return nil
}

func encodeFile(t *testing.T, f *descriptorpb.FileDescriptorProto) []byte {
	t.Helper()
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// describe shows a descriptor, for errors.
func describe(b []byte) string {
	f := new(descriptorpb.FileDescriptorProto)
	if err := (proto.UnmarshalOptions{Resolver: (*protoregistry.Types)(nil)}).Unmarshal(b, f); err != nil {
		return err.Error()
	}
	return fmt.Sprint(f)
}

// sameFile compares two descriptors, and shows where they begin to differ.
func sameFile(t *testing.T, path, what string, got, want []byte) bool {
	t.Helper()
	if bytes.Equal(got, want) {
		return true
	}
	a, b := describe(got), describe(want)
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	from := max(0, n-200)
	t.Errorf("%s: %d bytes, %s has %d:\n%s\n%s", path, len(got), what, len(want), a[from:min(len(a), n+200)], b[from:min(len(b), n+200)])
	return false
}

// javaTree has protoc write the Java source of all golden files.
func javaTree(t *testing.T, paths []string) (*javadesc.Tree, map[string]error) {
	t.Helper()
	// Some import a file that does not come with protobuf-java.
	tree, refused, err := javadesc.Generate(t.TempDir(), "..", append([]string{"google/protobuf/go_features.proto"}, paths...))
	if err != nil {
		t.Skip("protoc is not on PATH, so there is nothing to compare with: ", err)
	}
	return tree, refused
}

// TestJavaLiterals compares the descriptors of the linked golden files with those in the Java source that protoc
// writes.
func TestJavaLiterals(t *testing.T) {
	paths := goldenFiles(t)
	tree, refused := javaTree(t, paths)
	for _, path := range paths {
		if err := refused[path]; err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if path == "golden/descriptors/maps.proto" {
			t.Logf("%s: not compared, because Java sorts the maps in its options when it loads the class", path)
			continue
		}
		want, err := tree.Literal(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		sameFile(t, path, "the Java source", runtimeFile(t, path, snapshot.Settings{}), want)
	}
	t.Logf("descriptors compared with those in Java source: %d", len(paths))
}

// TestJavaDescriptors compares the descriptors of the linked golden files with those that the compiled Java classes hold, and
// those whose Java source does not compile with that source.
func TestJavaDescriptors(t *testing.T) {
	jar := os.Getenv(javadesc.Jar)
	if jar == "" {
		t.Skip(javadesc.Jar + " is not set: make java-descriptors does it")
	}
	paths := goldenFiles(t)
	tree, refused := javaTree(t, paths)
	loaded, err := tree.Load(jar)
	if err != nil {
		t.Fatal(err)
	}
	compiled := 0
	for _, path := range paths {
		got := runtimeFile(t, path, snapshot.Settings{})
		c := loaded.Files[path]
		if refused[path] != nil {
			t.Errorf("%s: %v", path, refused[path])
			continue
		}
		if c.Err == nil {
			compiled++
			t.Logf("%-45s %5d bytes, as in the Java class", path, len(c.Descriptor))
			sameFile(t, path, "the Java class", got, c.Descriptor)
			continue
		}
		want, err := tree.Literal(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		t.Logf("%-45s %5d bytes, as in the Java source; no class: %v", path, len(want), c.Err)
		sameFile(t, path, "the Java source", got, want)
	}
	classNames(t, loaded.Messages)
	t.Logf("files compared: %d, of these with a Java class: %d", len(paths), compiled)
	if compiled*10 < len(paths)*9 {
		t.Errorf("only %d of %d files have a Java class", compiled, len(paths))
	}
}

// classNames compares the names of the Java classes of messages with those that are derived from descriptors.
func classNames(t *testing.T, classes map[string]string) {
	t.Helper()
	compared := 0
	for _, mt := range goldenTypes() {
		want, ok := classes[string(mt.Descriptor().FullName())]
		if !ok {
			continue // its file does not compile
		}
		compared++
		if got, err := snapshot.JavaClassName(mt.Descriptor()); err != nil || got != want {
			t.Errorf("%s: class %q, %v; Java has %q", mt.Descriptor().FullName(), got, err, want)
		}
	}
	t.Logf("class names compared: %d", compared)
	if compared < 200 {
		t.Errorf("only %d messages have a class", compared)
	}
}

// protocSet returns what protoc says of a file and its imports, with source info.
func protocSet(t *testing.T, path string) *descriptorpb.FileDescriptorSet {
	t.Helper()
	out := filepath.Join(t.TempDir(), "set.binpb")
	cmd := exec.Command("protoc", "-I..", "--include_imports", "--include_source_info", "--descriptor_set_out="+out, path)
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("protoc %s: %v\n%s", path, err, msg)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	set := new(descriptorpb.FileDescriptorSet)
	if err := (proto.UnmarshalOptions{Resolver: (*protoregistry.Types)(nil)}).Unmarshal(b, set); err != nil {
		t.Fatal(err)
	}
	return set
}

// ofProtoc is the descriptor of a file that protoc wrote, as Java has it. It takes no part of package snapshot that
// reads linked descriptors: JSON names are told apart by source info, and protoc has put options together.
func ofProtoc(t *testing.T, path string, set *descriptorpb.FileDescriptorSet) []byte {
	t.Helper()
	for i, f := range set.GetFile() {
		if strings.HasPrefix(f.GetName(), "google/protobuf/") {
			linked, err := protoregistry.GlobalFiles.FindFileByPath(f.GetName())
			if err != nil {
				t.Fatal(err)
			}
			set.File[i] = protodesc.ToFileDescriptorProto(linked)
			continue
		}
		written := map[string]bool{}
		for _, l := range f.GetSourceCodeInfo().GetLocation() {
			written[fmt.Sprint(l.GetPath())] = true
		}
		const messageType, extension, nestedType, nestedExtension, field, jsonName = 4, 7, 3, 6, 2, 10
		clearNames := func(at []int32, number int32, fields []*descriptorpb.FieldDescriptorProto) {
			for i, fd := range fields {
				if !written[fmt.Sprint(append(slices.Clone(at), number, int32(i), jsonName))] {
					fd.JsonName = nil
				}
			}
		}
		var visit func(at []int32, number int32, messages []*descriptorpb.DescriptorProto)
		visit = func(at []int32, number int32, messages []*descriptorpb.DescriptorProto) {
			for i, m := range messages {
				at := append(slices.Clone(at), number, int32(i))
				clearNames(at, field, m.GetField())
				clearNames(at, nestedExtension, m.GetExtension())
				visit(at, nestedType, m.GetNestedType())
			}
		}
		clearNames(nil, extension, f.GetExtension())
		visit(nil, messageType, f.GetMessageType())
	}
	user := &descriptorpb.FileDescriptorProto{
		Name: proto.String("user.proto"), Package: proto.String("golden_user"), Dependency: []string{path},
		MessageType: []*descriptorpb.DescriptorProto{{Name: proto.String("Root")}},
	}
	set.File = append(set.File, user)
	s, err := snapshot.OfFiles(set, "golden_user.Root", snapshot.Settings{})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for _, f := range s.Files().GetFile() {
		if f.GetName() == path {
			return encodeFile(t, f)
		}
	}
	t.Fatalf("%s is not in its set", path)
	return nil
}

// TestProtocDescriptors compares the descriptors of the linked golden files with those that protoc writes now.
func TestProtocDescriptors(t *testing.T) {
	if _, err := exec.LookPath("protoc"); err != nil {
		t.Skip("protoc is not on PATH, so there is nothing to compare with: ", err)
	}
	paths := goldenFiles(t)
	for _, path := range paths {
		set := protocSet(t, path)
		if path == "golden/descriptors/maps.proto" {
			t.Logf("%s: not compared, because protoc leaves the maps in its options in the order of the source", path)
			continue
		}
		// An import that only options need does not belong to a schema.
		set.File = slices.DeleteFunc(set.File, func(f *descriptorpb.FileDescriptorProto) bool { return !isImported(set, path, f.GetName()) })
		sameFile(t, path, "protoc", runtimeFile(t, path, snapshot.Settings{}), ofProtoc(t, path, set))
	}
	t.Logf("descriptors compared with those of protoc: %d", len(paths))
}

// isImported reports whether the file path of a set is the file name, or imports it, directly or indirectly.
func isImported(set *descriptorpb.FileDescriptorSet, path, name string) bool {
	if path == name {
		return true
	}
	for _, f := range set.GetFile() {
		if f.GetName() == path {
			return slices.ContainsFunc(f.GetDependency(), func(dep string) bool { return isImported(set, dep, name) })
		}
	}
	return false
}

// snapshotOf makes a snapshot of a message, and checks that it survives being written and read.
func snapshotOf(t *testing.T, m proto.Message, settings snapshot.Settings) *snapshot.Snapshot {
	t.Helper()
	s, err := snapshot.Of(m, settings)
	if err != nil {
		t.Fatalf("%s: %v", m.ProtoReflect().Descriptor().FullName(), err)
	}
	b, err := s.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	read, rest, err := snapshot.Parse(b)
	if err != nil || len(rest) > 0 {
		t.Fatalf("%s: %v, %d bytes left", s.MessageName(), err, len(rest))
	}
	if again, err := read.Append(nil); err != nil || !bytes.Equal(again, b) {
		t.Errorf("%s: written again, other bytes: %v", s.MessageName(), err)
	}
	if read.Fingerprint() != s.Fingerprint() || read.Digest() != s.Digest() {
		t.Errorf("%s: read again, another schema", s.MessageName())
	}
	return read
}

// TestFingerprintGenerated makes a snapshot of every golden message type. Its fingerprint, taken from what was saved, is
// the constant in the generated code.
func TestFingerprintGenerated(t *testing.T) {
	types := goldenTypes()
	for _, mt := range types {
		settings := snapshot.Settings{}
		if _, err := snapshot.JavaClassName(mt.Descriptor()); err != nil {
			settings.JavaClass = "example.Named"
		}
		s := snapshotOf(t, mt.Zero().Interface(), settings)
		if got, want := s.Fingerprint(), mt.Zero().Interface().(flinkser.Message).SchemaFlinkser(); got != want {
			t.Errorf("%s: fingerprint %x, generated %x", s.MessageName(), got, want)
		}
	}
	t.Logf("message types: %d", len(types))
}

// TestSnapshotOfCommonTypes makes snapshots of the types that many schemas share, as roots and in others, for both settings of the flag; what
// a message holds never changes them.
func TestSnapshotOfCommonTypes(t *testing.T) {
	digests := map[protoreflect.FullName][32]byte{}
	samples := commonSamples()
	for _, sample := range samples {
		name := sample.m.ProtoReflect().Descriptor().FullName()
		for _, deterministic := range []bool{false, true} {
			s := snapshotOf(t, sample.m, snapshot.Settings{Deterministic: deterministic})
			if old, ok := digests[name]; ok && old != s.Digest() {
				t.Errorf("%s: the schema of %s depends on what it holds", sample.name, name)
			}
			digests[name] = s.Digest()
			checkSample(t, sample, s)
		}
	}
	s := snapshotOf(t, &wellknown.Mixed{}, snapshot.Settings{})
	var names []string
	for _, f := range s.Files().GetFile() {
		names = append(names, f.GetName())
	}
	t.Logf("samples: %d, of %d types; the files of %s: %s", len(samples), len(digests), s.MessageName(), strings.Join(names, ", "))
	set := s.Files()
	set.File = slices.DeleteFunc(set.File, func(f *descriptorpb.FileDescriptorProto) bool { return f.GetName() == "google/protobuf/struct.proto" })
	if _, err := snapshot.OfFiles(set, s.MessageName(), snapshot.Settings{}); !errors.Is(err, snapshot.ErrUnresolvedImport) {
		t.Errorf("without struct.proto: %v", err)
	}
	if one := snapshotOf(t, &anypb.Any{}, snapshot.Settings{}); len(one.Files().GetFile()) != 1 {
		t.Errorf("files of Any: %v", one.Files().GetFile())
	}
}

// checkSample reads a message with the schema in a snapshot alone, with unknown fields and without.
func checkSample(t *testing.T, sample commonSample, s *snapshot.Snapshot) {
	t.Helper()
	for _, unknown := range [][]byte{nil, {0xa0, 0x06, 0xdb, 0x07, 0xa2, 0x06, 6, 'f', 'u', 't', 'u', 'r', 'e'}} {
		m := proto.Clone(sample.m)
		m.ProtoReflect().SetUnknown(unknown)
		b, err := flinkser.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		saved := dynamicpb.NewMessage(s.Descriptor())
		if err := flinkser.Unmarshal(b, saved); err != nil {
			t.Errorf("%s: %v", sample.name, err)
			continue
		}
		back := m.ProtoReflect().New().Interface()
		again, err := flinkser.Marshal(saved)
		if err == nil {
			err = flinkser.Unmarshal(again, back)
		}
		if err != nil || !proto.Equal(back, m) {
			t.Errorf("%s: became %v, %v", sample.name, back, err)
		}
	}
}

// TestSerializerSnapshot checks that a serializer's snapshot has its settings.
func TestSerializerSnapshot(t *testing.T) {
	plain, err := flinkser.New[*wellknown.Mixed]()
	if err != nil {
		t.Fatal(err)
	}
	s, err := plain.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	want := snapshotOf(t, &wellknown.Mixed{}, snapshot.Settings{})
	if s.Deterministic() || s.MaxMessageSize() != flinkser.DefaultMaxMessageBytes || s.RecursionLimit() != flinkser.DefaultRecursionLimit ||
		s.Digest() != want.Digest() || s.JavaClass() != want.JavaClass() || s.MessageName() != "golden.wellknown.Mixed" {
		t.Errorf("%s, %t, %d, %d", s.JavaClass(), s.Deterministic(), s.MaxMessageSize(), s.RecursionLimit())
	}
	set, err := flinkser.New[*wellknown.Mixed](flinkser.WithDeterministic(), flinkser.WithMaxMessageSize(1), flinkser.WithRecursionLimit(7),
		flinkser.WithJavaClass("x.Y$Z"), flinkser.WithAllJSONNames())
	if err != nil {
		t.Fatal(err)
	}
	if s, err = set.Snapshot(); err != nil {
		t.Fatal(err)
	}
	want = snapshotOf(t, &wellknown.Mixed{}, snapshot.Settings{KeepJSONNames: true})
	if !s.Deterministic() || s.MaxMessageSize() != 1 || s.RecursionLimit() != 7 || s.JavaClass() != "x.Y$Z" || s.Digest() != want.Digest() {
		t.Errorf("%s, %t, %d, %d", s.JavaClass(), s.Deterministic(), s.MaxMessageSize(), s.RecursionLimit())
	}
	if s.Digest() == snapshotOf(t, &wellknown.Mixed{}, snapshot.Settings{}).Digest() {
		t.Error("all JSON names make no difference")
	}
	untyped, err := flinkser.New[proto.Message]()
	if err != nil {
		t.Fatal(err)
	}
	if s, err := untyped.Snapshot(); s != nil || !errors.Is(err, snapshot.ErrNoDescriptor) {
		t.Errorf("of any message: %v", err)
	}
	dynamic, err := flinkser.New[*dynamicpb.Message]()
	if err != nil {
		t.Fatal(err)
	}
	if s, err := dynamic.Snapshot(); s != nil || !errors.Is(err, snapshot.ErrNoDescriptor) {
		t.Errorf("of any dynamic message: %v", err)
	}
	if _, err := flinkser.New[*wellknown.Mixed](flinkser.WithJavaClass("")); err == nil {
		t.Error("an empty class name is accepted")
	}
}

// hinted is a codec of another module's message that tells of a JSON name.
type hinted struct {
	wire.Codec[*imports.Handed]
}

func (hinted) JSONNames() []int32 { return []int32{1} }

// TestCodecJSONNames checks that a serializer asks codecs for JSON names.
func TestCodecJSONNames(t *testing.T) {
	s, err := flinkser.New[*imports.Handed](flinkser.WithCodec[*imports.Handed](hinted{}))
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	with := snapshotOf(t, &imports.Handed{}, snapshot.Settings{JSONNames: []protoreflect.FullName{"golden.imports.Handed.shown"}})
	without := snapshotOf(t, &imports.Handed{}, snapshot.Settings{})
	if got.Digest() != with.Digest() || got.Digest() == without.Digest() {
		t.Error("the name is not in the snapshot")
	}
}
