package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/flinkser/flinkser/internal/published"
	"github.com/flinkser/flinkser/internal/randschema"
)

// envDefect makes this test program a plugin with a defect: protoc runs it under the name of
// protoc-gen-flinkser.
const envDefect = "FLINKSER_TEST_DEFECT"

func TestMain(m *testing.M) {
	if defect := os.Getenv(envDefect); defect != "" && strings.HasPrefix(filepath.Base(os.Args[0]), "protoc-gen-flinkser") {
		protogen.Options{}.Run(func(p *protogen.Plugin) error { return defective(p, defect) })
		return
	}
	os.Exit(m.Run())
}

// defective is a plugin that goes wrong for files that have a field of kind sfixed64.
func defective(p *protogen.Plugin, defect string) error {
	p.SupportedFeatures = 3
	p.SupportedEditionsMinimum, p.SupportedEditionsMaximum = descriptorpb.Edition_EDITION_PROTO2, descriptorpb.Edition_EDITION_2024
	for _, f := range p.Files {
		if !f.Generate || !hasSfixed64(f.Messages) {
			continue
		}
		code := ""
		switch defect {
		case "refuses":
			return errors.New("no sfixed64, please")
		case "compiles":
			code = "var _ int = sfixed64"
		case "vets":
			code = "func _() { x := 1; x = x }"
		}
		p.NewGeneratedFile(f.GeneratedFilenamePrefix+"_flinkser.pb.go", f.GoImportPath).P("package ", f.GoPackageName, "\n", code)
	}
	return nil
}

func hasSfixed64(list []*protogen.Message) bool {
	for _, m := range list {
		for _, f := range m.Fields {
			if f.Desc.Kind() == protoreflect.Sfixed64Kind && !m.Desc.IsMapEntry() {
				return true
			}
		}
		if hasSfixed64(m.Messages) {
			return true
		}
	}
	return false
}

// TestDefects checks that a plugin that goes wrong is noticed at the stage where it does, and
// that the schema is made as small as a field of one kind.
func TestDefects(t *testing.T) {
	if _, err := exec.LookPath("protoc"); err != nil {
		t.Skip("protoc is not on PATH: tools/install.sh protoc puts it into .bin")
	}
	tools, err := newTools(t.TempDir(), true, false)
	if err != nil {
		t.Fatal(err)
	}
	withDefects(t, tools)
	env := tools.env
	for _, d := range []struct {
		defect string
		stage  stage
		text   string
	}{
		{"refuses", generate, "no sfixed64, please"},
		{"compiles", compiled, "undefined: sfixed64"},
		{"vets", vetted, "self-assignment of x"},
		{"writes nothing", compared, "it has no generated code"},
	} {
		t.Run(d.defect, func(t *testing.T) {
			tools.env = append(env, envDefect+"="+d.defect)
			r := &random{schema: randschema.New(2), level: levels[0]}
			u := &unit{code: r}
			if d.stage != compared && !strings.Contains(randschema.Print(r.files()), "sfixed64") {
				t.Fatal("the schema has no sfixed64")
			}
			if err := tools.batch("batch", []*unit{u}, complete); err != nil {
				t.Fatal(err)
			}
			if u.failure == nil || u.failure.stage != d.stage || !strings.Contains(u.failure.text, d.text) {
				t.Fatalf("refused %q, failure %+v", u.refused, u.failure)
			}
			if d.stage == vetted || d.stage == compared {
				return // made smaller in the same way, and slowly
			}
			small := tools.reduce(u, 40*time.Second).code.(*random).files()
			text := randschema.Print(small)
			if files := len(small); files != 1 || strings.Count(text, "\n") > 15 || !strings.Contains(text, "sfixed64") {
				t.Errorf("made smaller in %d files:\n%s", files, text)
			}
			t.Logf("made smaller:\n%s", text)
		})
	}
}

// withDefects replaces the plugin of tools by this test program.
func withDefects(t *testing.T, tools *tools) {
	t.Helper()
	plugin := tools.program("protoc-gen-flinkser")
	if err := os.Remove(plugin); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(os.Args[0], plugin); err != nil {
		t.Fatal(err)
	}
}

// TestPublished takes packages of this module as if others had published them, and then with a plugin
// that goes wrong for one of them.
func TestPublished(t *testing.T) {
	tools, err := newTools(t.TempDir(), true, false)
	if err != nil {
		t.Fatal(err)
	}
	units := func() []*unit {
		all := published.New(func(importPath string) (string, error) {
			if rel, ok := strings.CutPrefix(importPath, rootPath); ok {
				return filepath.Join(tools.root, filepath.FromSlash(rel)), nil
			}
			return "", nil
		})
		var list []*unit
		for _, folder := range []string{"golden/otel", "golden/recursive", "golden/wide", "golden/empty"} {
			path := rootPath + "/" + folder
			files, err := all.Read(path)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, &unit{code: &goPackage{all: all, path: path, files: files, known: true}})
		}
		return append(list, others(all, list)...)
	}
	s := &settings{batch: 3, keep: t.TempDir()}
	good := totals{}
	if err := s.packages(tools, units(), &good); err != nil {
		t.Fatal(err)
	}
	if good.failed != 0 || good.refused != 0 || good.units != 4 || good.messages < 15 || good.inputs < 1000 {
		t.Errorf("%v", &good)
	}

	withDefects(t, tools)
	tools.env = append(tools.env, envDefect+"=compiles") // of the compared programs
	t.Setenv(envDefect, "compiles")                      // of the plugin
	bad := totals{}
	if err := s.packages(tools, units(), &bad); err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(filepath.Join(s.keep, folderOf(rootPath+"/golden/wide"), "failure.txt"))
	if err != nil || !strings.Contains(string(kept), "undefined: sfixed64") || bad.failed == 0 || bad.units != 0 && bad.failed+bad.units != 4 {
		t.Errorf("%v; kept: %s (%v)", &bad, kept, err)
	}
}

func TestFormat(t *testing.T) {
	for code, want := range map[string]string{
		"package p\n\nvar _ int\n":  "",
		"package p\n\nvar  _ int\n": "x/a_flinkser.pb.go is not formatted",
		"package p\n\nvar _ = (\n":  "x/a_flinkser.pb.go: ",
	} {
		b := &batch{dir: t.TempDir()}
		ours := filepath.Join(b.dir, "ours")
		for _, dir := range []string{ours, b.module()} {
			if err := write(filepath.Join(dir, "x", "a_flinkser.pb.go"), code); err != nil {
				t.Fatal(err)
			}
		}
		u := new(unit)
		if err := b.adopt(u, ours); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%+v", u.failure); (want == "") != (u.failure == nil) || !strings.Contains(got, want) || len(u.ours) != 1 {
			t.Errorf("%q: %s", code, got)
		}
	}
}

func TestByUnit(t *testing.T) {
	got := byUnit(`# example.com/x/s12w/m
s12w/m/a.pb.go:1:2: undefined: x
s12w/m/a.pb.go:1:3: too many errors
# example.com/x/s3o
vet: ./s3o/b_flinkser.pb.go:7:1: undefined: y
# example.com/x/example.com-y-v1
`, []*unit{
		{code: &random{schema: randschema.New(12), level: levels[0]}},
		{code: &random{schema: randschema.New(3), level: levels[2]}},
		{code: &goPackage{path: "example.com/y/v1"}},
	})
	want := map[string]string{
		"s12w":             "# example.com/x/s12w/m\ns12w/m/a.pb.go:1:2: undefined: x\ns12w/m/a.pb.go:1:3: too many errors\n",
		"s3o":              "# example.com/x/s3o\nvet: ./s3o/b_flinkser.pb.go:7:1: undefined: y\n",
		"example.com-y-v1": "# example.com/x/example.com-y-v1\n",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q", got)
	}
}

func TestKeep(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "seed-1")
	files := []randschema.File{{Path: "s1/a/x.proto", Text: "syntax"}}
	for range 2 { // the second replaces the first
		if err := keep(dir, files, &failure{compiled, "why"}); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"s1/a/x.proto": "syntax", "failure.txt": "go build\nwhy\n"} {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != want {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
}

func TestFirstLines(t *testing.T) {
	for in, want := range map[string]string{"a\n": "a", "a\nb\nc": "a\n    b ...", "a\nb": "a\n    b"} {
		if got := firstLines(in, 2); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}
