package snapshot

import (
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// JavaClassName returns the binary name of the class that protoc generates for a message, such as
// "shop.v1.OrderProtos$Order". It follows the options of the descriptor: where the Java build has other ones, as
// with buf's managed mode, it has other names too. An ErrJavaName means that protoc refuses the file, or
// that no class of its output could be used.
func JavaClassName(md protoreflect.MessageDescriptor) (string, error) {
	file := md.ParentFile()
	outer, err := outerClass(file)
	if err != nil {
		return "", err
	}
	name := string(md.Name())
	top := md
	for {
		parent, ok := top.Parent().(protoreflect.MessageDescriptor)
		if !ok {
			break
		}
		top = parent
		name = string(top.Name()) + "$" + name
	}
	if inFileClass(file, top) {
		name = outer + "$" + name
	}
	pkg := string(file.Package())
	if o := fileOptions(file); o.JavaPackage != nil {
		pkg = o.GetJavaPackage()
	}
	if pkg == "" {
		return name, nil
	}
	return pkg + "." + name, nil
}

func fileOptions(file protoreflect.FileDescriptor) *descriptorpb.FileOptions {
	if o, ok := file.Options().(*descriptorpb.FileOptions); ok && o != nil {
		return o
	}
	return &descriptorpb.FileOptions{}
}

// edition returns the edition of a file, those of proto2 and proto3 included.
func edition(file protoreflect.FileDescriptor) descriptorpb.Edition {
	switch file.Syntax() {
	case protoreflect.Proto2:
		return descriptorpb.Edition_EDITION_PROTO2
	case protoreflect.Proto3:
		return descriptorpb.Edition_EDITION_PROTO3
	default:
		if f, ok := file.(interface{ Edition() int32 }); ok {
			return descriptorpb.Edition(f.Edition())
		}
		return protodesc.ToFileDescriptorProto(file).GetEdition()
	}
}

// outerClass returns the name of the class that protoc generates for a file.
func outerClass(file protoreflect.FileDescriptor) (string, error) {
	if o := fileOptions(file); o.JavaOuterClassname != nil {
		return usable(file, o.GetJavaOuterClassname())
	}
	base := file.Path()[strings.LastIndexByte(file.Path(), '/')+1:]
	if cut, ok := strings.CutSuffix(base, ".protodevel"); ok {
		base = cut
	} else {
		base = strings.TrimSuffix(base, ".proto")
	}
	outer := javaCamel(base)
	switch {
	case outer == "":
		return "", because(ErrJavaName, "%s needs the option java_outer_classname: its name has no ASCII letter or digit", file.Path())
	case edition(file) >= descriptorpb.Edition_EDITION_2024:
		outer += "Proto"
	case declares(file, outer):
		outer += "OuterClass"
	}
	return usable(file, outer)
}

// usable refuses a name for the class of a file that one of its types has, as protoc does.
func usable(file protoreflect.FileDescriptor, outer string) (string, error) {
	if outer == "" {
		return "", because(ErrJavaName, "the option java_outer_classname of %s is empty", file.Path())
	}
	if declares(file, outer) {
		return "", because(ErrJavaName, "the class of %s would be called %s, as one of its types is", file.Path(), outer)
	}
	return outer, nil
}

// javaCamel joins the words of a file name, each with a capital letter in front.
func javaCamel(base string) string {
	var b strings.Builder
	capital := true
	for _, c := range []byte(base) {
		switch {
		case 'a' <= c && c <= 'z' && capital:
			b.WriteByte(c - 'a' + 'A')
			capital = false
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
			b.WriteByte(c)
			capital = false
		case '0' <= c && c <= '9':
			b.WriteByte(c)
			capital = true
		default:
			capital = true
		}
	}
	if strings.HasSuffix(base, "#") {
		b.WriteByte('_')
	}
	return b.String()
}

// declares reports whether a file has a message or enum, nested ones included, or a service of this name.
func declares(file protoreflect.FileDescriptor, name string) bool {
	n := protoreflect.Name(name)
	return file.Services().ByName(n) != nil || declaresType(file, n)
}

func declaresType(in interface {
	Messages() protoreflect.MessageDescriptors
	Enums() protoreflect.EnumDescriptors
}, name protoreflect.Name,
) bool {
	if in.Messages().ByName(name) != nil || in.Enums().ByName(name) != nil {
		return true
	}
	for i := range in.Messages().Len() {
		if declaresType(in.Messages().Get(i), name) {
			return true
		}
	}
	return false
}

// inFileClass reports whether the class of a top-level message is nested in that of its file.
func inFileClass(file protoreflect.FileDescriptor, top protoreflect.MessageDescriptor) bool {
	if edition(file) >= descriptorpb.Edition_EDITION_2024 {
		return nestInFileClass(top) == nestYes
	}
	return !fileOptions(file).GetJavaMultipleFiles()
}

// What google/protobuf/java_features.proto calls pb.java and nest_in_file_class. There is no Go
// package of that file.
const (
	javaFeatures  = 1001 // an extension of FeatureSet
	nestInFile    = 5    // a field of it
	nestYes       = 2
	nestUnknown   = 0
	featuresBytes = protowire.BytesType
)

// nestInFileClass returns the feature of that name that a message has been given.
func nestInFileClass(md protoreflect.MessageDescriptor) uint64 {
	o, ok := md.Options().(*descriptorpb.MessageOptions)
	if !ok || o.GetFeatures() == nil {
		return nestUnknown
	}
	b, err := proto.MarshalOptions{AllowPartial: true}.Marshal(o.GetFeatures())
	if err != nil {
		return nestUnknown
	}
	value := uint64(nestUnknown)
	eachField(b, func(n protowire.Number, typ protowire.Type, v []byte) {
		if n != javaFeatures || typ != featuresBytes {
			return
		}
		features, _ := protowire.ConsumeBytes(v)
		eachField(features, func(n protowire.Number, typ protowire.Type, v []byte) {
			if n == nestInFile && typ == protowire.VarintType {
				value, _ = protowire.ConsumeVarint(v)
			}
		})
	})
	return value
}

// eachField calls f with the fields of b, up to where it is malformed.
func eachField(b []byte, f func(n protowire.Number, typ protowire.Type, value []byte)) {
	for len(b) > 0 {
		number, typ, n := protowire.ConsumeTag(b)
		if n < 0 {
			return
		}
		m := protowire.ConsumeFieldValue(number, typ, b[n:])
		if m < 0 {
			return
		}
		f(number, typ, b[n:n+m])
		b = b[n+m:]
	}
}
