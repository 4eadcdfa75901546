package shape

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shapes returns the names of the constants, in their order.
func shapes(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "shape.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, decl := range file.Decls {
		if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.CONST {
			for _, spec := range d.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					list = append(list, name.Name)
				}
			}
		}
	}
	return list
}

func TestRepeats(t *testing.T) {
	repeats := map[Shape]bool{List: true, Packed: true, Map: true}
	n := len(shapes(t))
	if n != int(Map)+1 {
		t.Errorf("there are %d shapes, and the last has number %d", n, Map)
	}
	for s := range Shape(n) {
		if got := s.Repeats(); got != repeats[s] {
			t.Errorf("shape %d repeats: %t", s, got)
		}
	}
}

// TestExhaustive finds every switch over shapes in the generator: it must have a case
// for each of them, and no default, so that a new shape is missed nowhere.
func TestExhaustive(t *testing.T) {
	all := shapes(t)
	found := 0
	root := filepath.Join("..", "..")
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, filepath.Join(root, filepath.FromSlash(name)), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.SwitchStmt)
			if !ok || s.Tag == nil {
				return true
			}
			cases, other := shapeCases(s)
			if len(cases) == 0 {
				return true
			}
			found++
			if other {
				t.Errorf("%s: a switch over shapes has a default case", files.Position(s.Pos()))
			}
			for _, shape := range all {
				if !cases[shape] {
					t.Errorf("%s: a switch over shapes has no case for %s", files.Position(s.Pos()), shape)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 8 {
		t.Errorf("found %d switches over shapes, expected at least 8", found)
	}
}

// shapeCases returns the shapes that a switch has cases for, and whether it has a
// default case.
func shapeCases(s *ast.SwitchStmt) (cases map[string]bool, other bool) {
	cases = map[string]bool{}
	for _, clause := range s.Body.List {
		c := clause.(*ast.CaseClause)
		other = other || c.List == nil
		for _, x := range c.List {
			if sel, ok := x.(*ast.SelectorExpr); ok {
				if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "shape" {
					cases[sel.Sel.Name] = true
				}
			}
		}
	}
	return cases, other
}
