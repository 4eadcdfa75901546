package gen_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flinkser/flinkser/gen/internal/kind"
	"github.com/flinkser/flinkser/gen/internal/names"
)

// declared is what a package offers: functions, types, variables and constants by
// name, methods and fields of exported types as Type.Name.
type declared map[string]bool

// exported parses the package in a folder of the module.
func exported(t *testing.T, dir string) declared {
	t.Helper()
	d := declared{}
	paths, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: %d Go files, %v", dir, len(paths), err)
	}
	for _, name := range paths {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Recv == nil {
					d[decl.Name.Name] = true
				} else {
					d[receiver(decl)+"."+decl.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					d.add(spec)
				}
			}
		}
	}
	maps.DeleteFunc(d, func(name string, _ bool) bool {
		for part := range strings.SplitSeq(name, ".") {
			if !ast.IsExported(part) {
				return true
			}
		}
		return false
	})
	return d
}

func (d declared) add(spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			d[name.Name] = true
		}
	case *ast.TypeSpec:
		d[spec.Name.Name] = true
		if s, ok := spec.Type.(*ast.StructType); ok {
			for _, field := range s.Fields.List {
				for _, name := range field.Names {
					d[spec.Name.Name+"."+name.Name] = true
				}
			}
		}
	}
}

// receiver returns the name of the type that a method belongs to.
func receiver(f *ast.FuncDecl) string {
	x := f.Recv.List[0].Type
	for {
		switch t := x.(type) {
		case *ast.StarExpr:
			x = t.X
		case *ast.IndexExpr:
			x = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

// emitted is what generated code names: flinkser.X, wire.X, Encoder.X and Decoder.X.
type emitted map[string]bool

// variables are what generated code calls values of the types of package wire.
var variables = map[string]string{"e": "Encoder", "d": "Decoder", "x": "Entry"}

// scanGenerated collects the identifiers in the generated files of the module.
func (e emitted) scanGenerated(t *testing.T) {
	code := committedCode(t)
	maps.Copy(code, externalCode(t))
	for name, text := range code {
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		imported := map[string]string{} // names of our packages here, to their real ones
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			short, ok := map[string]string{modulePath + "/runtime": "flinkser", modulePath + "/runtime/wire": "wire"}[path]
			if !ok {
				continue
			}
			as := short
			if spec.Name != nil {
				as = spec.Name.Name
			}
			imported[as] = short
		}
		ast.Inspect(file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			x, ok := sel.X.(*ast.Ident)
			if !ok {
				return true
			}
			switch pkg := imported[x.Name]; {
			case pkg != "":
				e[pkg+"."+sel.Sel.Name] = true
			case variables[x.Name] != "" && ast.IsExported(sel.Sel.Name):
				e[variables[x.Name]+"."+sel.Sel.Name] = true
			}
			return true
		})
	}
}

// scanGenerator collects the identifiers in the string literals of the generator, so
// that those count too that no golden file has.
func (e emitted) scanGenerator(t *testing.T) {
	use := regexp.MustCompile(`\b(flinkser|wire|[dex])\.([A-Z]\w*)`)
	for _, text := range generatorStrings(t) {
		for _, m := range use.FindAllStringSubmatch(text, -1) {
			of := m[1]
			if v, ok := variables[of]; ok {
				of = v
			}
			e[of+"."+m[2]] = true
		}
	}
}

// generatorStrings returns the string literals in gen and below.
func generatorStrings(t *testing.T) []string {
	t.Helper()
	var list []string
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash(name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil {
					list = append(list, text)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 200 {
		t.Fatalf("found %d string literals, expected at least 200", len(list))
	}
	return list
}

// scanTable adds the functions whose names the table of kinds completes.
func (e emitted) scanTable() {
	for k := protoreflect.Kind(1); k.IsValid(); k++ {
		row := kind.Of(k)
		if row == nil {
			continue
		}
		for _, name := range []string{row.Put, row.Take, row.Sort} {
			if name != "" {
				e["wire."+name] = true
			}
		}
		if row.Packed == "" {
			continue
		}
		suffix := row.Packed
		if suffix == "Varint" {
			suffix = ""
		}
		e["wire.PutPacked"+suffix] = true
		e["wire.Packed"+suffix] = true
		if row.Bytes == 0 {
			e["wire.SizePacked"+suffix] = true
		}
	}
}

const modulePath = "github.com/flinkser/flinkser"

// TestEmittedIdentifiersExist checks that the runtime has every identifier that
// generated code can name: the generator knows the runtime by name only.
func TestEmittedIdentifiersExist(t *testing.T) {
	have := declared{}
	for name := range exported(t, "runtime") {
		have["flinkser."+name] = true
	}
	wire := exported(t, "runtime/wire")
	for name := range wire {
		if strings.Contains(name, ".") {
			have[name] = true // of Encoder, Decoder and Entry
		} else {
			have["wire."+name] = true
		}
	}
	for source, scan := range map[string]func(emitted){
		"golden files":   func(e emitted) { e.scanGenerated(t) },
		"generator":      func(e emitted) { e.scanGenerator(t) },
		"table of kinds": func(e emitted) { e.scanTable() },
	} {
		e := emitted{}
		scan(e)
		t.Logf("%s: %d identifiers", source, len(e))
		if len(e) < 20 {
			t.Errorf("%s: found %d identifiers, expected at least 20", source, len(e))
		}
		for _, name := range slices.Sorted(maps.Keys(e)) {
			if !have[name] {
				t.Errorf("%s: %s is not in runtime", source, name)
			}
		}
	}
}

// others are the methods and fields that users meet or package flinkser uses, and what
// only package wire itself, or package snapshot, needs: strings that are not checked.
var others = strings.Fields(`
	DecodeError.Message DecodeError.Field DecodeError.Offset DecodeError.FrameOffset DecodeError.Err
	DecodeError.Error DecodeError.Unwrap
	EncodeError.Message EncodeError.Field EncodeError.Err EncodeError.Error EncodeError.Unwrap
	Encoder.AllowPartial Encoder.Levels Decoder.AllowPartial Decoder.Alias Decoder.Counting
	GroupDecoder Requirer Called.Message Called.Codec Caller JSONNamer`)

// scanRuntime collects what package flinkser uses of package wire.
func (e emitted) scanRuntime(t *testing.T) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, "runtime", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range paths {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == "wire" {
					e["wire."+sel.Sel.Name] = true
				}
			}
			return true
		})
	}
	if len(e) < 10 {
		t.Fatalf("package flinkser uses %d identifiers of package wire, expected at least 10", len(e))
	}
}

// fails are the codes that the runtime returns and generated code hands on.
var fails = regexp.MustCompile(`^Fail[A-Z]\w+$`)

// TestWireIsNeeded reports what package wire exports and nobody uses: neither generated
// code nor package flinkser, nor is it in the list above.
func TestWireIsNeeded(t *testing.T) {
	e := emitted{}
	e.scanRuntime(t)
	e.scanGenerated(t)
	e.scanGenerator(t)
	e.scanTable()
	// Methods of the decoder whose name a branch of the generator chooses.
	for _, text := range generatorStrings(t) {
		for name := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '(' || r == ' ' }) {
			e["Decoder."+name] = true
		}
	}
	have := exported(t, "runtime/wire")
	for _, name := range slices.Sorted(maps.Keys(have)) {
		full := name
		if !strings.Contains(name, ".") {
			full = "wire." + name
		}
		if !e[full] && !fails.MatchString(name) && !slices.Contains(others, name) {
			t.Errorf("nobody needs wire.%s", name)
		}
	}
	for _, name := range others {
		if !have[name] {
			t.Errorf("the list has %s, package wire has not", name)
		}
	}
}

// TestInterfaceIsGenerated compares the methods of the interface with the names that
// the generator gives to methods, and with those that a field must not have.
func TestInterfaceIsGenerated(t *testing.T) {
	methods := map[string]bool{}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "runtime", "wire", "message.go"), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if i, ok := n.(*ast.InterfaceType); ok {
			for _, m := range i.Methods.List {
				for _, name := range m.Names {
					methods[name.Name] = true
				}
			}
		}
		return true
	})
	delete(methods, "Reset") // of protoc-gen-go
	for name := range methods {
		if !strings.HasSuffix(name, "Flinkser") {
			t.Errorf("%s does not end in Flinkser", name)
		}
		if !names.Collides(name) {
			t.Errorf("a field of the Go name %s is not refused", name)
		}
		if names.Collides(name+"_") || names.Collides("Get"+name) {
			t.Errorf("a field of a Go name like %s is refused", name)
		}
	}

	// Every exported method that generated files have is one of the interface.
	printed := map[string]bool{}
	for name, text := range committedCode(t) {
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Name.IsExported() {
				printed[f.Name.Name] = true
			}
		}
	}
	if !maps.Equal(methods, printed) {
		t.Errorf("methods of the interface are %v, generated code has %v", slices.Sorted(maps.Keys(methods)), slices.Sorted(maps.Keys(printed)))
	}
}
