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

// linkAll makes descriptors of files, each of which comes after its imports. Like protobuf-java it
// shows a file nothing but what it imports: two files may declare the same name as long as none sees both.
func linkAll(ordered []*descriptorpb.FileDescriptorProto) (map[string]*linkedFile, error) {
	linked := make(map[string]*linkedFile, len(ordered))
	for _, f := range ordered {
		fd, err := protodesc.NewFile(importOnce(f), newScope(linked, f))
		if err != nil {
			return nil, because(ErrInvalidGraph, "%s: %w", f.GetName(), err)
		}
		file := &linkedFile{desc: fd, types: map[protoreflect.FullName]protoreflect.Descriptor{}}
		file.add(fd)
		linked[f.GetName()] = file
	}
	return linked, nil
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
	linked map[string]*linkedFile
	files  []*linkedFile
}

func newScope(linked map[string]*linkedFile, f *descriptorpb.FileDescriptorProto) *scope {
	s := &scope{linked: linked}
	seen := map[string]bool{}
	var add func(path string)
	add = func(path string) {
		if file := linked[path]; file != nil && !seen[path] {
			seen[path] = true
			s.files = append(s.files, file)
			for i := range file.desc.Imports().Len() {
				if imp := file.desc.Imports().Get(i); imp.IsPublic {
					add(imp.Path())
				}
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
	if f := s.linked[path]; f != nil {
		return f.desc, nil
	}
	return nil, protoregistry.NotFound
}

// FindDescriptorByName returns a message or enum of an import.
func (s *scope) FindDescriptorByName(name protoreflect.FullName) (protoreflect.Descriptor, error) {
	for _, f := range s.files {
		if d := f.types[name]; d != nil {
			return d, nil
		}
	}
	return nil, protoregistry.NotFound
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
