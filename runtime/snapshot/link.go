package snapshot

import (
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

// linkedFile is a file whose descriptors are made, with its messages and enums by name.
type linkedFile struct {
	desc  protoreflect.FileDescriptor
	types map[protoreflect.FullName]protoreflect.Descriptor
}

// linker makes descriptors.
type linker struct {
	files map[string]*linkedFile                  // by path
	types map[protoreflect.FullName][]*linkedFile // the files that declare a message or enum
}

// linkAll makes descriptors of files, each of which comes after its imports. Like protobuf-java it
// shows a file nothing but what it imports: two files may declare the same name as long as none sees both.
func linkAll(ordered []*descriptorpb.FileDescriptorProto) (map[string]*linkedFile, error) {
	l := linker{make(map[string]*linkedFile, len(ordered)), map[protoreflect.FullName][]*linkedFile{}}
	for _, f := range ordered {
		fd, err := protodesc.NewFile(importOnce(f), l.newScope(f))
		if err != nil {
			return nil, because(ErrInvalidGraph, "%s: %w", f.GetName(), err)
		}
		file := &linkedFile{desc: fd, types: map[protoreflect.FullName]protoreflect.Descriptor{}}
		file.add(fd)
		l.files[f.GetName()] = file
		for name := range file.types {
			l.types[name] = append(l.types[name], file)
		}
	}
	return l.files, nil
}

// add notes the messages and enums that are declared in a file or message.
func (f *linkedFile) add(in interface {
	Messages() protoreflect.MessageDescriptors
	Enums() protoreflect.EnumDescriptors
},
) {
	for i := range in.Enums().Len() {
		f.types[in.Enums().Get(i).FullName()] = in.Enums().Get(i)
	}
	for i := range in.Messages().Len() {
		md := in.Messages().Get(i)
		f.types[md.FullName()] = md
		f.add(md)
	}
}

// scope is what a file sees: its imports, and what they import publicly.
type scope struct {
	*linker
	files []*linkedFile
	place map[*linkedFile]int // in files
	found map[protoreflect.FullName]protoreflect.Descriptor
}

func (l *linker) newScope(f *descriptorpb.FileDescriptorProto) *scope {
	s := &scope{linker: l, place: map[*linkedFile]int{}, found: map[protoreflect.FullName]protoreflect.Descriptor{}}
	var add func(path string)
	add = func(path string) {
		file := l.files[path]
		if file == nil {
			return
		}
		if _, ok := s.place[file]; ok {
			return
		}
		s.place[file] = len(s.files)
		s.files = append(s.files, file)
		for i := range file.desc.Imports().Len() {
			if imp := file.desc.Imports().Get(i); imp.IsPublic {
				add(imp.Path())
			}
		}
	}
	for _, path := range f.GetDependency() {
		add(path)
	}
	return s
}

// FindFileByPath returns an import.
func (s *scope) FindFileByPath(path string) (protoreflect.FileDescriptor, error) {
	if f := s.linker.files[path]; f != nil {
		return f.desc, nil
	}
	return nil, protoregistry.NotFound
}

// FindDescriptorByName returns a message or enum of an import: of several the one that is imported first.
func (s *scope) FindDescriptorByName(name protoreflect.FullName) (protoreflect.Descriptor, error) {
	d, ok := s.found[name]
	if !ok {
		d = s.find(name)
		s.found[name] = d
	}
	if d == nil {
		return nil, protoregistry.NotFound
	}
	return d, nil
}

// find looks where there is less to look at: in the files of the scope, or in those that declare the name.
func (s *scope) find(name protoreflect.FullName) protoreflect.Descriptor {
	declaring := s.types[name]
	if len(s.files) < len(declaring) {
		for _, f := range s.files {
			if d := f.types[name]; d != nil {
				return d
			}
		}
		return nil
	}
	first := -1
	for _, f := range declaring {
		if i, ok := s.place[f]; ok && (first < 0 || i < first) {
			first = i
		}
	}
	if first < 0 {
		return nil
	}
	return s.files[first].types[name]
}

// importOnce returns f, or a copy without repeated imports where f has some: protobuf-java links such a file,
// protodesc does not.
func importOnce(f *descriptorpb.FileDescriptorProto) *descriptorpb.FileDescriptorProto {
	imports := unique(f.GetDependency())
	if len(imports) == len(f.GetDependency()) {
		return f
	}
	place := make(map[string]int32, len(imports))
	for i, dep := range imports {
		place[dep] = int32(i)
	}
	c := proto.CloneOf(f)
	c.Dependency, c.PublicDependency = imports, nil
	for _, i := range f.GetPublicDependency() {
		moved := i // one out of range stays so
		if i >= 0 && int(i) < len(f.GetDependency()) {
			moved = place[f.GetDependency()[i]]
		}
		if moved != i && slices.Contains(c.PublicDependency, moved) {
			continue
		}
		c.PublicDependency = append(c.PublicDependency, moved)
	}
	return c
}
