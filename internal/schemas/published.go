package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/flinkser/flinkser/internal/protocheck"
	"github.com/flinkser/flinkser/internal/published"
	"github.com/flinkser/flinkser/internal/randschema/roundtrip"
)

// publishedModules are the modules that -published goes through where none are named.
var publishedModules = []string{
	"google.golang.org/genproto",
	"google.golang.org/genproto/googleapis/api",
	"google.golang.org/genproto/googleapis/rpc",
	"go.opentelemetry.io/proto/otlp",
}

// goPackage is the code for the .proto files of a Go package, in a package of another path.
type goPackage struct {
	all   *published.Files
	path  string
	files []*published.File
	known bool // messages of other packages are called directly
}

// folderOf returns the folder for the code of a published package.
func folderOf(importPath string) string { return strings.ReplaceAll(importPath, "/", "-") }

func (p *goPackage) dir() string { return folderOf(p.path) }

func (p *goPackage) imports() []string { return []string{roundtrip.Module + "/" + p.dir()} }

// descriptor returns a file that is imported, with the Go package that it has here.
func (p *goPackage) descriptor(path string) *descriptorpb.FileDescriptorProto {
	fd := p.all.Proto(path)
	if f := p.all.File(path); f != nil {
		fd = proto.CloneOf(fd)
		if fd.Options == nil {
			fd.Options = &descriptorpb.FileOptions{}
		}
		fd.Options.GoPackage = proto.String(roundtrip.Module + "/" + folderOf(f.ImportPath) + ";" + f.Package)
	}
	return fd
}

// generate runs both plugins.
func (p *goPackage) generate(b *batch, u *unit) error {
	parameter := "module=" + roundtrip.Module
	var paths []string
	for _, f := range p.files {
		paths = append(paths, f.Proto.GetName())
	}
	request, err := protocheck.RequestFrom(p.descriptor, nil, parameter, paths...)
	if err != nil {
		return fmt.Errorf("%s: %w", p.path, err)
	}
	if err := b.plugged("protoc-gen-go", request, b.module()); err != nil {
		u.refused = err.Error()
		return nil
	}
	if !b.plugin {
		return nil
	}
	if p.known {
		request.Parameter = proto.String(parameter + ",known=" + roundtrip.Module)
	}
	ours := filepath.Join(b.dir, "ours", p.dir())
	if err := b.plugged("protoc-gen-flinkser", request, ours); err != nil {
		u.fail(generate, err.Error())
		return nil
	}
	return b.adopt(u, ours)
}

// plugged writes what a plugin returns.
func (b *batch) plugged(plugin string, request *pluginpb.CodeGeneratorRequest, dir string) error {
	response, err := protocheck.Call(context.Background(), b.program(plugin), request)
	if err == nil {
		err = os.MkdirAll(dir, 0o755) // a plugin may write nothing
	}
	if err != nil {
		return err
	}
	for _, file := range response.GetFile() {
		if err := write(filepath.Join(dir, filepath.FromSlash(file.GetName())), file.GetContent()); err != nil {
			return err
		}
	}
	return nil
}

// publishedModules goes through the packages of modules.
func (s *settings) publishedModules(t *tools, sum *totals) error {
	names := s.modules
	if len(names) == 0 {
		names = publishedModules
	}
	modules, err := published.ModulesOf(s.published)
	if err != nil {
		return err
	}
	all := published.New(modules.Dir)
	var units []*unit
	for _, module := range names {
		paths, err := modules.Packages(module)
		if err != nil {
			return err
		}
		fmt.Printf("%s %s: %d packages\n", module, modules.Version(module), len(paths))
		for _, path := range paths {
			files, err := all.Read(path)
			if err != nil {
				return err
			}
			units = append(units, &unit{code: &goPackage{all: all, path: path, files: files, known: len(units)%2 == 0}})
		}
	}
	more := others(all, units)
	fmt.Printf("imported by them, from other modules: %d packages\n", len(more))
	units = append(units, more...)
	return s.packages(t, units, sum)
}

// others returns units for the packages that those in units import.
func others(all *published.Files, units []*unit) []*unit {
	seen := map[string]bool{}
	for _, u := range units {
		seen[u.dir()] = true
	}
	var list []*unit
	for _, path := range all.Packages() {
		if p := (&goPackage{all: all, path: path, files: all.Of(path)}); !seen[p.dir()] {
			list = append(list, &unit{code: p})
		}
	}
	return list
}

// packages takes packages through all stages, some at a time, and prints a line for each.
func (s *settings) packages(t *tools, units []*unit, sum *totals) error {
	start := time.Now()
	b, err := t.generate("batch", units)
	if err != nil {
		return err
	}
	for len(units) > 0 {
		some := units[:min(s.batch, len(units))]
		units = units[len(some):]
		if err := (&batch{t, b.dir, some}).through(complete); err != nil {
			return err
		}
		for _, u := range some {
			p := u.code.(*goPackage)
			if sum.add(u, p.path) {
				if err := keep(filepath.Join(s.keep, p.dir()), nil, u.failure); err != nil {
					fmt.Fprintln(os.Stderr, "schemas:", err)
				}
				continue
			}
			fmt.Printf("%s: %d files, %d message types, %d differential inputs\n", p.path, len(p.files), u.messages, u.inputs)
		}
		fmt.Printf("%d packages to go after %v: %v\n", len(units), time.Since(start).Round(time.Second), sum)
	}
	return nil
}
