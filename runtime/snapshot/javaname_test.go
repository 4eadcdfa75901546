package snapshot

import (
	"errors"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/structpb"
)

// TestJavaClassNameOfFile checks what becomes of the names of files.
func TestJavaClassNameOfFile(t *testing.T) {
	for file, want := range map[string]string{
		"foo_bar_baz.proto":      "FooBarBaz",
		"foo-bar.baz.proto":      "FooBarBaz",
		"a/b/foo_bar.proto":      "FooBar",
		"foo1bar2.proto":         "Foo1Bar2",
		"foo1Bar_2x.proto":       "Foo1Bar2X",
		"FOO_BAR.proto":          "FOOBAR",
		"fooBar.proto":           "FooBar",
		"_foo.proto":             "Foo",
		"foo_.proto":             "Foo",
		"1foo.proto":             "1Foo",
		"foo.protodevel":         "Foo",
		"foo.txt":                "FooTxt",
		"foo bar.proto":          "FooBar",
		"foo#.proto":             "Foo_",
		"class.proto":            "Class",
		"foo.proto.proto":        "FooProto",
		"日本foo.proto":            "Foo",
		"foo.protodevel.proto":   "FooProtodevel",
		"foo.proto.protodevel":   "FooProto",
		"a.b/c.d/foo-2-bar.prot": "Foo2BarProt",
	} {
		md := javaFile(t, &descriptorpb.FileDescriptorProto{Name: proto.String(file)}, "Msg")
		got, err := JavaClassName(md)
		if err != nil || got != want+"$Msg" {
			t.Errorf("%s: %s, %v; want %s$Msg", file, got, err, want)
		}
	}
	if got, err := JavaClassName(javaFile(t, &descriptorpb.FileDescriptorProto{Name: proto.String("日本.proto")}, "Msg")); !errors.Is(err, ErrJavaName) {
		t.Errorf("a name without ASCII: %s, %v", got, err)
	}
}

// javaFile links a file with a message of each of the given names, and returns the first one. "A.B" is a message in a message.
func javaFile(t *testing.T, file *descriptorpb.FileDescriptorProto, names ...string) protoreflect.MessageDescriptor {
	t.Helper()
	if file.Syntax == nil {
		file.Syntax = proto.String("proto3")
	}
	for _, name := range names {
		list := &file.MessageType
		for part := range strings.SplitSeq(name, ".") {
			m := &descriptorpb.DescriptorProto{Name: proto.String(part)}
			*list = append(*list, m)
			list = &m.NestedType
		}
	}
	fd, err := protodesc.NewFile(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	md := fd.Messages().Get(fd.Messages().Len() - len(names))
	return md
}

// TestJavaClassName checks the rules for classes, with .proto text.
func TestJavaClassName(t *testing.T) {
	const p3 = "syntax = \"proto3\";\npackage p;\n"
	for _, c := range []struct {
		name, text string
		root       protoreflect.FullName
		want       string // "" where protoc makes no class
	}{
		{"in the class of the file", p3 + "message Bar {}", "p.Bar", "p.Foo$Bar"},
		{"nested", p3 + "message A { message B { message C {} } }", "p.A.B.C", "p.Foo$A$B$C"},
		{"no package", `syntax = "proto3"; message Bar {}`, "Bar", "Foo$Bar"},
		{"message of the file's name", p3 + "message Foo {}", "p.Foo", "p.FooOuterClass$Foo"},
		{"nested message of the file's name", p3 + "message A { message Foo {} }", "p.A", "p.FooOuterClass$A"},
		{"nested enum of the file's name", p3 + "message A { enum Foo { X = 0; } }", "p.A", "p.FooOuterClass$A"},
		{"enum of the file's name", p3 + "message A {} enum Foo { X = 0; }", "p.A", "p.FooOuterClass$A"},
		{"service of the file's name", p3 + "message A {} service Foo {}", "p.A", "p.FooOuterClass$A"},
		{"deeply nested message of the file's name", p3 + "message A { message B { message C { message Foo {} } } }", "p.A", "p.FooOuterClass$A"},
		{"message of the file's name in lower case", p3 + "message foo {}", "p.foo", "p.Foo$foo"},
		{"message of the file's name in upper case", p3 + "message FOO {}", "p.FOO", "p.Foo$FOO"},
		{"field of the file's name", p3 + "message A { int32 Foo = 1; }", "p.A", "p.Foo$A"},
		{"enum value of the file's name", p3 + "message A {} enum E { Foo = 0; }", "p.A", "p.Foo$A"},
		{"both names taken", p3 + "message Foo {} message FooOuterClass {}", "p.Foo", ""},
		{"outer class named", p3 + `option java_outer_classname = "Out"; message Bar {}`, "p.Bar", "p.Out$Bar"},
		{"outer class named as a message", p3 + `option java_outer_classname = "Foo"; message Foo {}`, "p.Foo", ""},
		{"outer class named as a nested enum", p3 + `option java_outer_classname = "E"; message Foo { enum E { X = 0; } }`, "p.Foo", ""},
		{"outer class named nothing", p3 + `option java_outer_classname = ""; message Foo {}`, "p.Foo", ""},
		{"many files", p3 + "option java_multiple_files = true; message Bar { message In {} }", "p.Bar.In", "p.Bar$In"},
		{"many files, message of the file's name", p3 + "option java_multiple_files = true; message Foo {}", "p.Foo", "p.Foo"},
		{"many files, not at all", p3 + "option java_multiple_files = false; message Bar {}", "p.Bar", "p.Foo$Bar"},
		{"Java package", p3 + `option java_package = "com.example"; message Bar {}`, "p.Bar", "com.example.Foo$Bar"},
		{"empty Java package", p3 + `option java_package = ""; message Bar {}`, "p.Bar", "Foo$Bar"},
		{"empty Java package, many files", p3 + `option java_package = ""; option java_multiple_files = true; message Bar {}`, "p.Bar", "Bar"},
		{"proto2", `syntax = "proto2"; package p; message Foo {}`, "p.Foo", "p.FooOuterClass$Foo"},
		{"edition 2023", `edition = "2023"; package p; message Foo {}`, "p.Foo", "p.FooOuterClass$Foo"},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkClass(t, message(t, compile(t, map[string]string{"foo.proto": c.text}), c.root), c.want)
		})
	}
}

func checkClass(t *testing.T, md protoreflect.MessageDescriptor, want string) {
	t.Helper()
	got, err := JavaClassName(md)
	if want == "" {
		if !errors.Is(err, ErrJavaName) {
			t.Errorf("%q, %v; want ErrJavaName", got, err)
		}
		if _, err := OfDescriptor(md, Settings{}); !errors.Is(err, ErrJavaName) {
			t.Errorf("a snapshot: %v", err)
		}
		if s, err := OfDescriptor(md, Settings{JavaClass: "x.Y$Z"}); err != nil || s.JavaClass() != "x.Y$Z" {
			t.Errorf("with a name: %v", err)
		}
		return
	}
	if err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}

// TestJavaClassName2024 checks edition 2024, where each message says where its class is.
func TestJavaClassName2024(t *testing.T) {
	for _, c := range []struct {
		name     string
		file     *descriptorpb.FileDescriptorProto
		messages []string
		feature  []byte // of the first message
		want     string
	}{
		{"on its own", &descriptorpb.FileDescriptorProto{}, []string{"Bar"}, nil, "p.Bar"},
		{"nothing said", &descriptorpb.FileDescriptorProto{}, []string{"Bar"}, []byte{nestInFile << 3, nestUnknown}, "p.Bar"},
		{"no", &descriptorpb.FileDescriptorProto{}, []string{"Bar"}, []byte{nestInFile << 3, 1}, "p.Bar"},
		{"yes", &descriptorpb.FileDescriptorProto{}, []string{"Bar"}, []byte{nestInFile << 3, nestYes}, "p.FooProto$Bar"},
		{"other features", &descriptorpb.FileDescriptorProto{}, []string{"Bar"}, []byte{3 << 3, 1, nestInFile << 3, 1, nestInFile << 3, nestYes}, "p.FooProto$Bar"},
		{"message of the file's name", &descriptorpb.FileDescriptorProto{}, []string{"Foo"}, nil, "p.Foo"},
		{"message of the class's name", &descriptorpb.FileDescriptorProto{}, []string{"FooProto"}, nil, ""},
		{"outer class named", &descriptorpb.FileDescriptorProto{Options: &descriptorpb.FileOptions{JavaOuterClassname: proto.String("Out")}}, []string{"Bar"}, []byte{nestInFile << 3, nestYes}, "p.Out$Bar"},
		{"Java package", &descriptorpb.FileDescriptorProto{Options: &descriptorpb.FileOptions{JavaPackage: proto.String("com.example")}}, []string{"Bar"}, nil, "com.example.Bar"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.file.Name, c.file.Package = proto.String("foo.proto"), proto.String("p")
			c.file.Syntax, c.file.Edition = proto.String("editions"), descriptorpb.Edition_EDITION_2024.Enum()
			m := &descriptorpb.DescriptorProto{Name: proto.String(c.messages[0]), NestedType: []*descriptorpb.DescriptorProto{{Name: proto.String("In")}}}
			if c.feature != nil {
				features := new(descriptorpb.FeatureSet)
				features.ProtoReflect().SetUnknown(append([]byte{0xca, 0x3e, byte(len(c.feature))}, c.feature...)) // field 1001
				m.Options = &descriptorpb.MessageOptions{Features: features}
			}
			c.file.MessageType = []*descriptorpb.DescriptorProto{m}
			fd, err := protodesc.NewFile(c.file, nil)
			if err != nil {
				t.Fatal(err)
			}
			md := fd.Messages().Get(0)
			checkClass(t, md, c.want)
			if c.want != "" {
				checkClass(t, md.Messages().Get(0), c.want+"$In")
			}
		})
	}
}

// TestJavaClassNameKnown checks names that Java programs use.
func TestJavaClassNameKnown(t *testing.T) {
	checkClass(t, (*structpb.Struct)(nil).ProtoReflect().Descriptor(), "com.google.protobuf.Struct")
	checkClass(t, (*descriptorpb.FieldOptions_EditionDefault)(nil).ProtoReflect().Descriptor(), "com.google.protobuf.DescriptorProtos$FieldOptions$EditionDefault")
	checkClass(t, message(t, compile(t, map[string]string{"opentelemetry/proto/common/v1/common.proto": `syntax = "proto3";
		package opentelemetry.proto.common.v1;
		option java_multiple_files = true;
		option java_package = "io.opentelemetry.proto.common.v1";
		option java_outer_classname = "CommonProto";
		message AnyValue {}`}), "opentelemetry.proto.common.v1.AnyValue"), "io.opentelemetry.proto.common.v1.AnyValue")
	checkClass(t, message(t, compile(t, map[string]string{"runtime.proto": `syntax = "proto3";
		package flink.protobuf.runtime;
		option java_package = "io.github.flink.gcp.protobuf.runtimeapp.generated";
		option java_outer_classname = "RuntimeMessages";
		message Entry {}`}), "flink.protobuf.runtime.Entry"), "io.github.flink.gcp.protobuf.runtimeapp.generated.RuntimeMessages$Entry")
}

// TestJavaSupport checks what the Java library refuses.
func TestJavaSupport(t *testing.T) {
	for _, c := range []struct {
		name, text string
		root       protoreflect.FullName
		want       []string
	}{
		{"proto3", `syntax = "proto3"; message M { M m = 1; map<string, N> n = 2; oneof o { N a = 3; } } message N { repeated M m = 1; }`, "M", nil},
		{"proto2", `syntax = "proto2"; message M { optional int32 a = 1; }`, "M", []string{"M is of proto2 (m.proto), not of proto3"}},
		{"edition 2023", `edition = "2023"; message M { int32 a = 1; }`, "M", []string{"M is of editions (m.proto), not of proto3"}},
		{"lite", `syntax = "proto3"; option optimize_for = LITE_RUNTIME; message M {}`, "M", []string{"M is of the lite runtime (m.proto)"}},
		{"extension ranges", `syntax = "proto2"; message M { extensions 1 to 5; }`, "M", []string{"M has extension ranges"}},
		{"options nested in a message", `syntax = "proto3"; import "google/protobuf/descriptor.proto"; message M { extend google.protobuf.FieldOptions { int32 x = 50000; } }`, "M", []string{"M declares extensions"}},
		{"options beside a message", `syntax = "proto3"; import "google/protobuf/descriptor.proto"; message M { int32 a = 1 [(x) = 1]; } extend google.protobuf.FieldOptions { int32 x = 50000; }`, "M", nil},
		{
			"a message of descriptor.proto", `syntax = "proto3"; import "google/protobuf/descriptor.proto"; message M { map<int32, google.protobuf.FieldOptions> a = 1; google.protobuf.FieldOptions b = 2; }`, "M",
			[]string{
				"google.protobuf.FieldOptions has extension ranges",
				"google.protobuf.FieldOptions.EditionDefault is of proto2 (google/protobuf/descriptor.proto), not of proto3",
				"google.protobuf.FeatureSet has extension ranges",
				"google.protobuf.FieldOptions.FeatureSupport is of proto2 (google/protobuf/descriptor.proto), not of proto3",
				"google.protobuf.UninterpretedOption is of proto2 (google/protobuf/descriptor.proto), not of proto3",
				"google.protobuf.UninterpretedOption.NamePart is of proto2 (google/protobuf/descriptor.proto), not of proto3",
			},
		},
		{"a proto2 message that is not held", `syntax = "proto2"; message M { optional int32 a = 1; } message N { }`, "N", []string{"N is of proto2 (m.proto), not of proto3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := JavaSupport(compiled(t, c.text, c.root))
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got %q\nwant %q", got, c.want)
			}
		})
	}
	set := &descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{{
		Name: proto.String("m.proto"),
		MessageType: []*descriptorpb.DescriptorProto{{
			Name:    proto.String("M"),
			Options: &descriptorpb.MessageOptions{MessageSetWireFormat: proto.Bool(true)},
		}},
	}}}
	if files, err := protodesc.NewFiles(set); err == nil { // only with the tag protolegacy
		fd, _ := files.FindFileByPath("m.proto")
		if got := JavaSupport(fd.Messages().Get(0)); len(got) != 1 || got[0] != "M has message set wire format" {
			t.Errorf("message set: %q", got)
		}
	}
}
