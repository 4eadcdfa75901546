package protocheck

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

// extra holds what the golden files do not: proto2, an edition, custom options and
// options with source retention.
var extra = map[string]string{
	"extra/options.proto": `edition = "2023";
package extra;
import "google/protobuf/descriptor.proto";
option go_package = "example.com/extra";
message Note {
  string text = 1;
  repeated int32 numbers = 2;
}
extend google.protobuf.FieldOptions {
  Note note = 51001;
  string source_only = 51002 [retention = RETENTION_SOURCE];
}
`,
	"extra/two.proto": `syntax = "proto2";
package extra;
import "extra/options.proto";
option go_package = "example.com/extra";
message Two {
  optional int32 a = 1 [default = 7, (extra.note).text = "x", (extra.note).numbers = 1, (extra.note).numbers = 2];
  required string b = 2 [(extra.source_only) = "gone", json_name = "bee"];
  repeated group C = 3 {
    optional double d = 4 [default = 0.5];
  }
  extensions 100 to 199;
}
extend Two {
  optional string more = 100;
}
`,
	"extra/edition.proto": `edition = "2023";
package extra;
option go_package = "example.com/extra";
option features.field_presence = IMPLICIT;
message Ed {
  int32 a = 1;
  int32 b = 2 [features.field_presence = EXPLICIT];
  Ed c = 3 [features.message_encoding = DELIMITED];
}
`,
}

func goldenFiles(t *testing.T) map[string]string {
	files, err := Read(os.DirFS("../.."), "golden", "example/frames", "internal/corpus")
	if err != nil {
		t.Fatal(err)
	}
	// The nested modules beside the golden packages have files and imports of their own.
	maps.DeleteFunc(files, func(name, _ string) bool {
		return strings.HasPrefix(name, "golden/peers/") || strings.HasPrefix(name, "golden/published/")
	})
	delete(files, "golden/edition2024/edition2024.proto") // the compiler ends with edition 2023
	if len(files) < 30 {
		t.Fatalf("found %d .proto files, expected at least 30", len(files))
	}
	return files
}

func mustRequest(t *testing.T, files map[string]string, generate ...string) *pluginpb.CodeGeneratorRequest {
	t.Helper()
	req, err := Request(files, "paths=source_relative", generate...)
	if err != nil {
		t.Fatal(err)
	}
	return req
}

func TestRequest(t *testing.T) {
	files := map[string]string{
		"a/a.proto": "syntax = \"proto3\";\npackage a;\nimport \"b/b.proto\";\nimport \"google/protobuf/timestamp.proto\";\n" +
			"option go_package = \"example.com/a\";\n// About M.\nmessage M {\n  b.N some_n = 1;\n  google.protobuf.Timestamp at = 2;\n}\n",
		"b/b.proto": "syntax = \"proto3\";\npackage b;\noption go_package = \"example.com/b\";\nmessage N {}\n",
		"c/c.proto": "syntax = \"proto3\";\npackage c;\noption go_package = \"example.com/c\";\n",
	}
	req := mustRequest(t, files, "a/a.proto")
	if diff := cmp.Diff([]string{"a/a.proto"}, req.GetFileToGenerate()); diff != "" {
		t.Errorf("files to generate (-want +got):\n%s", diff)
	}
	var names []string
	for _, file := range req.GetProtoFile() {
		names = append(names, file.GetName())
	}
	if diff := cmp.Diff([]string{"b/b.proto", "google/protobuf/timestamp.proto", "a/a.proto"}, names); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if got := File(req, "a/a.proto").GetMessageType()[0].GetField()[0].GetJsonName(); got != "someN" {
		t.Errorf("json_name is %q, want someN", got)
	}
	if File(req, "c/c.proto") != nil {
		t.Error("a file that nothing imports is in the request")
	}
	if got := req.GetParameter(); got != "paths=source_relative" {
		t.Errorf("parameter is %q", got)
	}

	// The generator library takes the request and knows positions and comments.
	plugin, err := protogen.Options{}.New(req)
	if err != nil {
		t.Fatal(err)
	}
	m := plugin.FilesByPath["a/a.proto"].Messages[0]
	if loc := plugin.FilesByPath["a/a.proto"].Desc.SourceLocations().ByDescriptor(m.Desc); loc.StartLine != 6 {
		t.Errorf("message M starts on line %d counted from 0, want 6", loc.StartLine)
	}
	if got := string(m.Comments.Leading); got != " About M.\n" {
		t.Errorf("comment is %q", got)
	}
	if got := m.Fields[0].GoName; got != "SomeN" {
		t.Errorf("Go name is %q, want SomeN", got)
	}
}

func TestRequestGeneratesAllByDefault(t *testing.T) {
	files := map[string]string{}
	for _, name := range []string{"z", "m", "a"} {
		files[name+".proto"] = "syntax = \"proto3\";\npackage " + name + ";\n"
	}
	want := []string{"a.proto", "m.proto", "z.proto"}
	if diff := cmp.Diff(want, mustRequest(t, files).GetFileToGenerate()); diff != "" {
		t.Errorf("files to generate (-want +got):\n%s", diff)
	}
}

func TestRequestIsDeterministicAndUnshared(t *testing.T) {
	files := goldenFiles(t)
	first := mustRequest(t, files)
	for range 3 {
		again := mustRequest(t, files)
		if !proto.Equal(first, again) {
			t.Fatal("two calls with the same files differ")
		}
		again.ProtoFile[0].Name = proto.String("changed")
		again.ProtoFile[0].MessageType = nil
	}
}

func TestRequestErrors(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		generate   []string
		want       string
	}{
		{"syntax", "syntax = \"proto3\";\nmessage {}\n", nil, "f.proto:2:9: syntax error"},
		{"unknown type", "syntax = \"proto3\";\nmessage M {\n  Other o = 1;\n}\n", nil, "f.proto:3:3: field M.o: unknown type Other"},
		{"missing import", "syntax = \"proto3\";\nimport \"missing.proto\";\n", nil, "f.proto:2:8: "},
		{"not given", "syntax = \"proto3\";\n", []string{"g.proto"}, "g.proto is not among the files"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Request(map[string]string{"f.proto": tt.text}, "", tt.generate...)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
	if _, err := Request(nil, ""); err == nil || !strings.Contains(err.Error(), "no files") {
		t.Errorf("no files: error %v", err)
	}
}

func TestSourceRetention(t *testing.T) {
	req := mustRequest(t, extra, "extra/two.proto")
	const number = 51002
	has := func(file *descriptorpb.FileDescriptorProto) bool {
		found := false
		opts := file.GetMessageType()[0].GetField()[1].GetOptions().ProtoReflect()
		opts.Range(func(fd protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
			found = found || fd.Number() == number
			return true
		})
		return found || len(opts.GetUnknown()) > 0
	}
	if has(File(req, "extra/two.proto")) {
		t.Error("an option with source retention is in proto_file")
	}
	if len(req.GetSourceFileDescriptors()) != 1 || !has(req.GetSourceFileDescriptors()[0]) {
		t.Error("the option with source retention is not in source_file_descriptors")
	}
}

// TestAgainstProtoc compares each file with what protoc makes of it. For the files
// of this module that includes source info.
func TestAgainstProtoc(t *testing.T) {
	protoc, err := exec.LookPath("protoc")
	if err != nil {
		t.Skip("protoc is not on PATH, so there is nothing to compare with")
	}
	files := goldenFiles(t)
	maps.Copy(files, extra)
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	set := filepath.Join(dir, "set.bin")
	names := slices.Sorted(maps.Keys(files))
	args := append([]string{"-I" + dir, "--include_imports", "--include_source_info", "--descriptor_set_out=" + set}, names...)
	if out, err := exec.Command(protoc, args...).CombinedOutput(); err != nil {
		t.Fatalf("protoc: %v\n%s", err, out)
	}
	b, err := os.ReadFile(set)
	if err != nil {
		t.Fatal(err)
	}
	want := &descriptorpb.FileDescriptorSet{}
	if err := proto.Unmarshal(b, want); err != nil {
		t.Fatal(err)
	}

	req := mustRequest(t, files)
	var wantOrder, gotOrder []string
	for _, file := range want.GetFile() {
		wantOrder = append(wantOrder, file.GetName())
	}
	for _, file := range req.GetProtoFile() {
		gotOrder = append(gotOrder, file.GetName())
	}
	if diff := cmp.Diff(wantOrder, gotOrder); diff != "" {
		t.Errorf("order of files (-protoc +protocheck):\n%s", diff)
	}
	compared := 0
	for _, w := range want.GetFile() {
		g := File(req, w.GetName())
		if g == nil {
			t.Errorf("%s is not in the request", w.GetName())
			continue
		}
		if w.GetName() == "google/protobuf/descriptor.proto" || w.GetName() == "google/protobuf/go_features.proto" {
			continue // differ between releases
		}
		if strings.HasPrefix(w.GetName(), "golden/descriptors/") {
			continue // their options are there because compilers write them in different orders
		}
		if strings.HasPrefix(w.GetName(), "google/protobuf/") || strings.HasPrefix(w.GetName(), "extra/") || w.GetSyntax() != "proto3" {
			// The first have none here. In the others the compilers disagree on where an
			// option's name starts, on the order of options, on the path of an edition, and on
			// what belongs to a group and to a default.
			w.SourceCodeInfo, g.SourceCodeInfo = nil, nil
		}
		if diff := cmp.Diff(w, g, protocmp.Transform()); diff != "" {
			t.Errorf("%s (-protoc +protocheck):\n%s", w.GetName(), diff)
		}
		compared++
	}
	t.Logf("compared %d files with protoc", compared)
}

func TestRead(t *testing.T) {
	fsys := fstest.MapFS{
		"a/a.proto":       {Data: []byte("A")},
		"a/b/b.proto":     {Data: []byte("B")},
		"a/b/b.pb.go":     {Data: []byte("no")},
		"c/c.proto":       {Data: []byte("C")},
		"c/d.proto/x.txt": {Data: []byte("no")},
	}
	for _, tt := range []struct {
		folders []string
		want    map[string]string
	}{
		{nil, map[string]string{"a/a.proto": "A", "a/b/b.proto": "B", "c/c.proto": "C"}},
		{[]string{"a/b", "c"}, map[string]string{"a/b/b.proto": "B", "c/c.proto": "C"}},
		{[]string{"c/c.proto"}, map[string]string{"c/c.proto": "C"}},
	} {
		got, err := Read(fsys, tt.folders...)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("Read(%v) (-want +got):\n%s", tt.folders, diff)
		}
	}
	if _, err := Read(fsys, "missing"); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("missing folder: error %v", err)
	}
}
