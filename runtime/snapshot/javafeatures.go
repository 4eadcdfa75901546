package snapshot

import (
	_ "embed"
	"sync"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

// javaFeaturesPath is a file that .proto files import and that has no Go package.
const javaFeaturesPath = "google/protobuf/java_features.proto"

// javaFeaturesBytes is the descriptor that protobuf-java 4.36.2 has of it.
//
//go:embed java_features.binpb
var javaFeaturesBytes []byte

var javaFeaturesFile = sync.OnceValues(func() (protoreflect.FileDescriptor, error) {
	file := new(descriptorpb.FileDescriptorProto)
	if err := proto.Unmarshal(javaFeaturesBytes, file); err != nil {
		return nil, because(ErrDescriptorSet, "%s: %w", javaFeaturesPath, err)
	}
	fd, err := protodesc.NewFile(file, protoregistry.GlobalFiles)
	if err != nil {
		return nil, because(ErrInvalidGraph, "%s: %w", javaFeaturesPath, err)
	}
	return fd, nil
})
