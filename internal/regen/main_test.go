package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// plugin builds protoc-gen-flinkser and returns the program's path.
func plugin(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "protoc-gen-flinkser")
	build := exec.Command("go", "build", "-o", program, "github.com/flinkser/flinkser/cmd/protoc-gen-flinkser")
	if b, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	return program
}

func TestRun(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("shop/a/a.proto", "syntax = \"proto3\";\npackage a;\nimport \"other/b.proto\";\n"+
		"option go_package = \"example.com/shop/a\";\nmessage A { b.B b = 1; }\n")
	write("other/b.proto", "syntax = \"proto3\";\npackage b;\noption go_package = \"example.com/other\";\nmessage B { int32 n = 1; }\n")
	const out = "shop/a/a_flinkser.pb.go"

	r := regen{root: root, plugin: plugin(t), param: "paths=source_relative"}
	run := func(check bool, wantErr error, wantLine string) {
		t.Helper()
		r.check = check
		var b bytes.Buffer
		if err := r.run(&b, []string{"shop"}); !errors.Is(err, wantErr) {
			t.Fatalf("check=%v: error %v, want %v", check, err, wantErr)
		}
		if got := b.String(); !strings.HasPrefix(got, out+": "+wantLine) || strings.Count(got, "\n") != 1 {
			t.Fatalf("check=%v printed %q, want one line with %q", check, got, wantLine)
		}
	}
	run(true, errStale, "missing")
	if _, err := os.Stat(filepath.Join(root, out)); err == nil {
		t.Fatal("-check wrote the file")
	}
	run(false, nil, "written")
	run(true, nil, "current")
	run(false, nil, "current")
	code, err := os.ReadFile(filepath.Join(root, out))
	if err != nil {
		t.Fatal(err)
	}
	write(out, strings.Replace(string(code), "\n", "\n// changed by hand\n", 1))
	run(true, errStale, "differs from line 2 on")
	run(false, nil, "written")
	again, err := os.ReadFile(filepath.Join(root, out))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(code, again) {
		t.Error("two runs wrote different code")
	}
	if _, err := os.Stat(filepath.Join(root, "other", "b_flinkser.pb.go")); err == nil {
		t.Error("a file that is only imported was generated")
	}
}

// TestRunStandard generates a file that comes with the compiler, alone.
func TestRunStandard(t *testing.T) {
	r := regen{root: t.TempDir(), plugin: plugin(t), param: "external=google.protobuf=example.com/wkt"}
	var out bytes.Buffer
	if err := r.run(&out, []string{"google/protobuf/duration.proto"}); err != nil || !strings.Contains(out.String(), "example.com/wkt/duration_flinkser.pb.go: written") {
		t.Errorf("%v\n%s", err, out.String())
	}
	if err := r.run(&out, []string{"google/protobuf/nothing.proto"}); err == nil {
		t.Error("a file that is none: no error")
	}
}

func TestRunErrors(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "two.proto"), []byte("syntax = \"proto2\";\npackage p;\n"+
		"option go_package = \"example.com/two\";\nmessage M { required int32 size_flinkser = 1; }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, "empty"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, plugin, folder, want string
	}{
		{"refused by the plugin", plugin(t), ".", "two.proto:4:13: "},
		{"no such plugin", filepath.Join(root, "nothing"), ".", "no such file"},
		{"no files", "unused", "empty", "no .proto file in empty"},
		{"no folder", "unused", "nowhere", "nowhere"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := regen{root: root, plugin: test.plugin, param: "paths=source_relative"}
			err := r.run(&bytes.Buffer{}, []string{test.folder})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}

// TestPublished refuses Go packages that hold no .proto file, and tells them from folders.
func TestPublished(t *testing.T) {
	for folder, want := range map[string]bool{
		"go.opentelemetry.io/proto/otlp/trace/v1": true, "example.com/a": true,
		"golden": false, "golden/a.b": false, ".": false, "..": false, "../golden": false, "./golden": false, "google/protobuf/any.proto": false, "a.proto": false,
	} {
		if isImportPath(folder) != want {
			t.Errorf("%s: is an import path: %t", folder, !want)
		}
	}
	const none = "google.golang.org/protobuf/types/known/anypb" // its files are there for every program
	r := regen{published: "../..", root: t.TempDir(), plugin: "none"}
	if err := r.run(new(bytes.Buffer), []string{none}); err == nil || !strings.Contains(err.Error(), "there is no .proto file in Go package "+none) {
		t.Errorf("a package without files: %v", err)
	}
	r.published, r.imports = "", []string{none}
	if err := r.run(new(bytes.Buffer), []string{"."}); err == nil {
		t.Error("no file at all: no error")
	}
}
