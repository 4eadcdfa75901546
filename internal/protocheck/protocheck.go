// Package protocheck makes the request that protoc would hand to a plugin out of
// the text of .proto files, in process: no protoc, no buf, no network.
//
// It compiles proto2, proto3 and edition 2023. Source info is on, so a plugin can
// name line and column. Files of google/protobuf/ come with the compiler unless
// the caller brings them; they carry no source info.
//
// The descriptors are those of protoc, with two differences: the default of a
// float or double field is written as Go writes it (1e+06), which is what buf
// does too, and the source info of options differs in order and in where a name
// starts.
package protocheck

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/options"
	"github.com/bufbuild/protocompile/protoutil"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

// Request compiles files, which maps the path that an import names to the text
// of the file, and returns the request to generate code for the paths in
// generate, in that order; with none, for all files sorted by path. The
// parameter is what follows --x_opt=. A path in generate may also be that of a file that comes with
// the compiler.
//
// The request holds the files to generate and what they import, each after its
// imports, as protoc orders them. It shares nothing with another call. A syntax
// error or an unknown name is reported as "path:line:column: reason".
func Request(files map[string]string, parameter string, generate ...string) (*pluginpb.CodeGeneratorRequest, error) {
	return RequestFrom(nil, files, parameter, generate...)
}

// RequestFrom is Request where besides the texts in files there are files that only descriptors are
// left of, as the code of protoc-gen-go holds them: compiled returns that of a path, or nil.
func RequestFrom(compiled func(path string) *descriptorpb.FileDescriptorProto, files map[string]string, parameter string, generate ...string) (*pluginpb.CodeGeneratorRequest, error) {
	if compiled == nil {
		compiled = func(string) *descriptorpb.FileDescriptorProto { return nil }
	}
	if len(generate) == 0 {
		generate = slices.Sorted(maps.Keys(files))
	}
	if len(generate) == 0 {
		return nil, errors.New("protocheck: no files")
	}
	for _, name := range generate {
		if _, ok := files[name]; !ok && !IsStandard(name) && compiled(name) == nil {
			return nil, fmt.Errorf("protocheck: %s is not among the files", name)
		}
	}
	compiler := protocompile.Compiler{
		Resolver: protocompile.WithStandardImports(protocompile.CompositeResolver{
			&protocompile.SourceResolver{Accessor: protocompile.SourceAccessorFromMap(files)},
			protocompile.ResolverFunc(func(path string) (protocompile.SearchResult, error) {
				if file := compiled(path); file != nil {
					return protocompile.SearchResult{Proto: file}, nil
				}
				return protocompile.SearchResult{}, protoregistry.NotFound
			}),
		}),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	linked, err := compiler.Compile(context.Background(), generate...)
	if err != nil {
		return nil, err
	}

	req := &pluginpb.CodeGeneratorRequest{FileToGenerate: generate}
	if parameter != "" {
		req.Parameter = proto.String(parameter)
	}
	seen := map[string]bool{}
	var add func(protoreflect.FileDescriptor) error
	add = func(fd protoreflect.FileDescriptor) error {
		if seen[fd.Path()] {
			return nil
		}
		seen[fd.Path()] = true
		imports := fd.Imports()
		for i := range imports.Len() {
			if err := add(imports.Get(i).FileDescriptor); err != nil {
				return err
			}
		}
		file := protoutil.ProtoFromFileDescriptor(fd)
		if slices.Contains(generate, fd.Path()) {
			// A plugin sees the files it generates without the options that are meant for
			// readers of the source, and once more as they were written.
			req.SourceFileDescriptors = append(req.SourceFileDescriptors, file)
			stripped, err := options.StripSourceRetentionOptionsFromFile(file)
			if err != nil {
				return fmt.Errorf("protocheck: %s: %w", fd.Path(), err)
			}
			file = stripped
		}
		req.ProtoFile = append(req.ProtoFile, file)
		return nil
	}
	for _, fd := range linked {
		if err := add(fd); err != nil {
			return nil, err
		}
	}
	return detach(req)
}

// IsStandard reports whether a path is that of a file that comes with the compiler, if there is
// such a file.
func IsStandard(name string) bool {
	return path.Dir(name) == "google/protobuf" && path.Ext(name) == ".proto"
}

// detach sends the request through its encoded form, as a plugin gets it: that
// cuts it off from the compiler's descriptors and leaves custom options in the
// form that they have after a read.
func detach(req *pluginpb.CodeGeneratorRequest) (*pluginpb.CodeGeneratorRequest, error) {
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(req)
	if err != nil {
		return nil, fmt.Errorf("protocheck: %w", err)
	}
	out := &pluginpb.CodeGeneratorRequest{}
	if err := proto.Unmarshal(b, out); err != nil {
		return nil, fmt.Errorf("protocheck: %w", err)
	}
	return out, nil
}

// Read returns the text of every .proto file in the given folders of fsys and
// below them, by its path in fsys; with no folder, of all of fsys. The paths are
// the names that imports use, so fsys must start where the import paths do.
func Read(fsys fs.FS, folders ...string) (map[string]string, error) {
	if len(folders) == 0 {
		folders = []string{"."}
	}
	files := map[string]string{}
	for _, folder := range folders {
		err := fs.WalkDir(fsys, folder, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() || path.Ext(name) != ".proto" {
				return nil
			}
			b, err := fs.ReadFile(fsys, name)
			files[name] = string(b)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("protocheck: %w", err)
		}
	}
	return files, nil
}

// File returns the descriptor of the file with the given path in req, or nil.
func File(req *pluginpb.CodeGeneratorRequest, path string) *descriptorpb.FileDescriptorProto {
	for _, file := range req.GetProtoFile() {
		if file.GetName() == path {
			return file
		}
	}
	return nil
}
