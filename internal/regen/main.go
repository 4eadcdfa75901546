// Regen runs a protobuf plugin over folders of .proto files without protoc and without
// buf: the files are compiled in process, and the plugin's program gets the request that
// protoc would send.
//
//	go run ./internal/regen [-check] [-root DIR] [-plugin PROGRAM] [-param PARAMETER] FOLDER...
//
// PROGRAM is protoc-gen-flinkser of the module in the current folder, built on the spot,
// unless another one is named. Each FOLDER lies under the root, where import paths start; its .proto files, and those
// below it, are generated. It may also be a single file, and one that comes with the compiler, such as
// google/protobuf/any.proto. As under buf, the plugin runs once per folder that holds files.
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

	"google.golang.org/protobuf/types/pluginpb"

	"github.com/flinkser/flinkser/internal/protocheck"
)

func main() {
	var r regen
	flag.BoolVar(&r.check, "check", false, "write nothing; fail if a file is not what the plugin returns")
	flag.StringVar(&r.root, "root", ".", "`folder` where import paths start, and where output goes")
	flag.StringVar(&r.plugin, "plugin", "", "`program` of the plugin (default: protoc-gen-flinkser, built on the spot)")
	flag.StringVar(&r.param, "param", "paths=source_relative", "`parameter` for the plugin")
	flag.Parse()
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
	root := os.DirFS(r.root)
	generate := map[string]string{}
	if own := slices.DeleteFunc(slices.Clone(folders), protocheck.IsStandard); len(own) > 0 {
		var err error
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
		var err error
		if files, err = readProtos(root); err != nil {
			return err
		}
	}

	names := slices.Collect(maps.Keys(generate))
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
		req, err := protocheck.Request(files, r.param, byFolder[folder]...)
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
