package inputs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

func file(name, pkg string) *descriptorpb.FileDescriptorProto {
	return &descriptorpb.FileDescriptorProto{
		Name: proto.String(name), Package: proto.String(pkg), Syntax: proto.String("proto3"),
		MessageType: []*descriptorpb.DescriptorProto{{Name: proto.String("M")}},
	}
}

func set(t *testing.T, files ...*descriptorpb.FileDescriptorProto) []byte {
	t.Helper()
	b, err := proto.Marshal(&descriptorpb.FileDescriptorSet{File: files})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestSizes reads sets whose first file has any size: bytes that look like a space and a brace are no JSON.
func TestSizes(t *testing.T) {
	for n := 1; n < 300; n++ {
		f := file(strings.Repeat("a", n), "p")
		in, err := content("set", set(t, f), Options{})
		if err != nil {
			t.Errorf("a file of %d bytes: %v", proto.Size(f), err)
		} else if in.Kind != "descriptor set" || in.Message("p.M") == nil {
			t.Errorf("a file of %d bytes is a %s", proto.Size(f), in.Kind)
		}
	}
}

func TestSets(t *testing.T) {
	importing := func(name, other string) *descriptorpb.FileDescriptorProto {
		f := file(name, "p."+strings.TrimSuffix(name, ".proto"))
		f.Dependency = []string{other}
		return f
	}
	broken := file("a.proto", "p")
	broken.MessageType[0].Field = []*descriptorpb.FieldDescriptorProto{{
		Name: proto.String("x\n::error::\x1b[31m"), Number: proto.Int32(1),
		Type: descriptorpb.FieldDescriptorProto_TYPE_BOOL.Enum(), Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
	}}
	for _, tt := range []struct {
		name  string
		bytes []byte
		want  string // in the error
	}{
		{"a file twice", set(t, file("a.proto", "p"), file("a.proto", "p")), ""},
		{"two files of one name", set(t, file("a.proto", "p"), file("a.proto", "q")), `two different files "a.proto"`},
		{"any order", set(t, importing("b.proto", "a.proto"), file("a.proto", "p")), ""},
		{"a circle", set(t, importing("a.proto", "b.proto"), importing("b.proto", "a.proto")), "imports itself"},
		{"a file that imports itself", set(t, importing("a.proto", "a.proto")), "imports itself"},
		{"a missing import", set(t, importing("a.proto", "b.proto")), "not in the set"},
		{"a name that is none", set(t, broken), "invalid"},
		{"nothing", nil, "none of them"},
		{"cut JSON", []byte(`{"file": [`), "JSON"},
	} {
		in, err := content("set", tt.bytes, Options{})
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%s: %v", tt.name, err)
		case tt.want == "" && in.Message("p.M") == nil:
			t.Errorf("%s: no message", tt.name)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

// TestFlags has files whose names are flags to protoc: it must not be started with them.
func TestFlags(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"--plugin=protoc-gen-x=proto/x.proto", "@x.proto"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(`edition = "2024"; message M {}`), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path, Options{ImportPaths: []string{dir}}); err == nil || !strings.Contains(err.Error(), "would be a flag to protoc") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
