package model

import (
	"fmt"
	"go/token"
	"path"
	"strings"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/gofeaturespb"

	"github.com/flinkser/flinkser/gen/internal/names"
)

// This file knows which messages get code outside of their own Go package.

// Target is the Go package that the code for messages of other modules goes to.
type Target struct {
	ImportPath protogen.GoImportPath
	Package    protogen.GoPackageName
}

// ParseTarget reads a target as the user writes it: an import path, and behind a semicolon
// the name of the package where the path does not end in it. what is the .proto file, or the
// proto package, that is mapped to it.
func ParseTarget(what, target string) (Target, error) {
	importPath, name, named := strings.Cut(target, ";")
	switch {
	case what == "":
		return Target{}, fmt.Errorf("%q names no .proto file and no proto package; want one in front of =", "="+target)
	case !strings.HasSuffix(what, protoSuffix) && !protoreflect.FullName(what).IsValid():
		return Target{}, fmt.Errorf("%q is neither a path that ends in .proto nor the name of a proto package", what)
	case importPath == "" || strings.HasPrefix(importPath, "/") || strings.HasPrefix(importPath, ".") || strings.HasSuffix(importPath, "/"):
		return Target{}, fmt.Errorf("%q is no import path; want one such as example.com/shop/gen/otlp", importPath)
	}
	if !named {
		name = path.Base(importPath)
	}
	if !token.IsIdentifier(name) || name == "_" {
		return Target{}, fmt.Errorf("%q is no name of a Go package; write it behind the import path, as in %s;name", name, importPath)
	}
	return Target{ImportPath: protogen.GoImportPath(importPath), Package: protogen.GoPackageName(name)}, nil
}

const protoSuffix = ".proto"

// targetOf returns where the messages of a .proto file get their code, if that is not their
// own Go package. What is said of a file comes before what is said of its proto package.
func (o Options) targetOf(fd protoreflect.FileDescriptor) (Target, bool) {
	if t, ok := o.External[fd.Path()]; ok {
		return t, true
	}
	t, ok := o.External[string(fd.Package())]
	return t, ok
}

// external completes the plan for a file whose code goes to another Go package. It refuses
// what cannot be there together with the code for other files of the run.
func (b *builder) external(f *File, t Target) {
	own := b.file
	f.Package, f.ImportPath = t.Package, t.ImportPath
	f.Prefix = b.prefixIn(own.Desc, t)
	for _, other := range b.plugin.Files {
		to, mapped := b.opts.targetOf(other.Desc)
		switch {
		case other.GoImportPath == t.ImportPath:
			b.refuse(own.Desc, fmt.Sprintf("external= gives its messages code in Go package %s, which is that of %s; name one that has no .proto file",
				string(t.ImportPath), other.Desc.Path()))
			return
		case other == own || !mapped || to.ImportPath != t.ImportPath:
		case b.prefixIn(other.Desc, t) == f.Prefix:
			b.refuse(own.Desc, fmt.Sprintf("external= makes %s of it and of %s; give one of them another Go package",
				f.Prefix+f.Suffix, other.Desc.Path()))
		default:
			b.distinct(other, t)
		}
	}
}

// Deprecated reports whether code outside of the Go package of the messages names a field, or a
// message, that is deprecated.
func (f *File) Deprecated() bool {
	found := false
	eachMessage(f.Declaration.Messages, func(m *protogen.Message) {
		found = found || m.Desc.Options().(*descriptorpb.MessageOptions).GetDeprecated()
		for _, pf := range m.Fields {
			found = found || pf.Desc.Options().(*descriptorpb.FieldOptions).GetDeprecated()
		}
	})
	return found && len(f.Declared()) > 0
}

// distinct refuses messages of the file that have the Go name of one of another file whose
// code goes to the same Go package.
func (b *builder) distinct(other *protogen.File, t Target) {
	taken := map[string]*protogen.Message{}
	eachMessage(other.Messages, func(m *protogen.Message) { taken[m.GoIdent.GoName] = m })
	eachMessage(b.file.Messages, func(m *protogen.Message) {
		if same := taken[m.GoIdent.GoName]; same != nil {
			b.refuse(m.Desc, fmt.Sprintf("its Go name %s is also that of %s, and external= gives both code in Go package %s; give one of the files another",
				m.GoIdent.GoName, same.Desc.FullName(), string(t.ImportPath)))
		}
	})
}

// eachMessage calls f for messages, and for those declared in them.
func eachMessage(messages []*protogen.Message, f func(*protogen.Message)) {
	for _, m := range messages {
		if !m.Desc.IsMapEntry() {
			f(m)
			eachMessage(m.Messages, f)
		}
	}
}

// prefixIn is what the name of a generated file begins with: where protogen would put it if
// its Go package were t.
func (b *builder) prefixIn(fd protoreflect.FileDescriptor, t Target) string {
	prefix := strings.TrimSuffix(fd.Path(), protoSuffix)
	sourceRelative := false
	for param := range strings.SplitSeq(b.plugin.Request.GetParameter(), ",") {
		if name, value, _ := strings.Cut(param, "="); name == "paths" {
			sourceRelative = value == "source_relative"
		}
	}
	if sourceRelative {
		return prefix
	}
	return path.Join(string(t.ImportPath), path.Base(prefix))
}

// notOpen refuses messages whose fields another package cannot reach.
func (b *builder) notOpen() {
	if b.file.APILevel == gofeaturespb.GoFeatures_API_HYBRID {
		b.refuse(b.file.Desc, "external= cannot reach the fields of messages with the hybrid API where a program is built with the tag protoopaque; without it they go through the runtime's codec")
		return
	}
	eachMessage(b.file.Messages, func(m *protogen.Message) {
		if isOpaque(m) {
			b.refuse(m.Desc, "external= cannot reach the fields of a message with the opaque API; without it such messages go through the runtime's codec")
		}
	})
}

// Declared returns the names that the code for a file declares in its package.
func (f *File) Declared() []string {
	var list []string
	for _, m := range f.Messages {
		if m.External {
			list = append(list, m.GoName, names.CodecType(m.GoName))
		}
	}
	return list
}
