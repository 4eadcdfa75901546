package gen_test

import (
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/flinkser/flinkser/gen"
	"github.com/flinkser/flinkser/internal/protocheck"
)

// root is the folder of the module, from which .proto paths start.
const root = ".."

// mustRun returns the generated files by name.
func mustRun(t *testing.T, req *pluginpb.CodeGeneratorRequest) map[string]string {
	t.Helper()
	resp, err := gen.Answer(req)
	if err != nil {
		t.Fatal(err)
	}
	if resp.Error != nil {
		t.Fatal(resp.GetError())
	}
	out := map[string]string{}
	for _, f := range resp.GetFile() {
		out[f.GetName()] = f.GetContent()
	}
	return out
}

// generate compiles files and returns the generated ones.
func generate(t *testing.T, files map[string]string, parameter string, names ...string) map[string]string {
	t.Helper()
	req, err := protocheck.Request(files, parameter, names...)
	if err != nil {
		t.Fatal(err)
	}
	return mustRun(t, req)
}

// refusal returns the error of a run that must fail, and checks that it wrote no file.
func refusal(t *testing.T, req *pluginpb.CodeGeneratorRequest) string {
	t.Helper()
	resp, err := gen.Answer(req)
	if err != nil {
		t.Fatal(err)
	}
	if resp.Error == nil {
		t.Fatal("nothing is refused")
	}
	if n := len(resp.GetFile()); n != 0 {
		t.Errorf("a run that failed wrote %d files", n)
	}
	return resp.GetError()
}

// newest is a file of an edition that the compiler of these tests does not know. Only the
// tests with protoc and buf generate it.
const (
	newest     = "golden/edition2024/edition2024.proto"
	newestCode = "golden/edition2024/edition2024_flinkser.pb.go"
)

// messageSets is the folder of files that only plugins with the tag protolegacy take.
const messageSets = "golden/messageset"

// versions are the folders with versions of one file: each lies in a folder where import paths start.
var versions = map[string][]string{
	"example/restore": {"base", "added", "widened", "zigzag"},
	"example/state":   {"v1", "v2", "v3"},
}

// isNested reports whether a folder lies in a nested Go module, or in one where other import paths
// start.
func isNested(folder string) bool {
	for _, nested := range slices.Concat([]string{"golden/peers", "golden/published"}, slices.Collect(maps.Keys(versions))) {
		if folder == nested || strings.HasPrefix(folder, nested+"/") {
			return true
		}
	}
	return false
}

// committed returns the .proto files of this module that have generated code beside
// them, by path.
func committed(t *testing.T) map[string]string {
	t.Helper()
	files, err := protocheck.Read(os.DirFS(root), "golden", "example", "internal/corpus")
	if err != nil {
		t.Fatal(err)
	}
	// Nested Go modules, message sets, and files that need other options: with generated code
	// and tests of their own.
	maps.DeleteFunc(files, func(name, _ string) bool {
		return isNested(path.Dir(name)) || strings.HasPrefix(name, messageSets+"/") || strings.HasPrefix(name, externalFolder+"/")
	})
	delete(files, newest)
	if len(files) < 40 {
		t.Fatalf("found %d .proto files, expected at least 40", len(files))
	}
	return files
}

// TestResponse checks what the plugin declares, whether it writes something or not.
func TestResponse(t *testing.T) {
	for name, text := range map[string]string{
		"written": "syntax = \"proto3\";\noption go_package = \"example.com/a\";\n",
		"refused": "syntax = \"proto3\";\noption go_package = \"example.com/a\";\nmessage M { int32 size_flinkser = 1; }\n",
	} {
		t.Run(name, func(t *testing.T) {
			req, err := protocheck.Request(map[string]string{"a.proto": text}, "")
			if err != nil {
				t.Fatal(err)
			}
			resp, err := gen.Answer(req)
			if err != nil {
				t.Fatal(err)
			}
			if got := resp.GetSupportedFeatures(); got != 3 {
				t.Errorf("supported features are %d, want 3: optional fields of proto3 and editions", got)
			}
			if resp.GetMinimumEdition() != 998 || resp.GetMaximumEdition() != 1001 {
				t.Errorf("editions are %d to %d, want 998 to 1001", resp.GetMinimumEdition(), resp.GetMaximumEdition())
			}
			if got, want := resp.Error != nil, name == "refused"; got != want {
				t.Errorf("refused is %t: %s", got, resp.GetError())
			}
		})
	}
}

// TestDeterministic generates everything ten times, in another order each time, and as
// protoc and buf may ask for it: a file at a time, a folder at a time.
func TestDeterministic(t *testing.T) {
	files := committed(t)
	names := slices.Sorted(maps.Keys(files))
	all, err := protocheck.Request(files, "paths=source_relative", names...)
	if err != nil {
		t.Fatal(err)
	}
	want := mustRun(t, all)
	codeFiles := func(names []string) int {
		n := len(names)
		for _, name := range names {
			if strings.Contains(files[name], "api_level = API_HYBRID;\noption go_package") {
				n++ // a second one
			}
		}
		return n
	}
	if len(want) != codeFiles(names) {
		t.Fatalf("%d files of code for %d .proto files", len(want), len(files))
	}
	same := func(t *testing.T, got map[string]string, n int) {
		t.Helper()
		if len(got) != n {
			t.Errorf("%d files of code for %d .proto files", len(got), n)
		}
		for name, text := range got {
			if text != want[name] {
				t.Errorf("%s differs", name)
			}
		}
	}
	t.Run("TenRuns", func(t *testing.T) {
		// A few files make most of the code, in a few shapes: the other runs have them.
		small := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
			switch strings.Split(name, "/")[1] {
			case "names", "wide", "opaque", "hybrid":
				return true
			}
			return false
		})
		for n := range 10 {
			req := proto.CloneOf(all)
			req.FileToGenerate = nil
			for i := range small { // a different rotation, every other one backwards
				req.FileToGenerate = append(req.FileToGenerate, small[(i+n*7)%len(small)])
			}
			if n%2 == 1 {
				slices.Reverse(req.FileToGenerate)
			}
			same(t, mustRun(t, req), codeFiles(small))
		}
	})
	t.Run("FileByFile", func(t *testing.T) {
		for _, name := range names {
			req, err := protocheck.Request(files, "paths=source_relative", name)
			if err != nil {
				t.Fatal(err)
			}
			same(t, mustRun(t, req), codeFiles([]string{name}))
		}
	})
	t.Run("FolderByFolder", func(t *testing.T) {
		folders := map[string][]string{}
		for _, name := range names {
			folder := name[:strings.LastIndexByte(name, '/')]
			folders[folder] = append(folders[folder], name)
		}
		for _, list := range folders {
			req, err := protocheck.Request(files, "paths=source_relative", list...)
			if err != nil {
				t.Fatal(err)
			}
			same(t, mustRun(t, req), codeFiles(list))
		}
	})
	t.Run("WithoutSourceInfo", func(t *testing.T) {
		req := proto.CloneOf(all)
		for _, f := range req.GetProtoFile() {
			f.SourceCodeInfo = nil
		}
		// Nothing else tells that a JSON name is written which is the default one.
		for name, text := range want {
			want[name] = withoutJSONNames(text)
		}
		same(t, mustRun(t, req), codeFiles(names))
	})
}

// jsonNames is the method that lists JSON names.
var jsonNames = regexp.MustCompile(`\n// JSONNamesFlinkser returns .*\n//.*\nfunc \(.*\) JSONNamesFlinkser\(\) \[\]int32 \{\n.*\n\}\n`)

// withoutJSONNames returns code without the methods that list JSON names.
func withoutJSONNames(code string) string { return jsonNames.ReplaceAllString(code, "") }

// plugin returns a run for files that come with the compiler.
func plugin(t *testing.T, names ...string) *protogen.Plugin {
	t.Helper()
	req, err := protocheck.Request(nil, "", names...)
	if err != nil {
		t.Fatal(err)
	}
	p, err := protogen.Options{}.New(req)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
