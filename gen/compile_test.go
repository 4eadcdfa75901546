package gen_test

import (
	"encoding/json"
	"go/format"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"google.golang.org/protobuf/cmd/protoc-gen-go/internal_gengo"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/flinkser/flinkser/internal/protocheck"
)

// overlay is a set of files that the go command sees in the module's folder though
// they are not there, by path from it.
type overlay map[string]string

// folder is where the files of these tests seem to be.
const folder = "golden/overlay"

// addCode adds what protoc-gen-go and this generator make of files. The paths of .proto
// files are those of their Go packages.
func (o overlay) addCode(t *testing.T, files map[string]string, parameter string, names ...string) map[string]string {
	t.Helper()
	req, err := protocheck.Request(files, parameter, names...)
	if err != nil {
		t.Fatal(err)
	}
	code := mustRun(t, req)
	maps.Copy(o, code)

	// protoc-gen-go is asked with the options that it shares, for all files.
	shared := "paths=source_relative"
	for option := range strings.SplitSeq(parameter, ",") {
		if strings.HasPrefix(option, "M") {
			shared += "," + option
		}
	}
	if req, err = protocheck.Request(files, shared); err != nil {
		t.Fatal(err)
	}
	maps.Copy(o, protocGenGo(t, req))
	return code
}

// protocGenGo returns what protoc-gen-go makes of a request.
func protocGenGo(t *testing.T, req *pluginpb.CodeGeneratorRequest) map[string]string {
	t.Helper()
	plugin, err := protogen.Options{}.New(req)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range plugin.Files {
		if f.Generate {
			internal_gengo.GenerateFile(plugin, f)
		}
	}
	resp := plugin.Response()
	if resp.Error != nil {
		t.Fatal(resp.GetError())
	}
	code := map[string]string{}
	for _, f := range resp.GetFile() {
		code[f.GetName()] = f.GetContent()
	}
	return code
}

// run runs the go command with the files in place and returns what it prints.
func (o overlay) run(t *testing.T, verb, pkg string) string {
	t.Helper()
	dir := t.TempDir()
	abs, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	for name, text := range o {
		full := filepath.Join(dir, "files", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(abs, filepath.FromSlash(name))] = full
	}
	b, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return goTool(t, verb, "-overlay="+file, pkg)
}

// TestCompiles compiles the code for testdata/compiles/*.txtar together with
// that of protoc-gen-go. The .proto files of an archive lie below a folder of its name;
// PKG in them stands for its import path. Further parts are
//
//	parameter  the options of the plugin, beside paths=source_relative
//	generate   the files to generate, a line each; without it all
//	contains   lines that must be in the generated code
//	lacks      lines that must not
//	main.go    a program that prints ok
func TestCompiles(t *testing.T) {
	archives, err := filepath.Glob("testdata/compiles/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if len(archives) < 5 {
		t.Fatalf("found %d archives, expected at least 5", len(archives))
	}
	all := overlay{}
	programs := []string{}
	for _, archive := range archives {
		name := strings.TrimSuffix(filepath.Base(archive), ".txtar")
		b, err := os.ReadFile(archive)
		if err != nil {
			t.Fatal(err)
		}
		t.Run("Generate/"+name, func(t *testing.T) {
			o := overlay{}
			parts := map[string]string{}
			files := map[string]string{}
			pkg := "github.com/flinkser/flinkser/" + folder + "/" + name
			for _, f := range txtar.Parse(b).Files {
				text := strings.ReplaceAll(string(f.Data), "PKG", pkg)
				if strings.HasSuffix(f.Name, ".proto") {
					files[folder+"/"+name+"/"+f.Name] = strings.ReplaceAll(text, "DIR", folder+"/"+name)
					continue
				}
				parts[f.Name] = text
			}
			var names []string
			for _, n := range strings.Fields(parts["generate"]) {
				names = append(names, folder+"/"+name+"/"+n)
			}
			parameter := "paths=source_relative"
			if p := strings.TrimSpace(parts["parameter"]); p != "" {
				parameter += "," + p
			}
			code := strings.Join(slices.Collect(maps.Values(o.addCode(t, files, parameter, names...))), "\n")
			for line := range strings.Lines(parts["contains"]) {
				if !strings.Contains(code, strings.TrimSpace(line)) {
					t.Errorf("the code does not contain %s", line)
				}
			}
			for line := range strings.Lines(parts["lacks"]) {
				if strings.Contains(code, strings.TrimSpace(line)) {
					t.Errorf("the code contains %s", line)
				}
			}
			if program, ok := parts["main.go"]; ok {
				if formatted, err := format.Source([]byte(program)); err != nil || string(formatted) != program {
					t.Errorf("main.go is not formatted (%v)", err)
				}
				o[folder+"/"+name+"/main/main.go"] = program
				programs = append(programs, name)
			}
			maps.Copy(all, o)
		})
	}
	if t.Failed() {
		return
	}
	t.Run("Build", func(t *testing.T) {
		if out := all.run(t, "build", "./"+folder+"/..."); out != "" {
			t.Error(out)
		}
	})
	for _, name := range programs {
		t.Run("Run/"+name, func(t *testing.T) {
			if out := all.run(t, "run", "./"+folder+"/"+name+"/main"); out != "ok\n" {
				t.Errorf("the program printed %q", out)
			}
		})
	}
	if _, err := os.Stat(filepath.Join(root, folder)); err == nil {
		t.Errorf("%s exists", folder)
	}
}
