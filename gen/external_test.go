package gen_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/flinkser/flinkser/gen"
	"github.com/flinkser/flinkser/internal/protocheck"
)

// externalFolder holds messages that hold messages of other modules, and the codecs for those.
const externalFolder = "golden/external"

// externalRun is a run of the plugin that writes files below externalFolder.
type externalRun struct {
	parameter string
	files     []string
}

// externalRuns are those that tools/generate.sh makes, the first one with buf.
var externalRuns = []externalRun{
	{
		parameter: "module=" + modulePath + ",external=google.protobuf=" + modulePath + "/golden/external/wkt",
		files: []string{
			"golden/external/external.proto", "google/protobuf/any.proto", "google/protobuf/duration.proto", "google/protobuf/empty.proto",
			"google/protobuf/struct.proto", "google/protobuf/timestamp.proto", "google/protobuf/wrappers.proto",
		},
	},
	{
		parameter: "module=" + modulePath +
			",external=google/protobuf/timestamp.proto=" + modulePath + "/golden/external/wkt" +
			",external=google/protobuf/descriptor.proto=" + modulePath + "/golden/external/legacy/descriptor" +
			",external=golden/editions/delimited.proto=" + modulePath + "/golden/external/legacy/editions",
		files: []string{"golden/external/legacy/legacy.proto", "golden/editions/delimited.proto", "google/protobuf/descriptor.proto"},
	},
}

func externalCode(t *testing.T) map[string]string {
	t.Helper()
	return codeIn(t, externalFolder)
}

// goldenFiles returns the .proto files of the golden folder.
func goldenFiles(t *testing.T) map[string]string {
	t.Helper()
	files, err := protocheck.Read(os.DirFS(root), "golden")
	if err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(files, func(name, _ string) bool { return isNested(path.Dir(name)) })
	return files
}

// TestExternalCurrent is TestGoldenCurrent for codecs and for the code that calls them.
func TestExternalCurrent(t *testing.T) {
	files, want := goldenFiles(t), map[string]string{}
	for _, run := range externalRuns {
		maps.Copy(want, generate(t, files, run.parameter, run.files...))
	}
	compare(t, want, externalCode(t))
}

// TestExternalTools generates the first run with protoc and with buf.
func TestExternalTools(t *testing.T) {
	run := externalRuns[0]
	check := func(t *testing.T, out string) {
		t.Helper()
		have := externalCode(t)
		for _, name := range run.files {
			folder := externalFolder
			if protocheck.IsStandard(name) {
				folder += "/wkt"
			}
			name = folder + "/" + strings.TrimSuffix(path.Base(name), ".proto") + "_flinkser.pb.go"
			b, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(name)))
			if err != nil || string(b) != have[name] || len(b) == 0 {
				t.Errorf("%s differs (%v)\n%s", name, err, firstDifference(have[name], string(b)))
			}
		}
	}
	t.Run("protoc", func(t *testing.T) {
		protoc, err := exec.LookPath("protoc")
		if err != nil {
			t.Skip("protoc is not on PATH")
		}
		out := t.TempDir()
		args := []string{"--plugin=protoc-gen-flinkser=" + buildPlugin(t), "--flinkser_out=" + out, "--flinkser_opt=" + run.parameter, "-I."}
		command(t, protoc, append(args, run.files...)...)
		check(t, out)
	})
	t.Run("buf", func(t *testing.T) {
		buf, err := exec.LookPath("buf")
		if err != nil {
			t.Skip("buf is not on PATH")
		}
		out := t.TempDir()
		template := fmt.Sprintf(`{"version": "v2", "plugins": [{"local": [%q], "out": %q, "opt": %q, "include_imports": true, "include_wkt": true}]}`,
			filepath.ToSlash(buildPlugin(t)), filepath.ToSlash(out), run.parameter)
		command(t, buf, "generate", "--template", template, "--path", run.files[0])
		check(t, out)
	})
}

// TestExternalPaths checks where code for a mapped file goes: where protogen would put a file
// of that import path.
func TestExternalPaths(t *testing.T) {
	const file = "google/protobuf/duration.proto"
	for _, tt := range []struct{ parameter, want, pkg string }{
		{"external=" + file + "=example.com/gen/times", "example.com/gen/times/duration_flinkser.pb.go", "times"},
		{"paths=import,external=" + file + "=example.com/gen/times", "example.com/gen/times/duration_flinkser.pb.go", "times"},
		{"module=example.com/gen,external=google.protobuf=example.com/gen/times", "times/duration_flinkser.pb.go", "times"},
		{"paths=source_relative,external=" + file + "=example.com/gen/times", "google/protobuf/duration_flinkser.pb.go", "times"},
		{"external=" + file + "=example.com/gen/v2;times", "example.com/gen/v2/duration_flinkser.pb.go", "times"},
		{"external=google.protobuf=example.com/other,external=" + file + "=example.com/gen/times", "example.com/gen/times/duration_flinkser.pb.go", "times"},
	} {
		code := generate(t, nil, tt.parameter, file)
		if len(code) != 1 || !strings.Contains(code[tt.want], "\npackage "+tt.pkg+"\n") {
			t.Errorf("%s: wrote %v, want %s in package %s", tt.parameter, slices.Collect(maps.Keys(code)), tt.want, tt.pkg)
		}
	}
}

// TestExternalCalls counts the calls for fields whose message types are mapped.
func TestExternalCalls(t *testing.T) {
	for parameter, want := range map[string]map[string]int{
		",external=b=example.com/a/bcodec": {"bcodec.B.Append(": 4, "wire.AppendMessage(": 1},
		",external=b/b.proto=example.com/a/bcodec,external=google/protobuf/duration.proto=example.com/a/bcodec,foreign=error": {
			"bcodec.B.Size(": 4, "bcodec.Duration.Size(": 1, "bcodec.B.Clone(": 4, "bcodec.B.Reuse(": 3, "wire.Calls(": 2,
		},
		",external=c=example.com/a/bcodec": {"bcodec.": 0, "wire.AppendMessage(": 5, "CallsFlinkser": 0},
		// Said of a file, it comes before known=.
		",known=example.com/b,external=b/b.proto=example.com/a/bcodec": {"bcodec.B.Append(": 4},
	} {
		code := foreignCode(t, parameter)
		for call, n := range want {
			if got := strings.Count(code, call); got != n {
				t.Errorf("%s: %d times %s, want %d", parameter, got, call, n)
			}
		}
	}
}

// TestExternalMalformed refuses values of the option that mean nothing, as an option and as a
// field of Options.
func TestExternalMalformed(t *testing.T) {
	for value, want := range map[string]string{
		"":                             "has no =",
		"google/protobuf/any.proto":    "has no =",
		"=example.com/x":               "names no .proto file",
		"a/b=example.com/x":            "neither a path that ends in .proto nor the name of a proto package",
		"a..b=example.com/x":           "neither a path",
		"a.b=":                         "is no import path",
		"a.b=./x":                      "is no import path",
		"a.b=/x":                       "is no import path",
		"a.b=example.com/x/":           "is no import path",
		"a.b=example.com/x-y":          "is no name of a Go package",
		"a.b=example.com/type":         "is no name of a Go package",
		"a.b=example.com/x;":           "is no name of a Go package",
		"a.b=example.com/x;y;z":        "is no name of a Go package",
		"a.b=one.com/x,external=a.b=y": "is mapped to one.com/x already",
	} {
		req, err := protocheck.Request(nil, "external="+value, "google/protobuf/any.proto")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := gen.Answer(req); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "option external") {
			t.Errorf("external=%s: error %v, want one with %q", value, err, want)
		}
	}
	var o gen.Options
	o.External = map[string]string{"a b": "example.com/x"}
	if err := gen.Generate(plugin(t, "google/protobuf/any.proto"), o); err == nil || !strings.Contains(err.Error(), "external: ") {
		t.Errorf("error %v", err)
	}
}

// TestExternalForm is TestGeneratedForm for the files of codecs.
func TestExternalForm(t *testing.T) {
	codecs := regexp.MustCompile(`(?m)^var (\w+) (\w+)Codec$`)
	for name, text := range externalCode(t) {
		if formatted, err := format.Source([]byte(text)); err != nil || string(formatted) != text {
			t.Errorf("%s is not formatted (%v)", name, err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		checkImports(t, name, file)
		found := codecs.FindAllStringSubmatch(text, -1)
		if strings.Count(name, "/") < 3 || strings.HasSuffix(name, "legacy_flinkser.pb.go") { // messages with methods
			checkHelpers(t, name, file)
			checkComments(t, name, file)
			if len(found) != 0 {
				t.Errorf("%s has codecs", name)
			}
			continue
		}
		methods := map[string]int{}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Name.Name == "_" { // a guard
				continue
			}
			methods[f.Name.Name]++
			if !strings.HasPrefix(f.Doc.Text(), f.Name.Name+" ") {
				t.Errorf("%s: the comment of %s is %q", name, f.Name.Name, f.Doc.Text())
			}
			if _, ok := f.Recv.List[0].Type.(*ast.Ident); !ok || len(f.Recv.List[0].Names) != 0 {
				t.Errorf("%s: the receiver of %s is no value without a name", name, f.Name.Name)
			}
		}
		for _, method := range []string{"Size", "Append", "Decode", "Reuse", "Reset", "Clone", "Schema"} {
			if methods[method] != len(found) || len(found) == 0 {
				t.Errorf("%s: %d codecs have %d methods %s", name, len(found), methods[method], method)
			}
		}
		for _, m := range found {
			if !strings.EqualFold(m[1], m[2]) {
				t.Errorf("%s: %s is of type %sCodec", name, m[1], m[2])
			}
		}
		if strings.Contains(text, "unknownFields") || strings.Contains(text, "extensionFields") || strings.Contains(text, "Flinkser(") {
			t.Errorf("%s names what only the package of the messages has", name)
		}
	}
}

// TestExternalEverything makes codecs for golden files that have code of their own too, and
// lets a program compare them with google.golang.org/protobuf: every kind in every shape, groups,
// required fields, extensions and editions.
func TestExternalEverything(t *testing.T) {
	mapped := []string{
		"golden/cases/cases.proto", "golden/editions/delimited.proto", "golden/recursive/recursive.proto", "golden/kinds/kinds.proto",
		"golden/proto2/proto2.proto", "golden/wellknown/wellknown.proto", "google/protobuf/struct.proto",
	}
	base := modulePath + "/" + folder + "/external"
	parameter := "module=" + modulePath
	for _, name := range mapped {
		parameter += ",external=" + name + "=" + base + "/" + strings.TrimSuffix(path.Base(name), ".proto") + "codec"
	}
	o := overlay(generate(t, goldenFiles(t), parameter, mapped...))
	if len(o) != len(mapped) {
		t.Fatalf("%d files, want %d", len(o), len(mapped))
	}
	var imports, options bytes.Buffer
	codec := regexp.MustCompile(`(?m)^var (\w+) \w+Codec$`)
	n := 0
	for _, name := range slices.Sorted(maps.Keys(o)) {
		pkg := path.Base(path.Dir(name))
		fmt.Fprintln(&imports, strconv.Quote(base+"/"+pkg))
		for _, m := range codec.FindAllStringSubmatch(o[name], -1) {
			fmt.Fprintf(&options, "compare(%s.%s)\n", pkg, m[1])
			n++
		}
	}
	if n < 30 {
		t.Fatalf("%d codecs, expected at least 30", n)
	}
	o[folder+"/external/main/main.go"] = fmt.Sprintf(compareProgram, imports.String(), options.String())
	if out := o.run(t, "run", "./"+folder+"/external/main"); out != fmt.Sprintf("%d codecs agree\n", n) {
		t.Error(out)
	}
}

const compareProgram = `package main

import (
	"fmt"
	"math/rand/v2"

	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/internal/differ"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/wire"
	%s
)

var agree int

func compare[M proto.Message](c wire.Codec[M]) {
	codecs, err := differ.New(flinkser.WithCodec(c))
	if err != nil {
		panic(err)
	}
	typ := (*new(M)).ProtoReflect().Type()
	if err := codecs.Compare(rand.New(rand.NewPCG(1, 1)), typ).Round(differ.Effort{Messages: 6, Prefixes: 60, Mutations: 60}); err != nil {
		fmt.Println(typ.Descriptor().FullName(), err)
		return
	}
	agree++
}

func main() {
	%s
	fmt.Println(agree, "codecs agree")
}
`
