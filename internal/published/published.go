// Package published reads .proto files out of the Go code that protoc-gen-go has made of them:
// many Go modules are published with their .pb.go files and without a .proto file. The code is
// read, not linked, since a program can hold only one package with the messages of a file.
package published

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	// The files of google.golang.org/protobuf, which every program may hold.
	_ "google.golang.org/protobuf/types/gofeaturespb"
	_ "google.golang.org/protobuf/types/known/anypb"
	_ "google.golang.org/protobuf/types/known/apipb"
	_ "google.golang.org/protobuf/types/known/durationpb"
	_ "google.golang.org/protobuf/types/known/emptypb"
	_ "google.golang.org/protobuf/types/known/fieldmaskpb"
	_ "google.golang.org/protobuf/types/known/sourcecontextpb"
	_ "google.golang.org/protobuf/types/known/structpb"
	_ "google.golang.org/protobuf/types/known/timestamppb"
	_ "google.golang.org/protobuf/types/known/typepb"
	_ "google.golang.org/protobuf/types/known/wrapperspb"
	_ "google.golang.org/protobuf/types/pluginpb"
)

// File is a .proto file as generated code holds it: without comments, and without options that are
// for readers of the source.
type File struct {
	Proto      *descriptorpb.FileDescriptorProto
	ImportPath string // of the Go package with its code
	Package    string // the name of that package

	imports []string // Go packages that its code imports
}

// Files are the files of the Go packages that were read, and of google.golang.org/protobuf.
type Files struct {
	dir      func(importPath string) (string, error)
	files    map[string]*File
	packages map[string]*goPackage
}

// goPackage is the code of a package.
type goPackage struct {
	files   []*File
	imports []string
}

// New returns Files without any package. dir returns the folder of a Go package, or "" if it is
// of the standard library.
func New(dir func(importPath string) (string, error)) *Files {
	return &Files{dir: dir, files: map[string]*File{}, packages: map[string]*goPackage{}}
}

// Read reads the files of a Go package, and all that they import from others. A package without any
// gives none.
func (f *Files) Read(importPath string) ([]*File, error) {
	p, err := f.read(importPath)
	if err != nil {
		return nil, err
	}
	for _, file := range p.files {
		for _, path := range file.Proto.GetDependency() {
			if err := f.resolve(path, file.imports); err != nil {
				return nil, fmt.Errorf("%s: %w", importPath, err)
			}
			if f.Proto(path) == nil {
				return nil, fmt.Errorf("%s imports %s, which is in no Go package that its code imports", file.Proto.GetName(), path)
			}
		}
	}
	return p.files, nil
}

// Of returns the files of a Go package that was read.
func (f *Files) Of(importPath string) []*File {
	if p := f.packages[importPath]; p != nil {
		return p.files
	}
	return nil
}

// Packages returns the import paths of the packages that were read and have files.
func (f *Files) Packages() []string {
	var list []string
	for path, p := range f.packages {
		if len(p.files) > 0 {
			list = append(list, path)
		}
	}
	slices.Sort(list)
	return list
}

// File returns the file with a path, or nil if it is in no package that was read.
func (f *Files) File(path string) *File { return f.files[path] }

// Proto returns the descriptor of the file with a path, or nil.
func (f *Files) Proto(path string) *descriptorpb.FileDescriptorProto {
	if file := f.files[path]; file != nil {
		return file.Proto
	}
	if fd := linked(path); fd != nil {
		return protodesc.ToFileDescriptorProto(fd)
	}
	return nil
}

// linked returns a file of google.golang.org/protobuf.
func linked(path string) protoreflect.FileDescriptor {
	if !strings.HasPrefix(path, "google/protobuf/") {
		return nil
	}
	fd, err := protoregistry.GlobalFiles.FindFileByPath(path)
	if err != nil {
		return nil
	}
	return fd
}

// resolve reads the Go package of a file that code with these imports needs.
func (f *Files) resolve(path string, imports []string) error {
	for _, importPath := range imports {
		if f.files[path] != nil || linked(path) != nil {
			return nil
		}
		if _, err := f.Read(importPath); err != nil {
			return err
		}
		// What has moved to another package may still have its names here.
		if p := f.packages[importPath]; f.files[path] == nil && len(p.files) == 0 {
			for _, importPath := range p.imports {
				if _, err := f.Read(importPath); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// read parses the code of a package, once.
func (f *Files) read(importPath string) (*goPackage, error) {
	if p := f.packages[importPath]; p != nil {
		return p, nil
	}
	p := &goPackage{}
	f.packages[importPath] = p
	dir, err := f.dir(importPath)
	if err != nil || dir == "" || strings.HasPrefix(importPath, "google.golang.org/protobuf/") {
		return p, err
	}
	if err := p.parse(dir); err != nil {
		return nil, err
	}
	for _, file := range p.files {
		file.ImportPath = importPath
		path := file.Proto.GetName()
		if other := f.files[path]; other != nil {
			return nil, fmt.Errorf("%s is in Go package %s and in %s", path, other.ImportPath, importPath)
		}
		f.files[path] = file
	}
	return p, nil
}

// parse reads the Go code in a folder.
func (p *goPackage) parse(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	seen := map[string]*File{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		file, imports, err := parse(name, src)
		if err != nil {
			return err
		}
		p.imports = append(p.imports, imports...)
		if file == nil {
			continue
		}
		if same := seen[file.Proto.GetName()]; same != nil { // the same for another build tag
			if !proto.Equal(same.Proto, file.Proto) {
				return fmt.Errorf("%s: another file %s is beside it", name, file.Proto.GetName())
			}
			continue
		}
		seen[file.Proto.GetName()] = file
		p.files = append(p.files, file)
	}
	return nil
}

// parse returns the .proto file that Go code was made of, or nil if there is none, and what the
// code imports.
func parse(name string, src []byte) (*File, []string, error) {
	mode := parser.SkipObjectResolution
	if !strings.HasSuffix(name, ".pb.go") {
		mode |= parser.ImportsOnly
	}
	code, err := parser.ParseFile(token.NewFileSet(), name, src, mode)
	if err != nil {
		return nil, nil, err
	}
	var imports []string
	for _, spec := range code.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, nil, err
		}
		imports = append(imports, path)
	}
	raw := rawDescriptor(code)
	if raw == nil {
		return nil, imports, nil
	}
	b, err := constant(nil, raw)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	file := &File{Proto: &descriptorpb.FileDescriptorProto{}, Package: code.Name.Name, imports: imports}
	if err := proto.Unmarshal(b, file.Proto); err != nil {
		return nil, nil, fmt.Errorf("%s: its descriptor: %w", name, err)
	}
	return file, imports, nil
}

// rawDescriptor finds what protoc-gen-go declares as file_shop_order_proto_rawDesc.
func rawDescriptor(code *ast.File) ast.Expr {
	for _, decl := range code.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.VAR && d.Tok != token.CONST {
			continue
		}
		for _, spec := range d.Specs {
			v := spec.(*ast.ValueSpec)
			if name := v.Names[0].Name; strings.HasPrefix(name, "file_") && strings.HasSuffix(name, "_rawDesc") && len(v.Values) == 1 {
				return v.Values[0]
			}
		}
	}
	return nil
}

var errForm = errors.New("its descriptor has a form that is not known")

// constant appends the value of strings that are added up, or of a slice of bytes.
func constant(b []byte, e ast.Expr) ([]byte, error) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return constant(b, e.X)
	case *ast.BinaryExpr:
		b, err := constant(b, e.X)
		if err != nil || e.Op != token.ADD {
			return nil, errors.Join(err, errForm)
		}
		return constant(b, e.Y)
	case *ast.CompositeLit:
		b = slices.Grow(b, len(e.Elts))
		for _, x := range e.Elts {
			lit, ok := x.(*ast.BasicLit)
			if !ok {
				return nil, errForm
			}
			n, err := strconv.ParseUint(lit.Value, 0, 8)
			if err != nil {
				return nil, err
			}
			b = append(b, byte(n))
		}
		return b, nil
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		if e.Kind != token.STRING || err != nil {
			return nil, errors.Join(err, errForm)
		}
		return append(b, s...), nil
	}
	return nil, errForm
}
