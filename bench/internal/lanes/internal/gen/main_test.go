package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"
)

// TestCurrent fails where a file is not what the templates give.
func TestCurrent(t *testing.T) {
	files := 0
	for _, target := range targets {
		for _, name := range target.Files {
			want, err := target.render(name)
			if err != nil {
				t.Errorf("%s/%s: %v", target.Dir, name, err)
				continue
			}
			got, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(target.Dir), name))
			if err != nil {
				t.Error(err)
				continue
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s/%s is not current: run tools/lanes.sh", target.Dir, name)
			}
			files++
		}
	}
	if files < 15 {
		t.Errorf("%d files have been compared, want 15 or more", files)
	}
}

// TestConcrete checks that lanes whose libraries call methods of messages do so without type
// parameters, with which the calls go through a table.
func TestConcrete(t *testing.T) {
	for _, dir := range []string{"gogo", "golite", "vtproto", "vtpool"} {
		files, err := filepath.Glob(filepath.Join("..", "..", dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no files: %v", dir, err)
		}
		for _, name := range files {
			if filepath.Base(name) == "convert.go" { // calls no library
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Type.TypeParams != nil {
					t.Errorf("%s: %s has type parameters", name, f.Name)
				}
			}
		}
	}
}

func TestWide(t *testing.T) {
	fields := target{Signed: true, Long: true}.Wide()
	if len(fields) != 60 {
		t.Fatalf("there are %d fields, want 60", len(fields))
	}
	for index, want := range map[int][2]string{0: {"uint64", "int64"}, 2: {"uint32", "int64"}, 14: {"float32", "float64"}, 59: {"float32", "float64"}, 25: {"string", "string"}} {
		if f := fields[index]; f.Logical != want[0] || f.Type != want[1] {
			t.Errorf("%s is %s for %s, want %s for %s", f.Name, f.Type, f.Logical, want[1], want[0])
		}
	}
}
