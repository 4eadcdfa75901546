package gen_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/flinkser/flinkser/gen"
	"github.com/flinkser/flinkser/internal/protocheck"
)

// traps are the subtests of TestTrap that are about the generator alone, by their numbers in
// golden/testdata/traps.ids. The others are in the folder golden.
var traps = []struct {
	id   string
	test func(*testing.T)
}{
	{"12", testTrapMethodNames},
	{"13", testTrapGetterOfOneof},
	{"18", testTrapJavaFeatures},
	{"19", testTrapJSONName},
	{"20", testTrapDefaults},
	{"21", testTrapSplitOption},
	{"22", testTrapRetention},
	{"23", testTrapImportOption},
	{"24", testTrapManagedMode},
}

func TestTrap(t *testing.T) {
	for _, trap := range traps {
		t.Run(trap.id, trap.test)
	}
}

// TestTrapTable compares the subtests of TestTrap with the committed list.
func TestTrapTable(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "golden", "testdata", "traps.ids"))
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for line := range strings.Lines(string(text)) {
		if id, found := strings.CutSuffix(strings.TrimSpace(line), " gen"); found {
			want = append(want, id)
		}
	}
	for _, trap := range traps {
		got = append(got, trap.id)
	}
	if !slices.Equal(got, want) {
		t.Errorf("tests of the traps %v, want %v", got, want)
	}
}

// trapFolder is where the files of these tests seem to be.
const trapFolder = folder + "/trap"

// trapFile returns a file with this text behind its head, at a level of the API.
func trapFile(level, text string) map[string]string {
	return map[string]string{trapFolder + "/a.proto": `edition = "2023";
package overlay.trap;
import "google/protobuf/go_features.proto";
option features.(pb.go).api_level = ` + level + `;
option go_package = "` + modulePath + "/" + trapFolder + `";
` + text}
}

// fingerprints returns the fingerprints in generated code by message.
func fingerprints(t *testing.T, code map[string]string) map[string]string {
	t.Helper()
	found := map[string]string{}
	fp := regexp.MustCompile(`(?s)// SchemaFlinkser returns the fingerprint of the schema of (\S+)\.\n.*?return \[32\]byte\{(.*?)\}`)
	for _, text := range code {
		for _, m := range fp.FindAllStringSubmatch(text, -1) {
			found[m[1]] = strings.Join(strings.Fields(m[2]), "")
		}
	}
	if len(found) == 0 {
		t.Fatal("there are no fingerprints in the code")
	}
	return found
}

// sameFingerprints checks that generated code of several variants has equal ones.
func sameFingerprints(t *testing.T, variants map[string]map[string]string) {
	t.Helper()
	var first map[string]string
	for _, name := range slices.Sorted(maps.Keys(variants)) {
		got := fingerprints(t, variants[name])
		if first == nil {
			first = got
		}
		if !maps.Equal(first, got) {
			t.Errorf("%s has other fingerprints:\n%v\n%v", name, got, first)
		}
	}
}

// sameCode checks that all variants are the same code, byte for byte.
func sameCode(t *testing.T, variants map[string]map[string]string) {
	t.Helper()
	sameFingerprints(t, variants)
	var first map[string]string
	for _, name := range slices.Sorted(maps.Keys(variants)) {
		if first == nil {
			first = variants[name]
		}
		for file, text := range variants[name] {
			if first[file] != text {
				t.Errorf("%s: %s differs\n%s", name, file, firstDifference(first[file], text))
			}
		}
	}
}

// compiles checks that the code for files compiles together with that of protoc-gen-go.
func compiles(t *testing.T, files map[string]string, parameter string) map[string]string {
	t.Helper()
	o := overlay{}
	code := o.addCode(t, files, parameter)
	if out := o.run(t, "build", "./"+folder+"/..."); out != "" {
		t.Error(out)
	}
	return code
}

// request compiles files into a request, which change may edit.
func request(t *testing.T, files map[string]string, parameter string, change func(*pluginpb.CodeGeneratorRequest)) *pluginpb.CodeGeneratorRequest {
	t.Helper()
	req, err := protocheck.Request(files, parameter)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(req)
	}
	return req
}

// doubles returns the names that a Go file declares twice in one type: fields of its struct
// and methods.
func doubles(t *testing.T, text string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				continue
			}
			typ := d.Recv.List[0].Type
			if star, ok := typ.(*ast.StarExpr); ok {
				typ = star.X
			}
			count[fmt.Sprintf("%s.%s", typ, d.Name.Name)]++
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				typ, ok := spec.(*ast.TypeSpec)
				if !ok {
					continue
				}
				if s, ok := typ.Type.(*ast.StructType); ok {
					for _, f := range s.Fields.List {
						for _, name := range f.Names {
							count[typ.Name.Name+"."+name.Name]++
						}
					}
				}
			}
		}
	}
	maps.DeleteFunc(count, func(_ string, n int) bool { return n == 1 })
	return slices.Sorted(maps.Keys(count))
}

func testTrapMethodNames(t *testing.T) {
	// The methods are those that generated code has.
	methods := map[string]bool{}
	for _, text := range committedCode(t) {
		for _, m := range regexp.MustCompile(`(?m)^func \(\w* ?\*\w+\) ([A-Z]\w*)\(`).FindAllStringSubmatch(text, -1) {
			methods[m[1]] = true
		}
	}
	if len(methods) < 9 {
		t.Fatalf("only %v are methods", methods)
	}
	for method := range methods {
		field := strings.ToLower(regexp.MustCompile(`([a-z])([A-Z])`).ReplaceAllString(method, "${1}_$2"))
		if method == "JSONNamesFlinkser" {
			field = "JSONNames_flinkser" // no word in lower case becomes JSON
		}
		for _, level := range []string{"API_OPEN", "API_HYBRID", "API_OPAQUE"} {
			for _, text := range []string{"message M {\n  int32 %s = 1;\n}\n", "message M {\n  oneof %s {\n    int32 a = 1;\n  }\n}\n"} {
				files := trapFile(level, fmt.Sprintf(text, field))
				resp, err := gen.Answer(request(t, files, "paths=source_relative", nil))
				if err != nil {
					t.Fatal(err)
				}
				refused := strings.Contains(resp.GetError(), trapFolder+"/a.proto:7:3: overlay.trap.M."+field+": its Go name "+method+" is the name of a generated method")
				if refused != (level != "API_OPAQUE") || refused != (len(resp.GetFile()) == 0) {
					t.Errorf("%s, %s: %d files, %s", level, field, len(resp.GetFile()), resp.GetError())
				}
			}
		}
	}
	// What is hidden has a name of its own.
	compiles(t, trapFile("API_OPAQUE", "message M {\n  int32 size_flinkser = 1;\n  oneof append_flinkser {\n    M clone_flinkser = 2;\n  }\n  repeated M reset_flinkser = 3;\n}\n"), "paths=source_relative")
}

func testTrapGetterOfOneof(t *testing.T) {
	const text = "message M {\n  oneof choice {\n    int32 a = 1;\n  }\n  int32 get_choice = 2;\n}\n"
	for level, bad := range map[string]bool{"API_OPEN": true, "API_HYBRID": true, "API_OPAQUE": false} {
		req := request(t, trapFile(level, text), "paths=source_relative", nil)
		broken := false
		for _, code := range protocGenGo(t, req) {
			broken = broken || len(doubles(t, code)) > 0
		}
		if broken != bad {
			t.Errorf("%s: the output of protoc-gen-go is broken: %t, want %t", level, broken, bad)
		}
		resp, err := gen.Answer(req)
		if err != nil {
			t.Fatal(err)
		}
		refused := strings.Contains(resp.GetError(), "a.proto:10:3: overlay.trap.M.get_choice: its Go name GetChoice is that of the getter of oneof choice")
		if refused != bad || refused != (len(resp.GetFile()) == 0) {
			t.Errorf("%s: %d files, %s", level, len(resp.GetFile()), resp.GetError())
		}
	}
	compiles(t, trapFile("API_OPAQUE", text), "paths=source_relative")
}

// TestClashes refuses exactly the messages for which the output of protoc-gen-go has two
// members of one name: all pairs of some names, as fields and as oneofs, at every level of
// the API.
func TestClashes(t *testing.T) {
	words := []string{"a", "_a", "X_a", "get_a", "has_a", "set_a", "clear_a", "which_a", "get_get_a", "build", "get_build", "proto_reflect", "get_proto_reflect", "reset", "get_reset"}
	refusals := 0
	for _, level := range []string{"API_OPEN", "API_HYBRID", "API_OPAQUE"} {
		var text strings.Builder
		n := 0
		for i, x := range words {
			for _, y := range words[:i] {
				for _, form := range []string{
					"int32 %s = 1; string %s = 2;", "string %[3]s = 1; repeated int32 %[2]s = 2;", "oneof %s { int32 m = 1; } int32 %s = 2;",
					"oneof %[3]s { int32 m = 1; } repeated int32 %[2]s = 2;", "oneof %s { int32 m = 1; } oneof %s { int32 n = 2; }", "oneof o { int32 %s = 1; string %s = 2; }",
				} {
					n++
					fmt.Fprintf(&text, "message M%d { "+form+" }\n", n, x, y)
				}
			}
		}
		req := request(t, trapFile(level, text.String()), "paths=source_relative", nil)
		broken := map[string]bool{}
		for _, code := range protocGenGo(t, req) {
			for _, name := range doubles(t, code) {
				typ, _, _ := strings.Cut(name, ".")
				broken[typ] = true
			}
		}
		resp, err := gen.Answer(req)
		if err != nil {
			t.Fatal(err)
		}
		refused := map[string]bool{}
		for _, m := range regexp.MustCompile(`overlay\.trap\.(M\d+)\.`).FindAllStringSubmatch(resp.GetError(), -1) {
			refused[m[1]] = true
		}
		refusals += len(refused)
		for n := range n {
			name := fmt.Sprintf("M%d", n+1)
			if broken[name] != refused[name] {
				_, line, _ := strings.Cut(text.String(), "message "+name+" ")
				line, _, _ = strings.Cut(line, "\n")
				t.Errorf("%s: refused: %t, broken: %t: %s", level, refused[name], broken[name], line)
			}
		}
	}
	if refusals < 10 {
		t.Errorf("only %d messages are refused", refusals)
	}
}

const javaFeatures = "google/protobuf/java_features.proto"

func testTrapJavaFeatures(t *testing.T) {
	const text = "message M {\n  string a = 1;\n  repeated M list = 2;\n}\n"
	const parameter = "paths=source_relative"
	plain := trapFile("API_OPEN", text)
	files := maps.Clone(plain)
	for name, text := range files {
		files[name] = strings.Replace(text, "\noption ", "\nimport \""+javaFeatures+"\";\noption features.(pb.java).utf8_validation = VERIFY;\noption ", 1)
	}
	// The file has no go_package: both generators say what to do.
	req := request(t, files, parameter, nil)
	_, ours := gen.Answer(req)
	_, theirs := protogen.Options{}.New(req)
	for who, err := range map[string]error{"the plugin": ours, "protoc-gen-go": theirs} {
		if err == nil || !strings.Contains(err.Error(), `unable to determine Go import path for "`+javaFeatures+`"`) || !strings.Contains(err.Error(), `a "M" argument`) {
			t.Errorf("%s: error %v", who, err)
		}
	}
	with := compiles(t, files, parameter+",M"+javaFeatures+"=google.golang.org/protobuf/types/descriptorpb")
	sameCode(t, map[string]map[string]string{"with": with, "without": generate(t, plain, parameter)})
}

func testTrapJSONName(t *testing.T) {
	const text = "message M {\n  string an_a = 1%s;\n  repeated M a_list = 2;\n  oneof o {\n    int32 a_member = 3;\n  }\n}\n"
	variants := map[string]map[string]string{}
	const parameter = "paths=source_relative"
	for name, option := range map[string]string{"left out": "", "the default": ` [json_name = "anA"]`, "another": ` [json_name = "other"]`} {
		variants[name] = generate(t, trapFile("API_OPEN", fmt.Sprintf(text, option)), parameter)
	}
	variants["cleared"] = mustRun(t, request(t, trapFile("API_OPEN", fmt.Sprintf(text, "")), parameter, func(req *pluginpb.CodeGeneratorRequest) {
		for _, f := range protocheck.File(req, trapFolder+"/a.proto").GetMessageType()[0].GetField() {
			f.JsonName = nil
		}
	}))
	// What is written although it is the default one, snapshots have to know.
	const hint = "func (*M) JSONNamesFlinkser() []int32 {\n\treturn []int32{1}\n}\n"
	hinted := map[string]string{}
	for file, code := range variants["the default"] {
		if strings.Count(code, "JSONNames") != 2 || !strings.Contains(code, hint) {
			t.Errorf("%s does not list field 1:\n%s", file, code)
		}
		hinted[file] = withoutJSONNames(code)
	}
	variants["the default"] = hinted
	sameCode(t, variants)
	for _, level := range []string{"API_OPEN", "API_HYBRID", "API_OPAQUE"} {
		compiles(t, trapFile(level, fmt.Sprintf(text, ` [json_name = "other"]`)), parameter)
		compiles(t, trapFile(level, fmt.Sprintf(text, ` [json_name = "anA"]`)), parameter)
	}
	// A codec for the message has it too.
	external := trapFile("API_OPEN", fmt.Sprintf(text, ` [json_name = "anA"]`))
	for file, code := range generate(t, external, parameter+",external="+trapFolder+"/a.proto="+modulePath+"/ext") {
		if !strings.Contains(code, "func (mCodec) JSONNames() []int32 {\n\treturn []int32{1}\n}\n") {
			t.Errorf("%s: the codec does not list field 1:\n%s", file, code)
		}
	}
}

func testTrapDefaults(t *testing.T) {
	const text = `message M {
  double a = 1 [default = 1000000];
  float b = 2 [default = 1e10];
  double c = 3 [default = -inf];
  float d = 4 [default = nan];
  double e = 5 [default = 0.1];
}
`
	const parameter = "paths=source_relative"
	files := trapFile("API_OPEN", text)
	variants := map[string]map[string]string{"as compiled here": compiles(t, files, parameter)}
	for name, values := range map[string][]string{"as protoc": {"1000000", "1e+10", "-inf", "nan", "0.1"}, "as buf": {"1e+06", "1e+10", "-inf", "nan", "0.1"}, "in full": {"1000000.0", "10000000000", "-inf", "nan", "0.10000000000000001"}} {
		variants[name] = mustRun(t, request(t, files, parameter, func(req *pluginpb.CodeGeneratorRequest) {
			for i, f := range protocheck.File(req, trapFolder+"/a.proto").GetMessageType()[0].GetField() {
				f.DefaultValue = &values[i]
			}
		}))
	}
	tools := realCode(t, files, "")
	maps.Copy(variants, tools)
	sameCode(t, variants)
}

// realCode returns what protoc and buf, where they are on PATH, get from a plugin built from
// this checkout. managed is what buf.gen.yaml says about managed mode.
func realCode(t *testing.T, files map[string]string, managed string) map[string]map[string]string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		write("in/"+name, text)
	}
	write("in/buf.yaml", "version: v2\n")
	bin := buildPlugin(t)
	write("buf.gen.yaml", "version: v2\n"+managed+"plugins:\n  - local: ["+filepath.ToSlash(bin)+"]\n    out: "+filepath.ToSlash(dir)+"/buf\n    opt: paths=source_relative\n")
	runs := map[string][]string{
		"protoc": append([]string{"-I" + filepath.Join(dir, "in"), "--plugin=protoc-gen-flinkser=" + bin, "--flinkser_out=" + filepath.Join(dir, "protoc"), "--flinkser_opt=paths=source_relative"}, slices.Sorted(maps.Keys(files))...),
		"buf":    {"generate", "--template", filepath.Join(dir, "buf.gen.yaml"), filepath.Join(dir, "in")},
	}
	code := map[string]map[string]string{}
	for tool, args := range runs {
		if _, err := exec.LookPath(tool); err != nil {
			t.Logf("without %s, which is not on PATH", tool)
			continue
		}
		if err := os.MkdirAll(filepath.Join(dir, tool), 0o755); err != nil {
			t.Fatal(err)
		}
		command(t, tool, args...)
		code[tool] = map[string]string{}
		for name := range files {
			name = strings.TrimSuffix(name, ".proto") + "_flinkser.pb.go"
			b, err := os.ReadFile(filepath.Join(dir, tool, filepath.FromSlash(name)))
			if err != nil {
				t.Fatal(err)
			}
			code[tool][name] = string(b)
		}
	}
	return code
}

// optionFiles are a file with options, one that uses them, and one that imports this.
func optionFiles(use string) map[string]string {
	files := trapFile("API_OPEN", "import \""+trapFolder+"/used/used.proto\";\nmessage M {\n  overlay.trap.used.Used used = 1;\n  overlay.trap.used.Kind kind = 2;\n}\n")
	files[trapFolder+"/note/note.proto"] = `edition = "2023";
package overlay.trap.note;
import "google/protobuf/descriptor.proto";
option go_package = "` + modulePath + "/" + trapFolder + `/note";
message Note {
  string text = 1;
  int32 number = 2;
  int32 source = 3 [retention = RETENTION_SOURCE];
}
extend google.protobuf.FieldOptions {
  Note note = 50001;
  string gone = 50002 [retention = RETENTION_SOURCE];
}
`
	files[trapFolder+"/used/used.proto"] = `edition = "2023";
package overlay.trap.used;
import "` + trapFolder + `/note/note.proto";
option go_package = "` + modulePath + "/" + trapFolder + `/used";
message Used {
  int32 a = 1` + use + `;
  repeated Used list = 2;
}
enum Kind {
  KIND_ZERO = 0;
}
`
	return files
}

func testTrapSplitOption(t *testing.T) {
	const parameter, note = "paths=source_relative", 50001
	files := optionFiles(" [(overlay.trap.note.note).text = \"x\", (overlay.trap.note.note).number = 1]")
	variants := map[string]map[string]string{"as compiled here": compiles(t, files, parameter), "no option": generate(t, optionFiles(""), parameter)}
	piece := func(inner []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, note, protowire.BytesType), inner)
	}
	text, number := []byte{0x0a, 1, 'x'}, []byte{0x10, 1}
	for name, raw := range map[string][]byte{
		"merged":               piece(slices.Concat(text, number)),
		"split":                slices.Concat(piece(text), piece(number)),
		"split, another order": slices.Concat(piece(number), piece(text)),
	} {
		variants[name] = mustRun(t, request(t, files, parameter, func(req *pluginpb.CodeGeneratorRequest) {
			for _, list := range [][]*descriptorpb.FileDescriptorProto{req.GetProtoFile(), req.GetSourceFileDescriptors()} {
				for _, f := range list {
					if f.GetName() != trapFolder+"/used/used.proto" {
						continue
					}
					options := f.GetMessageType()[0].GetField()[0].GetOptions()
					if len(options.ProtoReflect().GetUnknown()) == 0 {
						t.Fatal("the option is not raw in the request")
					}
					options.ProtoReflect().SetUnknown(raw)
				}
			}
		}))
	}
	maps.Copy(variants, realCode(t, files, ""))
	sameCode(t, variants)
}

func testTrapRetention(t *testing.T) {
	const parameter = "paths=source_relative"
	const use = " [(overlay.trap.note.note) = {text: \"x\" source: 3}, (overlay.trap.note.gone) = \"gone\"]"
	files := optionFiles(use)
	req := request(t, files, parameter, nil)
	stripped, whole := protocheck.File(req, trapFolder+"/used/used.proto"), (*descriptorpb.FileDescriptorProto)(nil)
	for _, f := range req.GetSourceFileDescriptors() {
		if f.GetName() == stripped.GetName() {
			whole = f
		}
	}
	if bytes.Contains(wire(t, stripped), []byte("gone")) || !bytes.Contains(wire(t, whole), []byte("gone")) {
		t.Fatal("options for readers of the source are not handled as protoc does")
	}
	variants := map[string]map[string]string{
		"as compiled here": compiles(t, files, parameter),
		"no option":        generate(t, optionFiles(""), parameter),
		"kept": mustRun(t, request(t, files, parameter, func(req *pluginpb.CodeGeneratorRequest) {
			req.ProtoFile = slices.Clone(req.GetProtoFile())
			for i, f := range req.GetProtoFile() {
				if f.GetName() == whole.GetName() {
					req.ProtoFile[i] = whole // as a file has them that is only imported
				}
			}
		})),
	}
	maps.Copy(variants, realCode(t, files, ""))
	sameCode(t, variants)
}

func wire(t *testing.T, m proto.Message) []byte {
	t.Helper()
	b, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func testTrapImportOption(t *testing.T) {
	protoc, err := exec.LookPath("protoc")
	if err != nil {
		t.Skip("protoc is not on PATH, and no other compiler here knows edition 2024")
	}
	files := optionFiles(" [(overlay.trap.note.note).text = \"x\"]")
	name := trapFolder + "/used/used.proto"
	variants := map[string]map[string]string{}
	for variant, text := range map[string]string{
		"import option": strings.NewReplacer("import \"", "import option \"", "2023", "2024").Replace(files[name]),
		"no import":     strings.NewReplacer("2023", "2024", "import \""+trapFolder+"/note/note.proto\";\n", "", " [(overlay.trap.note.note).text = \"x\"]", "").Replace(files[name]),
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{name: text, trapFolder + "/note/note.proto": files[trapFolder+"/note/note.proto"]} {
			name = filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		out := filepath.Join(dir, "request")
		command(t, protoc, "-I"+dir, "--include_imports", "--include_source_info", "--descriptor_set_out="+out, name)
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		set := new(descriptorpb.FileDescriptorSet)
		if err := proto.Unmarshal(b, set); err != nil {
			t.Fatal(err)
		}
		req := &pluginpb.CodeGeneratorRequest{FileToGenerate: []string{name}, Parameter: proto.String("paths=source_relative"), ProtoFile: set.GetFile()}
		variants[variant] = mustRun(t, req)
		o := overlay{}
		maps.Copy(o, variants[variant])
		maps.Copy(o, protocGenGo(t, req))
		if out := o.run(t, "build", "./"+trapFolder+"/..."); out != "" {
			t.Error(out)
		}
		for _, text := range variants[variant] {
			if strings.Contains(text, trapFolder+"/note") {
				t.Errorf("%s: the code imports what only options need", variant)
			}
		}
	}
	sameCode(t, variants)
}

func testTrapManagedMode(t *testing.T) {
	const parameter = "paths=source_relative"
	files := optionFiles("")
	plain := compiles(t, files, parameter)
	change := func(goPackage bool) func(*pluginpb.CodeGeneratorRequest) {
		return func(req *pluginpb.CodeGeneratorRequest) {
			for _, f := range req.GetProtoFile() {
				if strings.HasPrefix(f.GetName(), "google/") {
					continue
				}
				o := f.GetOptions()
				o.JavaPackage, o.JavaOuterClassname, o.JavaMultipleFiles = proto.String("com.overlay"), proto.String("XProto"), proto.Bool(true)
				o.CcEnableArenas, o.ObjcClassPrefix, o.CsharpNamespace = proto.Bool(true), proto.String("OXX"), proto.String("Overlay")
				o.PhpNamespace, o.RubyPackage, o.OptimizeFor = proto.String("Overlay"), proto.String("Overlay"), descriptorpb.FileOptions_CODE_SIZE.Enum()
				if goPackage {
					o.GoPackage = proto.String("example.com/managed/" + filepath.ToSlash(filepath.Dir(f.GetName())))
				}
			}
		}
	}
	sameCode(t, map[string]map[string]string{"plain": plain, "managed": mustRun(t, request(t, files, parameter, change(false)))})
	variants := map[string]map[string]string{"plain": plain, "managed": mustRun(t, request(t, files, parameter, change(true)))}
	managed := realCode(t, files, "managed:\n  enabled: true\n  override:\n    - file_option: go_package_prefix\n      value: example.com/managed\n")
	if code, ok := managed["buf"]; ok && code[trapFolder+"/a_flinkser.pb.go"] == plain[trapFolder+"/a_flinkser.pb.go"] {
		t.Error("managed mode of buf changes nothing: this tests nothing")
	}
	maps.Copy(variants, managed)
	sameFingerprints(t, variants)
}
