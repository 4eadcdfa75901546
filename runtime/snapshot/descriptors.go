package snapshot

import (
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

// javaFiles returns a file and all that it imports, in the form in which Java classes hold them.
func javaFiles(root protoreflect.FileDescriptor, s Settings) ([]*descriptorpb.FileDescriptorProto, error) {
	fds, err := closureOf(root)
	if err != nil {
		return nil, err
	}
	f := newForm(fds, s)
	files := make([]*descriptorpb.FileDescriptorProto, len(fds))
	for i, fd := range fds {
		if files[i], err = f.file(fd); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// closureOf returns a file and all that it imports. Imports of options alone do not count.
func closureOf(root protoreflect.FileDescriptor) ([]protoreflect.FileDescriptor, error) {
	seen := map[protoreflect.FileDescriptor]bool{root: true}
	fds := []protoreflect.FileDescriptor{root}
	for i := 0; i < len(fds); i++ {
		imports := fds[i].Imports()
		for j := range imports.Len() {
			fd, err := imported(fds[i], imports.Get(j).FileDescriptor)
			if err != nil {
				return nil, err
			}
			if !seen[fd] {
				seen[fd] = true
				fds = append(fds, fd)
			}
		}
	}
	return fds, nil
}

// imported returns fd, or the file that it stands for. A Go package may have been made from a file that imports
// one without a Go package, or one whose Go package is not linked.
func imported(by, fd protoreflect.FileDescriptor) (protoreflect.FileDescriptor, error) {
	if !fd.IsPlaceholder() {
		return fd, nil
	}
	if isLinked(by) {
		if linked, err := protoregistry.GlobalFiles.FindFileByPath(fd.Path()); err == nil {
			return linked, nil
		}
	}
	if fd.Path() == javaFeaturesPath {
		return javaFeaturesFile()
	}
	return nil, because(ErrUnresolvedImport, "%s of %s", fd.Path(), by.Path())
}

// isLinked reports whether fd is what protoc-gen-go has put into the program.
func isLinked(fd protoreflect.FileDescriptor) bool {
	linked, err := protoregistry.GlobalFiles.FindFileByPath(fd.Path())
	return err == nil && linked == fd
}

// A form turns descriptors as Go programs have them into those that Java classes hold.
type form struct {
	types *protoregistry.Types // the custom options that the files declare
	keep  bool
	names map[protoreflect.FullName]bool // fields whose JSON name is written
}

func newForm(fds []protoreflect.FileDescriptor, s Settings) *form {
	f := &form{types: optionTypes(fds), keep: s.KeepJSONNames, names: map[protoreflect.FullName]bool{}}
	for _, name := range s.JSONNames {
		f.names[name] = true
	}
	return f
}

// file returns the descriptor of a file.
func (f *form) file(fd protoreflect.FileDescriptor) (*descriptorpb.FileDescriptorProto, error) {
	raw, err := marshal(protodesc.ToFileDescriptorProto(fd))
	if err != nil {
		return nil, because(ErrDescriptorSet, "%s: %w", fd.Path(), err)
	}
	file := new(descriptorpb.FileDescriptorProto)
	if err := f.parse(raw, file); err != nil {
		return nil, err
	}
	file.SourceCodeInfo = nil
	if !ofRuntime(fd.Path()) {
		f.note(fd)
		f.fields(protoreflect.FullName(file.GetPackage()), file)
	}
	return file, nil
}

// parse reads a file, merges what there is of each custom option, takes away those of source retention, and brings it into
// canonical form.
func (f *form) parse(raw []byte, file *descriptorpb.FileDescriptorProto) error {
	known := new(descriptorpb.FileDescriptorProto)
	o := proto.UnmarshalOptions{RecursionLimit: fileDepth + 1, Resolver: f.types}
	if err := o.Unmarshal(raw, known); err != nil {
		return because(ErrDescriptorSet, "%w", err)
	}
	if !ofRuntime(known.GetName()) {
		stripSource(known.ProtoReflect())
	}
	return parse(appendMessage(nil, known.ProtoReflect()), file, fileDepth)
}

// note finds the fields of a file whose JSON name is written although it is the default one: source info
// tells, or generated code.
func (f *form) note(fd protoreflect.FileDescriptor) {
	places := fd.SourceLocations()
	linked := isLinked(fd)
	if f.keep || places.Len() == 0 && !linked {
		return
	}
	var visit func(protoreflect.MessageDescriptors)
	visit = func(messages protoreflect.MessageDescriptors) {
		for i := range messages.Len() {
			md := messages.Get(i)
			if linked {
				f.noteCode(md)
			}
			for j := range md.Fields().Len() {
				if fd := md.Fields().Get(j); writesJSONName(places, fd) {
					f.names[fd.FullName()] = true
				}
			}
			visit(md.Messages())
		}
	}
	visit(fd.Messages())
}

// writesJSONName reports whether a field has a JSON name in the .proto file, as far as source info tells.
func writesJSONName(places protoreflect.SourceLocations, fd protoreflect.FieldDescriptor) bool {
	if places.Len() == 0 {
		return false
	}
	const jsonName = 10 // field json_name of FieldDescriptorProto
	field := places.ByDescriptor(fd).Path
	return field != nil && places.ByPath(append(slices.Clone(field), jsonName)).Path != nil
}

// noteCode is note for what the generated code of a message tells.
func (f *form) noteCode(md protoreflect.MessageDescriptor) {
	typ, err := protoregistry.GlobalTypes.FindMessageByName(md.FullName())
	if err != nil || typ.Descriptor() != md {
		return
	}
	code, ok := typ.Zero().Interface().(interface{ JSONNamesFlinkser() []int32 }) // wire.JSONNamer
	if !ok {
		return
	}
	for _, n := range code.JSONNamesFlinkser() {
		if fd := md.Fields().ByNumber(protoreflect.FieldNumber(n)); fd != nil {
			f.names[fd.FullName()] = true
		}
	}
}

// fields changes the fields that are declared in a file or message.
func (f *form) fields(scope protoreflect.FullName, in interface {
	GetExtension() []*descriptorpb.FieldDescriptorProto
},
) {
	for _, field := range in.GetExtension() {
		f.field(scope, field)
	}
	var messages []*descriptorpb.DescriptorProto
	switch in := in.(type) {
	case *descriptorpb.FileDescriptorProto:
		messages = in.GetMessageType()
	case *descriptorpb.DescriptorProto:
		messages = in.GetNestedType()
		for _, field := range in.GetField() {
			f.field(scope, field)
		}
	}
	for _, m := range messages {
		f.fields(scope.Append(protoreflect.Name(m.GetName())), m)
	}
}

// field changes a field that is declared in scope.
func (f *form) field(scope protoreflect.FullName, field *descriptorpb.FieldDescriptorProto) {
	if field.JsonName != nil && !f.keep && field.GetJsonName() == defaultJSONName(field.GetName()) &&
		!f.names[scope.Append(protoreflect.Name(field.GetName()))] {
		field.JsonName = nil
	}
	if field.DefaultValue == nil {
		return
	}
	switch field.GetType() {
	case descriptorpb.FieldDescriptorProto_TYPE_DOUBLE:
		field.DefaultValue = proto.String(cFloat(field.GetDefaultValue(), 64))
	case descriptorpb.FieldDescriptorProto_TYPE_FLOAT:
		field.DefaultValue = proto.String(cFloat(field.GetDefaultValue(), 32))
	default:
	}
}

// defaultJSONName returns the JSON name of a field that is given none.
func defaultJSONName(name string) string {
	b := make([]byte, 0, len(name))
	up := false
	for _, c := range []byte(name) {
		switch {
		case c == '_':
			up = true
			continue
		case up && 'a' <= c && c <= 'z':
			c -= 'a' - 'A'
		}
		b = append(b, c)
		up = false
	}
	return string(b)
}

// ofRuntime reports whether a file is one of those that come with protobuf-java, whose classes hold
// the JSON name of every field.
func ofRuntime(path string) bool {
	switch path {
	case "google/protobuf/any.proto", "google/protobuf/api.proto", "google/protobuf/descriptor.proto",
		"google/protobuf/duration.proto", "google/protobuf/empty.proto", "google/protobuf/field_mask.proto",
		"google/protobuf/source_context.proto", "google/protobuf/struct.proto", "google/protobuf/timestamp.proto",
		"google/protobuf/type.proto", "google/protobuf/wrappers.proto",
		"google/protobuf/compiler/plugin.proto", javaFeaturesPath:
		return true
	default:
		return false
	}
}
