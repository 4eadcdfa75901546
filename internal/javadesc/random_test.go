package javadesc

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/flinkser/flinkser/internal/randschema"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

// TestRandomSchemas compares the descriptors of random schemas of all languages, in snapshots of what protoc says of them, with those in
// the Java source that protoc writes.
func TestRandomSchemas(t *testing.T) {
	compared := 0
	for seed := range uint64(12) {
		root := t.TempDir()
		var paths []string
		for _, f := range randschema.New(seed).Files(randschema.Place{Dir: "r", GoPath: "example.com/r", Number: 1}, nil) {
			file := filepath.Join(root, filepath.FromSlash(f.Path))
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(f.Text), 0o666); err != nil {
				t.Fatal(err)
			}
			paths = append(paths, f.Path)
		}
		tree, refused, err := Generate(t.TempDir(), root, paths)
		if err != nil {
			t.Skip("tools/install.sh protoc brings it: ", err)
		}
		files := link(t, root, paths)
		for _, path := range paths {
			if err := refused[path]; err != nil {
				// Java has rules of its own, for instance that a class cannot be called as one around it.
				t.Logf("seed %d: %v", seed, strings.SplitN(err.Error(), "\n", 2)[0])
				continue
			}
			want, err := tree.Literal(path)
			if err != nil {
				t.Fatalf("seed %d: %s: %v", seed, path, err)
			}
			compared++
			if got := inSnapshot(t, files, path); !bytes.Equal(got, want) {
				t.Errorf("seed %d: %s: %d bytes, Java has %d\n%v\n%v", seed, path, len(got), len(want), parsed(got), parsed(want))
			}
		}
	}
	t.Logf("files of random schemas compared: %d", compared)
	if compared < 20 {
		t.Error("too few")
	}
}

// link returns descriptors of files, with source info.
func link(t *testing.T, root string, paths []string) *protoregistry.Files {
	t.Helper()
	out := filepath.Join(t.TempDir(), "set")
	cmd := exec.Command("protoc", append([]string{"-I" + root, "--include_imports", "--include_source_info", "--retain_options", "--descriptor_set_out=" + out}, paths...)...)
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("protoc: %v\n%s", err, msg)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	set := new(descriptorpb.FileDescriptorSet)
	if err := proto.Unmarshal(b, set); err != nil {
		t.Fatal(err)
	}
	files := new(protoregistry.Files)
	for _, f := range set.GetFile() { // each after its imports
		fd, err := protodesc.NewFile(f, files)
		if err == nil {
			err = files.RegisterFile(fd)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// inSnapshot returns a file as a snapshot has it.
func inSnapshot(t *testing.T, files *protoregistry.Files, path string) []byte {
	t.Helper()
	user := &descriptorpb.FileDescriptorProto{
		Name: proto.String("user.proto"), Package: proto.String("random_user"), Dependency: []string{path},
		MessageType: []*descriptorpb.DescriptorProto{{Name: proto.String("Root")}},
	}
	fd, err := protodesc.NewFile(user, files)
	if err != nil {
		t.Fatal(err)
	}
	s, err := snapshot.OfDescriptor(fd.Messages().Get(0), snapshot.Settings{})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for _, f := range s.Files().GetFile() {
		if f.GetName() == path {
			b, err := proto.MarshalOptions{Deterministic: true}.Marshal(f)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
	}
	t.Fatalf("%s is not in its snapshot", path)
	return nil
}

func parsed(b []byte) string {
	f := new(descriptorpb.FileDescriptorProto)
	if err := (proto.UnmarshalOptions{Resolver: (*protoregistry.Types)(nil)}).Unmarshal(b, f); err != nil {
		return err.Error()
	}
	return fmt.Sprint(f)
}
