package golden_test

import (
	"bytes"
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

	"github.com/flinkser/flinkser/internal/javadesc"
	"github.com/flinkser/flinkser/runtime/snapshot"
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
		t.Skip("no protoc: ", err)
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
