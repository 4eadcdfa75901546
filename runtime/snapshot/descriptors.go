package snapshot

import (
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// javaFiles returns a file and all that it imports, in the form in which Java classes hold them.
func javaFiles(root protoreflect.FileDescriptor, _ Settings) ([]*descriptorpb.FileDescriptorProto, error) {
	var files []*descriptorpb.FileDescriptorProto
	seen := map[string]bool{}
	todo := []protoreflect.FileDescriptor{root}
	for len(todo) > 0 {
		fd := todo[0]
		todo = todo[1:]
		if seen[fd.Path()] {
			continue
		}
		seen[fd.Path()] = true
		files = append(files, protodesc.ToFileDescriptorProto(fd))
		for i := range fd.Imports().Len() {
			todo = append(todo, fd.Imports().Get(i).FileDescriptor)
		}
	}
	return files, nil
}
