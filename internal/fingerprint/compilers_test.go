package fingerprint

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

// TestFingerprintCompilers checks that the text is the same whichever program compiled the .proto files, from whichever folder, and
// whatever options it set.
func TestFingerprintCompilers(t *testing.T) {
	src := goldenSources(t)
	const root = "shop.Order"
	want := text(t, src, root)
	// The paths of the files, as imports have them, are those below this folder.
	dir := t.TempDir()
	for name, text := range src {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	same := func(t *testing.T, set *descriptorpb.FileDescriptorSet) {
		t.Helper()
		if diff := cmp.Diff(want, Text(find(t, protodescFiles(t, set), root))); diff != "" {
			t.Error(diff)
		}
	}
	t.Run("protoc", func(t *testing.T) {
		same(t, readSet(t, run(t, dir, "protoc", "-I.", "--include_imports", "--descriptor_set_out=/dev/stdout", "shop.proto")))
	})
	t.Run("protoc, source info and options of the source kept", func(t *testing.T) {
		same(t, readSet(t, run(t, dir, "protoc", "-I.", "--include_imports", "--include_source_info", "--retain_options", "--descriptor_set_out=/dev/stdout", "shop.proto")))
	})
	t.Run("import path", func(t *testing.T) {
		same(t, readSet(t, run(t, t.TempDir(), "protoc", "-I"+dir, "--include_imports", "--descriptor_set_out=/dev/stdout", filepath.Join(dir, "shop.proto"))))
	})
	t.Run("import path two folders up", func(t *testing.T) {
		up := t.TempDir()
		below := filepath.Join(up, "some", "folder")
		if err := os.MkdirAll(below, 0o777); err != nil {
			t.Fatal(err)
		}
		for name, text := range src {
			for other := range src {
				text = strings.ReplaceAll(text, `"`+other+`"`, `"some/folder/`+other+`"`)
			}
			if err := os.WriteFile(filepath.Join(below, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		same(t, readSet(t, run(t, up, "protoc", "-I.", "--include_imports", "--descriptor_set_out=/dev/stdout", "some/folder/shop.proto")))
	})
	t.Run("buf", func(t *testing.T) {
		same(t, readSet(t, run(t, dir, "buf", "build", "-o", "-#format=binpb")))
	})
	t.Run("buf, without source info", func(t *testing.T) {
		same(t, readSet(t, run(t, dir, "buf", "build", "--exclude-source-info", "-o", "-#format=binpb")))
	})
	t.Run("buf in managed mode", func(t *testing.T) {
		// A plugin sees what managed mode has changed. This one only keeps it, and answers that it supports
		// optional fields of proto3, and editions from proto2 to 2024.
		const keep = `cat > "$0"; printf "\\020\\003\\030\\346\\007\\040\\351\\007"`
		request := filepath.Join(t.TempDir(), "request")
		config := filepath.Join(t.TempDir(), "buf.gen.yaml")
		if err := os.WriteFile(config, []byte(`version: v2
managed:
  enabled: true
  override:
    - {file_option: go_package_prefix, value: example.com/managed}
    - {file_option: java_package_prefix, value: managed.java}
    - {file_option: optimize_for, value: CODE_SIZE}
    - {file_option: objc_class_prefix, value: XYZ}
    - {field_option: jstype, value: JS_STRING}
plugins:
  - {local: [sh, -c, '`+keep+`', "`+request+`"], out: ., strategy: all}
`), 0o666); err != nil {
			t.Fatal(err)
		}
		run(t, dir, "buf", "generate", "--template", config)
		b, err := os.ReadFile(request)
		if err != nil {
			t.Fatal(err)
		}
		req := new(pluginpb.CodeGeneratorRequest)
		if err := proto.Unmarshal(b, req); err != nil {
			t.Fatal(err)
		}
		managed := false
		for _, f := range req.GetProtoFile() {
			managed = managed || f.GetName() == "shop.proto" && f.GetOptions().GetJavaPackage() == "managed.java.shop"
		}
		if !managed {
			t.Error("managed mode has changed nothing")
		}
		same(t, &descriptorpb.FileDescriptorSet{File: req.GetProtoFile()})
	})
}

// run returns what a program prints, or skips the test where it is not here.
func run(t *testing.T, dir, program string, args ...string) []byte {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skip("tools/install.sh protoc buf brings it: ", err)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	return out
}

func readSet(t *testing.T, b []byte) *descriptorpb.FileDescriptorSet {
	t.Helper()
	set := new(descriptorpb.FileDescriptorSet)
	if err := proto.Unmarshal(b, set); err != nil {
		t.Fatal(err)
	}
	if _, err := protodesc.NewFiles(set); err != nil {
		t.Fatal(err)
	}
	return set
}
