package archtest

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/flinkser/flinkser"

// pkg is what go list says of a package.
type pkg struct {
	ImportPath   string
	Name         string
	Dir          string
	Standard     bool
	Imports      []string // by this package itself
	Deps         []string // and by those that it imports
	GoFiles      []string
	TestImports  []string
	XTestImports []string
}

// packages returns the packages of this module by import path, and all that they need.
func packages(t *testing.T) map[string]*pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Name,Dir,Standard,Imports,Deps,GoFiles,TestImports,XTestImports", "./...")
	cmd.Dir = filepath.Join("..", "..")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	all := map[string]*pkg{}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		p := new(pkg)
		if err := dec.Decode(p); err != nil {
			t.Fatal(err)
		}
		all[p.ImportPath] = p
	}
	return all
}

// under reports whether an import path is that of a folder or of one below it.
func under(importPath string, folders ...string) bool {
	for _, f := range folders {
		if importPath == f || strings.HasPrefix(importPath, f+"/") {
			return true
		}
	}
	return false
}

// ours are the paths of a rule, which are those of this module where they begin so.
func ours(paths []string) []string {
	var list []string
	for _, p := range paths {
		if first, _, _ := strings.Cut(p, "/"); !strings.Contains(first, ".") {
			p = path.Join(module, p)
		}
		list = append(list, p)
	}
	return list
}

const (
	protobuf = "google.golang.org/protobuf"
	asm      = "github.com/segmentio/asm"
	cpu      = "golang.org/x/sys/cpu"
)

// rule says what the packages in some folders may import. The standard library is
// always allowed, what is not listed here is not.
type rule struct {
	folder  string   // it and those below it
	exactly bool     // but not those below it
	direct  []string // what a package may import itself, with all below it
	closure []string // and what may come with that; empty: not looked at
}

// runtimeClosure is what a user's program links.
var runtimeClosure = []string{"runtime", "internal/fingerprint", "internal/utf8x", protobuf, asm, cpu}

// rules are the arrows of the architecture. The first rule that a package falls under
// is its own.
var rules = []rule{
	{folder: "runtime/wire", direct: []string{"internal/utf8x", protobuf}, closure: []string{"internal/utf8x", protobuf, asm, cpu}},
	{folder: "runtime/snapshot", direct: []string{"internal/fingerprint", protobuf}, closure: []string{"internal/fingerprint", protobuf}},
	{folder: "runtime/dynamic", direct: []string{"runtime", protobuf}, closure: runtimeClosure},
	{folder: "runtime", direct: []string{"runtime/snapshot", "runtime/wire", protobuf}, closure: runtimeClosure},
	{folder: "internal/utf8x", direct: []string{asm}, closure: []string{asm, cpu}},
	{folder: "internal/fingerprint", direct: []string{protobuf}, closure: []string{protobuf}},
	{folder: "internal/version", direct: []string{}, closure: []string{}},
	{folder: "internal/protocheck", direct: []string{protobuf, "github.com/bufbuild/protocompile"}},

	// The generator: the table of kinds, the shapes and the names know nothing of the
	// rest, the model decides, operations print.
	{folder: "gen/internal/kind", direct: []string{protobuf + "/reflect/protoreflect", protobuf + "/encoding/protowire"}, closure: []string{protobuf}},
	{folder: "gen/internal/shape", direct: []string{}, closure: []string{}},
	{folder: "gen/internal/names", direct: []string{}, closure: []string{}},
	{folder: "gen/internal/source", direct: []string{protobuf + "/compiler/protogen"}, closure: []string{protobuf}},
	{folder: "gen/internal/model", direct: []string{
		"gen/internal/kind", "gen/internal/names", "gen/internal/shape", "internal/fingerprint", protobuf,
	}, closure: []string{"gen/internal", "internal/fingerprint", protobuf}},
	{folder: "gen/internal/op", direct: []string{
		"gen/internal/kind", "gen/internal/model", "gen/internal/names", "gen/internal/shape", "gen/internal/source", protobuf,
	}, closure: []string{"gen/internal", "internal/fingerprint", protobuf}},
	{folder: "gen", exactly: true, direct: []string{
		"gen/internal/model", "gen/internal/names", "gen/internal/op", "gen/internal/source", protobuf,
	}, closure: []string{"gen/internal", "internal/fingerprint", protobuf}},
	{
		folder: "cmd/protoc-gen-flinkser", direct: []string{"gen", "internal/version", protobuf + "/compiler/protogen"},
		closure: []string{"gen", "internal/fingerprint", "internal/version", protobuf},
	},
	{folder: "internal/inputs", direct: []string{"runtime/snapshot", protobuf, "github.com/bufbuild/protocompile"}},
	{folder: "cmd/flinkser", direct: []string{
		"internal/fingerprint", "internal/inputs", "internal/version", "runtime", protobuf,
		"github.com/jhump/protoreflect/v2", "github.com/schollz/progressbar/v3", "github.com/spf13/cobra", "golang.org/x/term",
	}},

	// Generated code, and the programs around it.
	{folder: "internal/corpus/recordpb", direct: []string{"runtime", protobuf}, closure: append([]string{"internal/corpus/recordpb"}, runtimeClosure...)},
	{folder: "golden", exactly: true}, // tests
	{folder: "golden", direct: []string{"runtime", "golden", protobuf}, closure: append([]string{"golden"}, runtimeClosure...)},
	{folder: "example", direct: []string{"runtime", "example", protobuf}, closure: append([]string{"example"}, runtimeClosure...)},
}

// free are folders of helpers for tests and development, which may import anything
// and which nothing above imports.
var free = []string{
	"internal/archtest", "internal/branches", "internal/corpus", "internal/differ", "internal/javadesc", "internal/randpb", "internal/randschema",
	"internal/schemas", "internal/changes", "internal/questions", "internal/published", "internal/regen", "internal/verifyjar",
}

// TestArrows checks every package of the module against its rule. A folder that no
// rule knows has to be added to them.
func TestArrows(t *testing.T) {
	all := packages(t)
	used := map[string]bool{}
	for importPath, p := range all {
		if !under(importPath, module) {
			continue
		}
		r := ruleOf(importPath)
		if r == nil {
			if !under(importPath, ours(free)...) {
				t.Errorf("%s: no rule says what it may import", importPath)
			}
			continue
		}
		used[r.folder] = true
		for _, imported := range p.Imports {
			if !standard(all, imported) && !under(imported, ours(r.direct)...) {
				t.Errorf("%s must not import %s", importPath, imported)
			}
		}
		if r.closure == nil {
			continue
		}
		for _, dep := range p.Deps {
			if !standard(all, dep) && !under(dep, ours(r.closure)...) {
				t.Errorf("%s must not need %s", importPath, dep)
			}
		}
	}
	for _, r := range rules {
		if !used[r.folder] && r.folder != "golden" {
			t.Errorf("no package falls under the rule for %s", r.folder)
		}
	}
}

func ruleOf(importPath string) *rule {
	for i, r := range rules {
		full := path.Join(module, r.folder)
		if importPath == full || !r.exactly && under(importPath, full) {
			return &rules[i]
		}
	}
	return nil
}

func standard(all map[string]*pkg, importPath string) bool {
	p := all[importPath]
	return importPath == "C" || p != nil && p.Standard
}

// TestApart checks the two arrows that matter most once more, by themselves: a program
// does not link the generator, and the generator does not link the runtime.
func TestApart(t *testing.T) {
	all := packages(t)
	gen, runtime := path.Join(module, "gen"), path.Join(module, "runtime")
	for _, tt := range []struct{ from, never string }{
		{runtime, gen},
		{path.Join(module, "runtime/wire"), gen},
		{path.Join(module, "runtime/wire"), runtime},
		{gen, runtime},
		{path.Join(module, "cmd/protoc-gen-flinkser"), runtime},
	} {
		p := all[tt.from]
		if p == nil {
			t.Errorf("there is no package %s", tt.from)
			continue
		}
		for _, dep := range p.Deps {
			if dep == tt.never || under(dep, tt.never) && !under(tt.from, tt.never) {
				t.Errorf("%s needs %s", tt.from, dep)
			}
		}
	}
}

// TestNoOtherModules lists the modules that the runtime brings into a program.
func TestNoOtherModules(t *testing.T) {
	all := packages(t)
	for _, dep := range all[path.Join(module, "runtime")].Deps {
		if standard(all, dep) || under(dep, module, protobuf, asm) || dep == cpu {
			continue
		}
		t.Errorf("the runtime needs %s", dep)
	}
}

// TestNoOutputInGen checks that gen, a name that many projects use for generated code,
// holds none.
func TestNoOutputInGen(t *testing.T) {
	for importPath, p := range packages(t) {
		if !under(importPath, path.Join(module, "gen"), path.Join(module, "cmd")) {
			continue
		}
		for _, name := range p.GoFiles {
			b, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(name, ".pb.go") || bytes.Contains(b, []byte("\n// Code generated by ")) || bytes.HasPrefix(b, []byte("// Code generated by ")) {
				t.Errorf("%s: %s is generated", importPath, name)
			}
		}
	}
}

// TestPackageNames checks that the package that users import as flinkser is called so.
func TestPackageNames(t *testing.T) {
	all := packages(t)
	for importPath, want := range map[string]string{"runtime": "flinkser", "runtime/wire": "wire", "cmd/protoc-gen-flinkser": "main"} {
		if p := all[path.Join(module, importPath)]; p == nil || p.Name != want {
			t.Errorf("package %s is %+v, want the name %s", importPath, p, want)
		}
	}
}

// TestTestsStayInside checks that the tests of runtime do not need the generator either:
// they run on what is committed.
func TestTestsStayInside(t *testing.T) {
	for importPath, p := range packages(t) {
		if !under(importPath, path.Join(module, "runtime")) {
			continue
		}
		for _, imported := range slices.Concat(p.TestImports, p.XTestImports) {
			if under(imported, path.Join(module, "gen"), path.Join(module, "cmd")) {
				t.Errorf("a test of %s imports %s", importPath, imported)
			}
		}
	}
}
