package published

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	_ "github.com/flinkser/flinkser/golden/editions"
	_ "github.com/flinkser/flinkser/golden/hybrid"
	_ "github.com/flinkser/flinkser/golden/imports"
	_ "github.com/flinkser/flinkser/golden/wellknown"
)

const module = "github.com/flinkser/flinkser"

// own returns the folders of the packages of this module.
func own(importPath string) (string, error) {
	rel, ok := strings.CutPrefix(importPath, module)
	if !ok {
		return "", nil
	}
	return filepath.Join("..", "..", filepath.FromSlash(rel)), nil
}

// TestRead reads packages of this module and compares the files with those that the program links.
func TestRead(t *testing.T) {
	f := New(own)
	for _, folder := range []string{"golden/imports", "golden/wellknown", "golden/hybrid", "golden/editions"} {
		files, err := f.Read(module + "/" + folder)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files (%v)", folder, len(files), err)
		}
		for _, file := range files {
			if file.ImportPath != module+"/"+folder || file.Package != path.Base(folder) {
				t.Errorf("%s is in package %s %q", file.Proto.GetName(), file.Package, file.ImportPath)
			}
		}
	}
	checked := 0
	for _, importPath := range f.Packages() {
		for _, file := range f.Of(importPath) {
			checked++
			linked, err := protoregistry.GlobalFiles.FindFileByPath(file.Proto.GetName())
			if err != nil {
				t.Fatal(err)
			}
			if want := protodesc.ToFileDescriptorProto(linked); !proto.Equal(wire(t, f.Proto(linked.Path())), wire(t, want)) {
				t.Errorf("%s is not what the program links", linked.Path())
			}
			for i := range linked.Imports().Len() {
				if p := linked.Imports().Get(i).Path(); f.Proto(p).GetName() != p {
					t.Errorf("%s imports %s, which was not read", linked.Path(), p)
				}
			}
		}
	}
	if checked < 20 { // golden/imports imports many
		t.Errorf("%d files", checked)
	}
	if f.Proto("google/protobuf/any.proto") == nil || f.File("google/protobuf/any.proto") != nil || f.Proto("google/none.proto") != nil {
		t.Error("files of google.golang.org/protobuf are there, and others are not")
	}
}

// wire passes a descriptor through its bytes, so that options have one form.
func wire(t *testing.T, m *descriptorpb.FileDescriptorProto) *descriptorpb.FileDescriptorProto {
	t.Helper()
	b, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	out := &descriptorpb.FileDescriptorProto{}
	if err := proto.Unmarshal(b, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// code is the Go code of package p for a file that imports others. format is how its descriptor is
// written down, by the Go syntax of its bytes.
func code(t *testing.T, name, imports string, format func([]byte) string, dependencies ...string) string {
	t.Helper()
	b, err := proto.Marshal(&descriptorpb.FileDescriptorProto{Name: proto.String(name), Dependency: dependencies})
	if err != nil {
		t.Fatal(err)
	}
	return "package p\n\n" + imports + "\n\n" + format(b)
}

func text(b []byte) string {
	half := len(b) / 2
	return fmt.Sprintf("const file_x_rawDesc = \"\" +\n%q + (%q)\n", b[:half], b[half:])
}

func bytesOf(b []byte) string { return fmt.Sprintf("var file_x_rawDesc = %#v\n", b) }

// TestForms reads descriptors as releases of protoc-gen-go write them, follows a package that names
// what has moved to another, and refuses what it cannot know.
func TestForms(t *testing.T) {
	dir := t.TempDir()
	for name, src := range map[string]string{
		"old/a.pb.go":      code(t, "a.proto", `import "x/alias"`, bytesOf, "b.proto", "google/protobuf/any.proto"),
		"old/a_grpc.pb.go": "package p\n",
		"old/a_test.go":    "no Go",
		"alias/alias.go":   "package p\n\nimport \"x/new\"\n\nvar _ = new.X\n",
		"new/b.pb.go":      code(t, "b.proto", "", text),
		"new/b_tag.pb.go":  code(t, "b.proto", "", text), // for another build tag
		"other/b.pb.go":    code(t, "b.proto", "", text),
		"differ/c.pb.go":   code(t, "c.proto", "", text),
		"differ/c_x.pb.go": code(t, "c.proto", "", text, "google/protobuf/any.proto"),
		"nowhere/d.pb.go":  code(t, "d.proto", `import "x/new"`, text, "none.proto"),
		"call/e.pb.go":     "package p\n\nvar file_x_rawDesc = f()\n",
		"minus/f.pb.go":    "package p\n\nvar file_x_rawDesc = \"a\" - \"b\"\n",
		"bad/g.pb.go":      "package p\n\nvar file_x_rawDesc = \"\\xff\"\n",
		"syntax/h.pb.go":   "package",
		"none/none.go":     "package p\n",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f := New(func(importPath string) (string, error) {
		if rel, ok := strings.CutPrefix(importPath, "x/"); ok {
			return filepath.Join(dir, rel), nil
		}
		return "", nil
	})
	for _, tt := range []struct {
		path  string
		files int
		err   string
	}{
		{"x/old", 1, ""},
		{"x/new", 1, ""},
		{"x/none", 0, ""},
		{"fmt", 0, ""},
		{"x/other", 0, "b.proto is in Go package x/new and in x/other"},
		{"x/differ", 0, "another file c.proto is beside it"},
		{"x/nowhere", 0, "d.proto imports none.proto, which is in no Go package"},
		{"x/call", 0, errForm.Error()},
		{"x/minus", 0, errForm.Error()},
		{"x/bad", 0, "its descriptor"},
		{"x/syntax", 0, "expected"},
	} {
		files, err := f.Read(tt.path)
		if len(files) != tt.files || (err != nil) != (tt.err != "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: %d files (%v), want %d (%s)", tt.path, len(files), err, tt.files, tt.err)
		}
	}
	if got := f.File("b.proto"); got == nil || got.ImportPath != "x/new" || len(f.Of("x/alias")) != 0 || f.Of("never/read") != nil {
		t.Errorf("b.proto is %+v", got)
	}
	if got := f.Proto("a.proto").GetDependency(); len(got) != 2 {
		t.Errorf("a.proto imports %q", got)
	}
}

// TestModules looks up packages in the modules of this one, which are there since this test uses them.
func TestModules(t *testing.T) {
	m, err := ModulesOf("../..")
	if err != nil {
		t.Fatal(err)
	}
	const protobuf = "google.golang.org/protobuf"
	if v := m.Version(protobuf); !strings.HasPrefix(v, "v1.") || m.Version("example.com/none") != "" {
		t.Errorf("version %q", v)
	}
	dir, err := m.Dir(protobuf + "/types/known/anypb")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "any.pb.go")); err != nil {
		t.Error(err)
	}
	if dir, err := m.Dir("fmt"); dir != "" || err != nil {
		t.Errorf("fmt is in %q (%v)", dir, err)
	}
	list, err := m.Packages(protobuf)
	if err != nil || len(list) < 10 || list[0] == list[1] {
		t.Errorf("packages %q (%v)", list, err)
	}
	if _, err := m.Packages("example.com/none"); err == nil {
		t.Error("packages of a module that is not required")
	}
}
