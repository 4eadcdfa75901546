package snapshot

import (
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// Whoever writes a snapshot can write its digest too, so its descriptors may be made to do harm. Two things in them
// can take far more memory than they have bytes: empty messages, each of which becomes a struct, and long names of
// messages that much is nested in, because each descriptor keeps its full name. Real descriptors have 20 bytes and
// more for each message in them, and full names of a few times their bytes.
const (
	elementsBase  = 65_536
	elementBytes  = 8 // beyond that number
	namesBase     = 16 << 20
	namesMultiple = 8
)

// What is imported publicly is imported by every user of the file too. A linker that goes every way through such
// imports, as protodesc does, never ends where each of a few dozen files imports two others that do the same; real
// files have a handful of ways.
const importWays = 1 << 22

// limitElements refuses descriptors with too many messages for their bytes. It also refuses what is nested
// too deeply, so that no function after it has to fear for its stack; what is malformed is left
// to the parser.
func limitElements(b []byte, md protoreflect.MessageDescriptor, depth int) error {
	left := elementsBase + len(b)/elementBytes
	return countElements(b, md, depth, &left)
}

func countElements(b []byte, md protoreflect.MessageDescriptor, depth int, left *int) error {
	if depth < 0 {
		return because(ErrDescriptorSet, "messages are nested too deeply")
	}
	for len(b) > 0 {
		number, typ, n := protowire.ConsumeTag(b)
		if n < 0 {
			return nil
		}
		size := protowire.ConsumeFieldValue(number, typ, b[n:])
		if size < 0 {
			return nil
		}
		if fd := md.Fields().ByNumber(number); fd != nil && fd.Message() != nil && typ == protowire.BytesType {
			if *left--; *left < 0 {
				return because(ErrDescriptorSet, "more than %d messages, and more than one for each %d bytes", elementsBase, elementBytes)
			}
			v, _ := protowire.ConsumeBytes(b[n:])
			if err := countElements(v, fd.Message(), depth-1, left); err != nil {
				return err
			}
		}
		b = b[n+size:]
	}
	return nil
}

// limitImports refuses files between which there are too many ways of public imports. Each file comes after its imports.
func limitImports(ordered []*descriptorpb.FileDescriptorProto) error {
	left := int64(importWays)
	ways := make(map[string]int64, len(ordered)) // that lead on from a file
	for _, f := range ordered {
		for _, dep := range unique(f.GetDependency()) {
			left -= ways[dep]
		}
		if left < 0 {
			return because(ErrInvalidGraph, "more than %d ways through public imports, those of %s included", importWays, f.GetName())
		}
		on := int64(0)
		for _, i := range unique(f.GetPublicDependency()) {
			if i >= 0 && int(i) < len(f.GetDependency()) {
				on += 1 + ways[f.GetDependency()[i]]
			}
		}
		ways[f.GetName()] = min(on, importWays+1)
	}
	return nil
}

// limitNames refuses files whose full names are too long for their bytes, of which there are size.
func limitNames(files []*descriptorpb.FileDescriptorProto, size int) error {
	left := namesBase + namesMultiple*int64(size)
	for _, f := range files {
		c := nameCounter{left: left}
		c.messages(int64(len(f.GetPackage())), f.GetMessageType())
		c.enums(int64(len(f.GetPackage())), f.GetEnumType())
		c.fields(int64(len(f.GetPackage())), f.GetExtension())
		for _, s := range f.GetService() {
			full := c.add(int64(len(f.GetPackage())), s.GetName())
			for _, m := range s.GetMethod() {
				c.add(full, m.GetName())
			}
		}
		if left = c.left; left < 0 {
			return because(ErrInvalidGraph, "the full names in %s take too many times its bytes", f.GetName())
		}
	}
	return nil
}

// nameCounter takes the lengths of full names from left.
type nameCounter struct{ left int64 }

// add counts a name in a scope of a length, and returns the length of the full name.
func (c *nameCounter) add(scope int64, name string) int64 {
	full := scope + 1 + int64(len(name))
	c.left -= full
	return full
}

func (c *nameCounter) messages(scope int64, messages []*descriptorpb.DescriptorProto) {
	for _, m := range messages {
		full := c.add(scope, m.GetName())
		c.fields(full, m.GetField())
		c.fields(full, m.GetExtension())
		for _, o := range m.GetOneofDecl() {
			c.add(full, o.GetName())
		}
		c.enums(full, m.GetEnumType())
		c.messages(full, m.GetNestedType())
	}
}

func (c *nameCounter) fields(scope int64, fields []*descriptorpb.FieldDescriptorProto) {
	for _, f := range fields {
		c.add(scope, f.GetName())
	}
}

func (c *nameCounter) enums(scope int64, enums []*descriptorpb.EnumDescriptorProto) {
	for _, e := range enums {
		c.add(scope, e.GetName())
		for _, v := range e.GetValue() {
			c.add(scope, v.GetName())
		}
	}
}
