// Regen runs a protobuf plugin over folders of .proto files without protoc and without
// buf: the files are compiled in process, and the plugin's program gets the request that
// protoc would send.
//
//	go run ./internal/regen [-check] [-root DIR] [-plugin PROGRAM] [-param PARAMETER] [-published DIR [-import LIST]] FOLDER...
//
// PROGRAM is protoc-gen-flinkser of the module in the current folder, built on the spot,
// unless another one is named. Each FOLDER lies under the root, where import paths start; its .proto files, and those
// below it, are generated. It may also be a single file, and one that comes with the compiler, such as
// google/protobuf/any.proto. As under buf, the plugin runs once per folder that holds files.
// With -published it may be the import path of a Go package, in the version of the module in the
// folder DIR, that has .pb.go files: the .proto files are read out of these. Other files can import
// them, and those of the packages that -import names, for which no code is written.
// With -check nothing is written: the exit code is 1 if a file under the root differs from
// what the plugin returns, or is missing.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/flinkser/flinkser/internal/protocheck"
	"github.com/flinkser/flinkser/internal/published"
)

func main() {
	var r regen
	flag.BoolVar(&r.check, "check", false, "write nothing; fail if a file is not what the plugin returns")
	flag.StringVar(&r.root, "root", ".", "`folder` where import paths start, and where output goes")
	flag.StringVar(&r.plugin, "plugin", "", "`program` of the plugin (default: protoc-gen-flinkser, built on the spot)")
	flag.StringVar(&r.param, "param", "paths=source_relative", "`parameter` for the plugin")
	flag.StringVar(&r.published, "published", "", "`folder` of a module that requires Go packages whose .proto files are read out of their code")
	imports := flag.String("import", "", "`list` of more Go packages of such a module, with commas between them")
	flag.Parse()
	r.imports = strings.FieldsFunc(*imports, func(c rune) bool { return c == ',' })
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "regen: name at least one folder of .proto files")
		flag.Usage()
		os.Exit(2)
	}
	run := r.run
	if r.plugin == "" {
		run = r.buildAndRun
	}
	if err := run(os.Stdout, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "regen:", err)
		os.Exit(1)
	}
}

type regen struct {
	check  bool
	root   string
	plugin string
	param  string

	published string
	imports   []string
}

// errStale is returned when -check found a difference; the lines before it name the files.
var errStale = errors.New("the files above are not what the plugin writes: run the same without -check")

// buildAndRun is run with this module's own plugin.
func (r regen) buildAndRun(out io.Writer, folders []string) error {
	dir, err := os.MkdirTemp("", "regen")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r.plugin = filepath.Join(dir, "protoc-gen-flinkser")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", r.plugin, "./cmd/protoc-gen-flinkser")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("building the plugin: %w", err)
	}
	return r.run(out, folders)
}

// run generates the given folders and prints a line per file to out.
func (r regen) run(out io.Writer, folders []string) error {
	for i, folder := range folders {
		folders[i] = path.Clean(filepath.ToSlash(folder))
	}
	compiled, packages, err := r.publishedFiles(folders)
	if err != nil {
		return err
	}
	folders = slices.DeleteFunc(folders, isImportPath)
	root := os.DirFS(r.root)
	generate := map[string]string{}
	if own := slices.DeleteFunc(slices.Clone(folders), protocheck.IsStandard); len(own) > 0 {
		if generate, err = protocheck.Read(root, own...); err != nil {
			return err
		}
		if len(generate) == 0 {
			return fmt.Errorf("no .proto file in %s", strings.Join(own, ", "))
		}
	}
	// Files that are only imported may lie anywhere under the root.
	files := generate
	if !slices.Contains(folders, ".") {
		if files, err = readProtos(root); err != nil {
			return err
		}
	}

	names := slices.AppendSeq(packages, maps.Keys(generate))
	for _, name := range folders {
		if protocheck.IsStandard(name) && generate[name] == "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	byFolder := map[string][]string{}
	for _, name := range names {
		byFolder[path.Dir(name)] = append(byFolder[path.Dir(name)], name)
	}
	stale := false
	for _, folder := range slices.Sorted(maps.Keys(byFolder)) {
		req, err := protocheck.RequestFrom(compiled, files, r.param, byFolder[folder]...)
		if err != nil {
			return err
		}
		resp, err := protocheck.Call(context.Background(), r.plugin, req)
		if err != nil {
			return err
		}
		for _, file := range resp.GetFile() {
			current, err := r.put(out, file)
			if err != nil {
				return err
			}
			stale = stale || !current
		}
	}
	if stale {
		return errStale
	}
	return nil
}

// isImportPath reports whether what is to be generated is a Go package: the first element of its
// path is that of an address, as in example.com.
func isImportPath(folder string) bool {
	first, _, more := strings.Cut(folder, "/")
	return more && strings.Contains(strings.Trim(first, "."), ".")
}

// publishedFiles reads the .proto files of the Go packages among folders. It returns a function for
// these and all that may be imported, and the paths of these.
func (r regen) publishedFiles(folders []string) (func(string) *descriptorpb.FileDescriptorProto, []string, error) {
	if r.published == "" {
		return nil, nil, nil
	}
	modules, err := published.ModulesOf(r.published)
	if err != nil {
		return nil, nil, err
	}
	all := published.New(modules.Dir)
	var paths []string
	for _, importPath := range slices.Concat(r.imports, folders) {
		if !isImportPath(importPath) {
			continue
		}
		files, err := all.Read(importPath)
		if err != nil {
			return nil, nil, err
		}
		if len(files) == 0 {
			return nil, nil, fmt.Errorf("there is no .proto file in Go package %s", importPath)
		}
		if !slices.Contains(folders, importPath) {
			continue
		}
		for _, f := range files {
			paths = append(paths, f.Proto.GetName())
		}
	}
	return all.Proto, paths, nil
}

// readProtos reads every .proto file under fsys, except in folders that tools keep for
// themselves: hidden ones and testdata.
func readProtos(fsys fs.FS) (map[string]string, error) {
	files := map[string]string{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		if d.IsDir() && name != "." && (strings.HasPrefix(base, ".") || base == "testdata") {
			return fs.SkipDir
		}
		if d.IsDir() || path.Ext(name) != ".proto" {
			return nil
		}
		b, err := fs.ReadFile(fsys, name)
		files[name] = string(b)
		return err
	})
	return files, err
}

// put compares a generated file with the one under the root, and writes it unless r only
// checks. It reports whether the file may stay as it is.
func (r regen) put(out io.Writer, file *pluginpb.CodeGeneratorResponse_File) (current bool, err error) {
	name := filepath.Join(r.root, filepath.FromSlash(file.GetName()))
	old, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	missing := err != nil
	content := file.GetContent()
	lines := strings.Count(content, "\n")
	switch {
	case !missing && string(old) == content:
		fmt.Fprintf(out, "%s: current (%d lines)\n", file.GetName(), lines)
		return true, nil
	case r.check && missing:
		fmt.Fprintf(out, "%s: missing\n", file.GetName())
		return false, nil
	case r.check:
		fmt.Fprintf(out, "%s: differs from line %d on\n", file.GetName(), firstDifference(string(old), content))
		return false, nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return false, err
	}
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		return false, err
	}
	fmt.Fprintf(out, "%s: written (%d lines)\n", file.GetName(), lines)
	return true, nil
}

// firstDifference returns the number of the first line, from 1, in which a and b differ.
func firstDifference(a, b string) int {
	n := 1
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return n
		}
		if a[i] == '\n' {
			n++
		}
	}
	return n
}
