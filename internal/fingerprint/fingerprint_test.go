package fingerprint

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bufbuild/protocompile"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/runtime/protoimpl"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/pluginpb"
)

type sources map[string]string // path to .proto text

// compile returns the files and what they import, imports first: as protocompile has them, and as plain descriptor protos.
func compile(t *testing.T, src sources) ([]protoreflect.FileDescriptor, *descriptorpb.FileDescriptorSet) {
	t.Helper()
	c := protocompile.Compiler{Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{
		Accessor: protocompile.SourceAccessorFromMap(src),
	})}
	var paths []string
	for path := range src {
		paths = append(paths, path)
	}
	compiled, err := c.Compile(context.Background(), paths...)
	if err != nil {
		t.Fatal(err)
	}
	var files []protoreflect.FileDescriptor
	set := new(descriptorpb.FileDescriptorSet)
	seen := map[string]bool{}
	var add func(protoreflect.FileDescriptor)
	add = func(fd protoreflect.FileDescriptor) {
		if seen[fd.Path()] {
			return
		}
		seen[fd.Path()] = true
		for i := range fd.Imports().Len() {
			add(fd.Imports().Get(i))
		}
		files = append(files, fd)
		set.File = append(set.File, protodesc.ToFileDescriptorProto(fd))
	}
	for _, fd := range compiled {
		add(fd)
	}
	return files, set
}

// link builds the descriptors as generated code does: from raw bytes, resolved when they are first needed.
func link(t *testing.T, set *descriptorpb.FileDescriptorSet) *protoregistry.Files {
	t.Helper()
	linked := new(protoregistry.Files)
	for _, fdp := range set.File {
		raw, err := proto.Marshal(fdp)
		if err != nil {
			t.Fatal(err)
		}
		protoimpl.DescBuilder{RawDescriptor: raw, FileRegistry: linked}.Build()
	}
	return linked
}

func protodescFiles(t *testing.T, set *descriptorpb.FileDescriptorSet) *protoregistry.Files {
	t.Helper()
	files, err := protodesc.NewFiles(set)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func find(t *testing.T, files protodesc.Resolver, root string) protoreflect.MessageDescriptor {
	t.Helper()
	d, err := files.FindDescriptorByName(protoreflect.FullName(root))
	if err != nil {
		t.Fatalf("%s: %v", root, err)
	}
	return d.(protoreflect.MessageDescriptor)
}

// text returns the text of a root, after it has checked that descriptors of every origin give it.
func text(t *testing.T, src sources, root string) string {
	t.Helper()
	files, set := compile(t, src)
	md := find(t, protodescFiles(t, set), root)
	want := Text(md)

	parsed := new(protoregistry.Files)
	for _, fd := range files {
		if err := parsed.RegisterFile(fd); err != nil {
			t.Fatal(err)
		}
	}
	for origin, other := range map[string]protoreflect.MessageDescriptor{
		"protocompile": find(t, parsed, root),
		"linked":       find(t, link(t, set), root),
		"dynamicpb":    dynamicpb.NewMessage(md).ProtoReflect().Descriptor(),
		"protogen":     findPlugin(t, set, root),
	} {
		if diff := cmp.Diff(want, Text(other)); diff != "" {
			t.Fatalf("text from protodesc (-) and from %s (+) differ:\n%s", origin, diff)
		}
	}
	if Of(md) != sha256.Sum256([]byte(want)) {
		t.Fatalf("Of(%s) is not the hash of its text", root)
	}
	return want
}

// findPlugin finds the root in what a protoc plugin sees.
func findPlugin(t *testing.T, set *descriptorpb.FileDescriptorSet, root string) protoreflect.MessageDescriptor {
	t.Helper()
	req := &pluginpb.CodeGeneratorRequest{ProtoFile: set.File}
	var params []string
	for i, fdp := range set.File {
		params = append(params, fmt.Sprintf("M%s=example.com/p%d", fdp.GetName(), i))
		req.FileToGenerate = append(req.FileToGenerate, fdp.GetName())
	}
	req.Parameter = proto.String(strings.Join(params, ","))
	plugin, err := protogen.Options{}.New(req)
	if err != nil {
		t.Fatal(err)
	}
	var search func([]*protogen.Message) protoreflect.MessageDescriptor
	search = func(ms []*protogen.Message) protoreflect.MessageDescriptor {
		for _, m := range ms {
			if string(m.Desc.FullName()) == root {
				return m.Desc
			}
			if md := search(m.Messages); md != nil {
				return md
			}
		}
		return nil
	}
	for _, f := range plugin.Files {
		if md := search(f.Messages); md != nil {
			return md
		}
	}
	t.Fatalf("%s is not in the plugin request", root)
	return nil
}

func goldenSources(t *testing.T) sources {
	t.Helper()
	src := sources{}
	for _, name := range []string{"shop.proto", "legacy.proto", "plain.proto"} {
		b, err := os.ReadFile(filepath.Join("testdata", "golden", name))
		if err != nil {
			t.Fatal(err)
		}
		src[name] = string(b)
	}
	return src
}

// The golden sources cover every form of the text but message sets and unresolved types, which have tests of their own.
// The golden text and its hash are version 1. There is no way to update them: a test that fails here means that
// fingerprints which users have stored would change.
func TestFingerprintGolden(t *testing.T) {
	const hash = "98391eb474ba01bb591b6f6a90dd2208a9bc204c815ab95523c151642d9636ed"
	want, err := os.ReadFile(filepath.Join("testdata", "golden", "shop.Order.txt"))
	if err != nil {
		t.Fatal(err)
	}
	got := text(t, goldenSources(t), "shop.Order")
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("text differs (-want +got):\n%s", diff)
	}
	if sum := sha256.Sum256([]byte(got)); hex.EncodeToString(sum[:]) != hash {
		t.Errorf("hash = %x, want %s", sum, hash)
	}
	if got := fmt.Sprintf("flinkser schema %d\n", Version); !strings.HasPrefix(string(want), got) {
		t.Errorf("Version is %d, the text says otherwise", Version)
	}
}

// base is what the tables below change. Each edit replaces a piece of text that occurs exactly once.
const base = `edition = "2023";
package p;
message M {
  reserved 40 to 45;
  reserved oldie;
  extensions 60 to 69;
  int32 id = 1;
  int32 zero = 2 [features.field_presence = IMPLICIT];
  repeated int32 list = 3;
  string name = 4;
  map<string, N> byName = 5;
  oneof choice { string left = 6; int32 right = 7; }
  int32 seven = 8 [default = 7];
  N nested = 9;
  Open open = 10;
  Closed closed = 11;
  bytes raw = 12;
  int32 alone = 13;
  double d = 14 [default = 0.0];
  repeated N many = 15;
  Open picked = 16 [default = OPEN_B];
  M self = 17;
}
message N { int32 x = 1; O deep = 2; }
message O { bool y = 1; }
message Other { int32 x = 1; O deep = 2; }
message Unrelated { int32 u = 1; }
enum Open { reserved 9; reserved OPEN_OLD; OPEN_A = 0; OPEN_B = 1; OPEN_C = 2; }
enum Closed { option features.enum_type = CLOSED; C_A = 1; C_B = 2; }
enum Like { OPEN_X = 0; }
`

type edit struct {
	name string
	pair []string // old, new, old, new ...
}

func (e edit) apply(t *testing.T, src string) string {
	t.Helper()
	for i := 0; i < len(e.pair); i += 2 {
		if n := strings.Count(src, e.pair[i]); n != 1 {
			t.Fatalf("%q occurs %d times", e.pair[i], n)
		}
		src = strings.Replace(src, e.pair[i], e.pair[i+1], 1)
	}
	return src
}

func e(name string, pair ...string) edit { return edit{name, pair} }

func TestFingerprintDiffers(t *testing.T) {
	seen := map[string]string{text(t, sources{"a.proto": base}, "p.M"): "base"}
	for _, c := range []edit{
		e("package", "package p;", "package q;"),
		e("root name", "message M {", "message MM {", "M self", "MM self"),
		e("message name", "message N ", "message NN ", "N> byName", "NN> byName", "N nested", "NN nested", "N many", "NN many"),
		e("field name", "int32 id = 1", "int32 idd = 1"),
		e("field number", "int32 id = 1", "int32 id = 20"),
		e("numbers exchanged", "int32 id = 1;", "int32 id = 13;", "int32 alone = 13", "int32 alone = 1"),
		e("field added", "int32 id = 1;", "int32 id = 1; int32 more = 20;"),
		e("field removed", "int32 alone = 13;", ""),
		e("kind", "int32 id = 1", "int64 id = 1"),
		e("kind, zigzag", "int32 id = 1", "sint32 id = 1"),
		e("kind, string to bytes", "string name = 4", "bytes name = 4"),
		e("kind, enum to int32", "Open open = 10", "int32 open = 10"),
		e("cardinality", "int32 id = 1", "repeated int32 id = 1"),
		e("cardinality, message", "N nested = 9", "repeated N nested = 9"),
		e("required", "int32 id = 1", "int32 id = 1 [features.field_presence = LEGACY_REQUIRED]"),
		e("presence, explicit to implicit", "int32 id = 1", "int32 id = 1 [features.field_presence = IMPLICIT]"),
		e("presence, implicit to explicit", "int32 zero = 2 [features.field_presence = IMPLICIT]", "int32 zero = 2"),
		e("packing", "list = 3", "list = 3 [features.repeated_field_encoding = EXPANDED]"),
		e("oneof name", "oneof choice", "oneof choices"),
		e("into a oneof", "oneof choice {", "oneof choice { int32 alone = 13;", "int32 alone = 13;\n", "\n"),
		e("out of a oneof", "int32 right = 7; }", "} int32 right = 7;"),
		e("into a oneof of one", "int32 alone = 13;", "oneof only { int32 alone = 13; }"),
		e("UTF-8 check", "name = 4", "name = 4 [features.utf8_validation = NONE]"),
		e("UTF-8 check, oneof member", "left = 6", "left = 6 [features.utf8_validation = NONE]"),
		e("UTF-8 check, map key", "byName = 5", "byName = 5 [features.utf8_validation = NONE]"),
		e("UTF-8 check, file", "package p;", "package p; option features.utf8_validation = NONE;"),
		e("default added", "int32 id = 1", "int32 id = 1 [default = 7]"),
		e("default added, zero", "int32 id = 1", "int32 id = 1 [default = 0]"),
		e("default removed", " [default = 7]", ""),
		e("default changed", "default = 7", "default = 8"),
		e("default, sign of zero", "default = 0.0", "default = -0.0"),
		e("default, infinity", "default = 0.0", "default = inf"),
		e("default, minus infinity", "default = 0.0", "default = -inf"),
		e("default, NaN", "default = 0.0", "default = nan"),
		e("default, next double", "default = 0.0", "default = 5e-324"),
		e("default, bytes", "bytes raw = 12", `bytes raw = 12 [default = "a"]`),
		e("default, empty bytes", "bytes raw = 12", `bytes raw = 12 [default = ""]`),
		e("default, string", "string name = 4", `string name = 4 [default = "a"]`),
		e("default, string of one quote", "string name = 4", `string name = 4 [default = "\""]`),
		e("default, string of the text of a quote", "string name = 4", `string name = 4 [default = "\\x22"]`),
		e("default, enum", "default = OPEN_B", "default = OPEN_C"),
		e("delimited", "N nested = 9", "N nested = 9 [features.message_encoding = DELIMITED]"),
		e("delimited, repeated", "N many = 15", "N many = 15 [features.message_encoding = DELIMITED]"),
		e("map key", "map<string, N>", "map<int32, N>"),
		e("map value", "map<string, N>", "map<string, O>"),
		e("map value, scalar", "map<string, N>", "map<string, int32>"),
		e("map to entries", "map<string, N> byName = 5", "message ByNameEntry { string key = 1; N value = 2; } repeated ByNameEntry byName = 5"),
		e("message type", "N nested = 9", "Other nested = 9"),
		e("enum type", "Open open = 10", "Like open = 10"),
		e("type of nested field", "bool y = 1", "int32 y = 1"),
		e("reserved range wider", "reserved 40 to 45", "reserved 40 to 46"),
		e("reserved range split with a gap", "reserved 40 to 45", "reserved 40 to 42, 44 to 45"),
		e("reserved range dropped", "reserved 40 to 45;", ""),
		e("reserved name", "reserved oldie", "reserved oldies"),
		e("reserved name dropped", "reserved oldie;", ""),
		e("reservation deep inside", "bool y = 1;", "bool y = 1; reserved 2;"),
		e("extension range wider", "extensions 60 to 69", "extensions 60 to 70"),
		e("extension range dropped", "extensions 60 to 69;", ""),
		e("extension range becomes reserved", "extensions 60 to 69;", "reserved 60 to 69;"),
		e("enum name", "enum Open ", "enum Opens ", "Open open", "Opens open", "Open picked", "Opens picked"),
		e("enum value name", "OPEN_C = 2", "OPEN_D = 2"),
		e("enum value number", "OPEN_C = 2", "OPEN_C = 3"),
		e("enum value added", "OPEN_C = 2;", "OPEN_C = 2; OPEN_D = 3;"),
		e("enum value removed", "OPEN_C = 2;", ""),
		e("enum alias", "OPEN_C = 2;", "OPEN_C = 2; OPEN_D = 2; option allow_alias = true;"),
		e("enum opened", "option features.enum_type = CLOSED; C_A = 1;", "C_Z = 0; C_A = 1;"),
		e("enum closed", "OPEN_A = 0;", "option features.enum_type = CLOSED; OPEN_A = 0;"),
		e("first value of a closed enum", "C_A = 1; C_B = 2;", "C_B = 2; C_A = 1;"),
		e("enum reservation", "reserved 9;", "reserved 10;"),
		e("enum reserved name", "reserved OPEN_OLD;", "reserved OPEN_OLDER;"),
		e("enum value becomes reserved", "OPEN_C = 2;", "reserved 2; reserved OPEN_C;"),
	} {
		t.Run(c.name, func(t *testing.T) {
			root := "p.M"
			switch c.name {
			case "package":
				root = "q.M"
			case "root name":
				root = "p.MM"
			}
			got := text(t, sources{"a.proto": c.apply(t, base)}, root)
			if other, dup := seen[got]; dup {
				t.Errorf("same text as %s:\n%s", other, got)
			}
			seen[got] = c.name
		})
	}
}

func TestFingerprintEqual(t *testing.T) {
	want := text(t, sources{"a.proto": base}, "p.M")
	for _, c := range []edit{
		e("comments", "int32 id = 1;", "// The id.\n int32 id = 1; /* more */"),
		e("json_name", "int32 id = 1", `int32 id = 1 [json_name = "identity"]`),
		e("deprecated", "int32 id = 1", `int32 id = 1 [deprecated = true]`),
		e("other field options", "N nested = 9", `N nested = 9 [lazy = true, debug_redact = true]`),
		e("file options", "package p;", `package p; option java_package = "x"; option go_package = "x/y"; option optimize_for = CODE_SIZE;
			option java_multiple_files = true; option cc_enable_arenas = false; option features.json_format = LEGACY_BEST_EFFORT;`),
		e("message and enum options", "message M {", "message M { option deprecated = true;", "OPEN_A = 0;", "OPEN_A = 0 [deprecated = true];"),
		e("custom option", "package p;", `package p; import "google/protobuf/descriptor.proto"; extend google.protobuf.FieldOptions { string mine = 50001; }`,
			"int32 id = 1", `int32 id = 1 [(mine) = "x"]`),
		e("go feature", "package p;", `package p; import "google/protobuf/go_features.proto"; option features.(pb.go).legacy_unmarshal_json_enum = true;`),
		e("java feature", "package p;", `package p; import "google/protobuf/java_features.proto"; option features.(pb.java).utf8_validation = VERIFY;`),
		e("order of fields", "  int32 id = 1;\n", "", "M self = 17;\n", "M self = 17; int32 id = 1;"),
		e("order of oneof members", "string left = 6; int32 right = 7;", "int32 right = 7; string left = 6;"),
		e("order of messages", "message O { bool y = 1; }", "", "package p;", "package p; message O { bool y = 1; }"),
		e("order of open enum values", "OPEN_B = 1; OPEN_C = 2;", "OPEN_C = 2; OPEN_B = 1;"),
		e("reserved split", "reserved 40 to 45;", "reserved 44, 45; reserved 40 to 42, 43;"),
		e("extension range split", "extensions 60 to 69;", "extensions 65 to 69; extensions 60 to 64;"),
		e("extension range options", "extensions 60 to 69;", "extensions 60 to 69 [verification = UNVERIFIED];"),
		e("extension", "package p;", "package p; extend M { int32 ext = 60; }"),
		e("service", "package p;", "package p; service S { rpc Call(M) returns (Unrelated); }"),
		e("unreachable message", "int32 u = 1;", "string u = 1; int32 v = 2;"),
		e("unused nested declarations", "message N {", "message N { message Z { int32 a = 1; } enum ZE { Z0 = 0; }"),
		e("fully qualified type", "N nested = 9", ".p.N nested = 9"),
		e("feature spelled for the file", "package p;", "package p; option features.field_presence = IMPLICIT; option features.message_encoding = DELIMITED;",
			"int32 id = 1", "int32 id = 1 [features.field_presence = EXPLICIT]",
			" [features.field_presence = IMPLICIT]", "",
			"string name = 4", "string name = 4 [features.field_presence = EXPLICIT]",
			"default = 7", "default = 7, features.field_presence = EXPLICIT",
			"N nested = 9", "N nested = 9 [features.message_encoding = LENGTH_PREFIXED]",
			"Open open = 10", "Open open = 10 [features.field_presence = EXPLICIT]",
			"Closed closed = 11", "Closed closed = 11 [features.field_presence = EXPLICIT]",
			"bytes raw = 12", "bytes raw = 12 [features.field_presence = EXPLICIT]",
			"int32 alone = 13", "int32 alone = 13 [features.field_presence = EXPLICIT]",
			"default = 0.0", "default = 0.0, features.field_presence = EXPLICIT",
			"N many = 15", "N many = 15 [features.message_encoding = LENGTH_PREFIXED]",
			"default = OPEN_B", "default = OPEN_B, features.field_presence = EXPLICIT",
			"M self = 17", "M self = 17 [features.message_encoding = LENGTH_PREFIXED]",
			"int32 x = 1; O deep = 2; }\nmessage O { bool y = 1", "int32 x = 1 [features.field_presence = EXPLICIT]; O deep = 2 [features.message_encoding = LENGTH_PREFIXED]; }\nmessage O { bool y = 1 [features.field_presence = EXPLICIT]"),
		e("default spelled otherwise", "default = 7", "default = 0x7", "default = 0.0", "default = 0e3"),
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(want, text(t, sources{"a.proto": c.apply(t, base)}, "p.M")); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("file name", func(t *testing.T) {
		if diff := cmp.Diff(want, text(t, sources{"deep/down/b.proto": base}, "p.M")); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("imports", func(t *testing.T) {
		head, tail, ok := strings.Cut(base, "message N {")
		if !ok {
			t.Fatal("no message N")
		}
		src := sources{
			"a.proto":      strings.Replace(head, "package p;", `package p; import "via.proto"; import "unused.proto";`, 1),
			"via.proto":    `edition = "2023"; import public "b.proto";`,
			"b.proto":      "edition = \"2023\"; package p; message N {" + tail,
			"unused.proto": `syntax = "proto2"; package p; message Elsewhere {}`,
		}
		if diff := cmp.Diff(want, text(t, src, "p.M")); diff != "" {
			t.Error(diff)
		}
	})
}

// One schema in two syntaxes.
func TestFingerprintSyntax(t *testing.T) {
	for _, c := range []struct{ name, a, b string }{
		{"proto3 and edition 2023", `syntax = "proto3"; package p;
message M {
  int32 i = 1; optional int32 o = 2; repeated int32 r = 3; repeated int32 u = 4 [packed = false]; string s = 5;
  map<string, M> m = 6; oneof c { string x = 7; E e = 8; } M self = 9; optional M maybe = 10; reserved "old";
}
enum E { ZERO = 0; ONE = 1; }`, `edition = "2023"; package p;
option features.field_presence = IMPLICIT;
message M {
  int32 i = 1; int32 o = 2 [features.field_presence = EXPLICIT]; repeated int32 r = 3;
  repeated int32 u = 4 [features.repeated_field_encoding = EXPANDED]; string s = 5;
  map<string, M> m = 6; oneof c { string x = 7; E e = 8; } M self = 9; M maybe = 10; reserved old;
}
enum E { ZERO = 0; ONE = 1; }`},
		{"proto2 and edition 2023", `syntax = "proto2"; package p;
message M {
  required int32 q = 1; optional string s = 2 [default = "x"]; repeated int32 r = 3; repeated int32 k = 4 [packed = true];
  optional group Part = 5 { optional E e = 1 [default = TWO]; } map<string, string> m = 6; oneof c { string x = 7; }
  repeated group Parts = 8 { } optional M self = 9; extensions 100 to max; reserved "old", "older";
}
enum E { ONE = 1; TWO = 2; }`, `edition = "2023"; package p;
option features.utf8_validation = NONE; option features.enum_type = CLOSED; option features.repeated_field_encoding = EXPANDED;
message M {
  int32 q = 1 [features.field_presence = LEGACY_REQUIRED]; string s = 2 [default = "x"]; repeated int32 r = 3;
  repeated int32 k = 4 [features.repeated_field_encoding = PACKED];
  message Part { E e = 1 [default = TWO]; } Part part = 5 [features.message_encoding = DELIMITED];
  map<string, string> m = 6; oneof c { string x = 7; } message Parts {}
  repeated Parts parts = 8 [features.message_encoding = DELIMITED]; M self = 9; extensions 100 to max; reserved older, old;
}
enum E { ONE = 1; TWO = 2; }`},
		{"no syntax and proto2", `package p; message M { optional string s = 1; }`, `syntax = "proto2"; package p; message M { optional string s = 1; }`},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := text(t, sources{"a.proto": c.a}, "p.M")
			if diff := cmp.Diff(a, text(t, sources{"a.proto": c.b}, "p.M")); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("proto2 and proto3 differ", func(t *testing.T) {
		const body = ` package p; message M { optional string s = 1; repeated int32 r = 2; }`
		two := text(t, sources{"a.proto": `syntax = "proto2";` + body}, "p.M")
		three := text(t, sources{"a.proto": `syntax = "proto3";` + body}, "p.M")
		if two == three {
			t.Errorf("UTF-8 check and packing are not in the text:\n%s", two)
		}
	})
}

func TestFingerprintGraph(t *testing.T) {
	t.Run("mutual recursion", func(t *testing.T) {
		src := sources{"a.proto": `syntax = "proto3"; package p;
message A { B b = 1; map<int32, C> c = 2; }
message B { repeated A a = 1; }
message C { oneof o { C c = 1; B b = 2; } }`}
		a, b := text(t, src, "p.A"), text(t, src, "p.B")
		want := "flinkser schema 1\nroot p.A\n" +
			"message p.A\n\tfield 1 b explicit message p.B\n\tfield 2 c map int32 to message p.C\n" +
			"message p.B\n\tfield 1 a repeated message p.A\n" +
			"message p.C\n\tfield 1 c explicit message p.C oneof o\n\tfield 2 b explicit message p.B oneof o\n"
		if diff := cmp.Diff(want, a); diff != "" {
			t.Errorf("p.A:\n%s", diff)
		}
		if diff := cmp.Diff(strings.Replace(want, "root p.A", "root p.B", 1), b); diff != "" {
			t.Errorf("p.B:\n%s", diff)
		}
	})
	t.Run("one name under two parents", func(t *testing.T) {
		const src = `syntax = "proto3"; package p;
message M { A a = 1; B b = 2; }
message A { X x = 1; message X { %s v = 1; } }
message B { X x = 1; message X { %s v = 1; } }`
		one := text(t, sources{"a.proto": fmt.Sprintf(src, "int32", "string")}, "p.M")
		two := text(t, sources{"a.proto": fmt.Sprintf(src, "string", "int32")}, "p.M")
		if one == two {
			t.Errorf("the two X are mixed up:\n%s", one)
		}
		for _, line := range []string{"message p.A.X\n\tfield 1 v implicit int32\n", "message p.B.X\n\tfield 1 v implicit string utf8\n"} {
			if !strings.Contains(one, line) {
				t.Errorf("%q is not in\n%s", line, one)
			}
		}
	})
	t.Run("deep chain", func(t *testing.T) {
		var b strings.Builder
		b.WriteString("syntax = \"proto3\"; package p;\n")
		const n = 3000
		for i := range n {
			fmt.Fprintf(&b, "message M%d { M%d next = 1; }\n", i, (i+1)%n)
		}
		_, set := compile(t, sources{"a.proto": b.String()})
		got := Text(find(t, protodescFiles(t, set), "p.M0"))
		if lines := strings.Count(got, "\n"); lines != 2+2*n {
			t.Errorf("%d lines, want %d", lines, 2+2*n)
		}
	})
	t.Run("unresolved type", func(t *testing.T) {
		_, set := compile(t, sources{
			"a.proto": `syntax = "proto3"; package p; import "b.proto"; message M { N n = 1; E e = 2; }`,
			"b.proto": `syntax = "proto3"; package p; message N {} enum E { ZERO = 0; }`,
		})
		fd, err := protodesc.FileOptions{AllowUnresolvable: true}.New(set.File[len(set.File)-1], new(protoregistry.Files))
		if err != nil {
			t.Fatal(err)
		}
		want := "flinkser schema 1\nroot p.M\nenum p.E unresolved\n" +
			"message p.M\n\tfield 1 n explicit message p.N\n\tfield 2 e implicit enum p.E\nmessage p.N unresolved\n"
		if diff := cmp.Diff(want, Text(fd.Messages().Get(0))); diff != "" {
			t.Error(diff)
		}
	})
}

// protodesc refuses message sets, so this compares what the other two origins say.
func TestFingerprintMessageSet(t *testing.T) {
	files, set := compile(t, sources{"a.proto": `syntax = "proto2"; package p;
message S { option message_set_wire_format = true; extensions 4 to max; }
message M { optional S s = 1; }`})
	want := "flinkser schema 1\nroot p.M\nmessage p.M\n\tfield 1 s explicit message p.S\n" +
		"message p.S message_set\n\textensions 4 to 2147483646\n"
	if diff := cmp.Diff(want, Text(files[0].Messages().ByName("M"))); diff != "" {
		t.Errorf("protocompile:\n%s", diff)
	}
	if diff := cmp.Diff(want, Text(find(t, link(t, set), "p.M"))); diff != "" {
		t.Errorf("linked:\n%s", diff)
	}
}

// A reserved name of proto2 and proto3 can be any string. It must stay on its line.
func TestFingerprintReservedNameIsQuoted(t *testing.T) {
	_, set := compile(t, sources{"a.proto": `syntax = "proto3"; package p; message M { reserved "x"; }`})
	set.File[0].MessageType[0].ReservedName = []string{"b\n\"\\\u00fc", "a b", "a b"}
	want := "flinkser schema 1\nroot p.M\nmessage p.M\n\treserved \"a b\"\n\treserved \"b\\x0a\\x22\\x5c\\xc3\\xbc\"\n"
	if diff := cmp.Diff(want, Text(find(t, link(t, set), "p.M"))); diff != "" {
		t.Error(diff)
	}
}

// Descriptors that protoc-gen-go has linked into this test, against the same built again.
func TestFingerprintLinked(t *testing.T) {
	for _, md := range []protoreflect.MessageDescriptor{
		(*structpb.Struct)(nil).ProtoReflect().Descriptor(),
		(*structpb.Value)(nil).ProtoReflect().Descriptor(),
		(*descriptorpb.FileDescriptorSet)(nil).ProtoReflect().Descriptor(),
		(*descriptorpb.FeatureSet)(nil).ProtoReflect().Descriptor(),
		(*pluginpb.CodeGeneratorRequest)(nil).ProtoReflect().Descriptor(),
	} {
		t.Run(string(md.FullName()), func(t *testing.T) {
			fd, err := protodesc.NewFile(protodesc.ToFileDescriptorProto(md.ParentFile()), protoregistry.GlobalFiles)
			if err != nil {
				t.Fatal(err)
			}
			rebuilt := fd.Messages().ByName(md.Name())
			if diff := cmp.Diff(Text(md), Text(rebuilt)); diff != "" {
				t.Error(diff)
			}
			if Of(md) != Of(rebuilt) {
				t.Error("hashes differ")
			}
		})
	}
	t.Run("from source", func(t *testing.T) {
		_, set := compile(t, sources{"a.proto": `syntax = "proto3"; import "google/protobuf/struct.proto"; message M { google.protobuf.Struct s = 1; }`})
		source := find(t, protodescFiles(t, set), "google.protobuf.Struct")
		if diff := cmp.Diff(Text((*structpb.Struct)(nil).ProtoReflect().Descriptor()), Text(source)); diff != "" {
			t.Error(diff)
		}
	})
}

func TestFingerprintCache(t *testing.T) {
	_, set := compile(t, goldenSources(t))
	files := protodescFiles(t, set)
	var all []protoreflect.MessageDescriptor
	var walk func(protoreflect.MessageDescriptors)
	walk = func(mds protoreflect.MessageDescriptors) {
		for i := range mds.Len() {
			all = append(all, mds.Get(i))
			walk(mds.Get(i).Messages())
		}
	}
	files.RangeFiles(func(fd protoreflect.FileDescriptor) bool {
		walk(fd.Messages())
		return true
	})
	if len(all) < 8 {
		t.Fatalf("only %d messages", len(all))
	}
	rng := rand.New(rand.NewSource(1))
	for range 20 {
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		var c Cache
		for _, md := range all {
			if c.Of(md) != Of(md) || c.Text(md) != Text(md) {
				t.Errorf("%s: the cache has another answer", md.FullName())
			}
		}
	}

	// Once everything is cached, a root costs the list of what it reaches and nothing per field.
	md := find(t, files, "shop.Order")
	var c Cache
	c.Of(md)
	cached, full := testing.AllocsPerRun(10, func() { c.Of(md) }), testing.AllocsPerRun(10, func() { Of(md) })
	if cached > full/10 {
		t.Errorf("%v allocations with a full cache, %v without one", cached, full)
	}
}

// Any order of declarations has one text.
func TestFingerprintShuffled(t *testing.T) {
	_, set := compile(t, goldenSources(t))
	want := Text(find(t, protodescFiles(t, set), "shop.Order"))
	for seed := range int64(300) {
		rng := rand.New(rand.NewSource(seed))
		shuffled := proto.Clone(set).(*descriptorpb.FileDescriptorSet)
		for _, fdp := range shuffled.File {
			shuffle(rng, fdp.MessageType)
			shuffle(rng, fdp.EnumType)
			for _, m := range fdp.MessageType {
				shuffleMessage(rng, m)
			}
			for _, ed := range fdp.EnumType {
				shuffleEnum(rng, ed)
			}
			fdp.Name = proto.String(fmt.Sprintf("%d/%s", seed, fdp.GetName()))
			for i, dep := range fdp.Dependency {
				fdp.Dependency[i] = fmt.Sprintf("%d/%s", seed, dep)
			}
			shuffle(rng, fdp.Dependency)
		}
		if diff := cmp.Diff(want, Text(find(t, protodescFiles(t, shuffled), "shop.Order"))); diff != "" {
			t.Fatalf("seed %d, protodesc:\n%s", seed, diff)
		}
		if diff := cmp.Diff(want, Text(find(t, link(t, shuffled), "shop.Order"))); diff != "" {
			t.Fatalf("seed %d, linked:\n%s", seed, diff)
		}
	}
}

func shuffle[T any](rng *rand.Rand, s []T) {
	rng.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
}

func shuffleMessage(rng *rand.Rand, m *descriptorpb.DescriptorProto) {
	if m.GetOptions().GetMapEntry() {
		return // not a declaration of the user's
	}
	shuffleFields(rng, m)
	shuffle(rng, m.NestedType)
	shuffle(rng, m.EnumType)
	shuffle(rng, m.ReservedRange)
	shuffle(rng, m.ReservedName)
	shuffle(rng, m.ExtensionRange)
	// Real oneofs change places, synthetic ones have to stay behind them.
	written := len(m.OneofDecl)
	for _, f := range m.Field {
		if f.GetProto3Optional() {
			written--
		}
	}
	place := rng.Perm(written)
	for i := written; i < len(m.OneofDecl); i++ {
		place = append(place, i)
	}
	decls := make([]*descriptorpb.OneofDescriptorProto, len(place))
	for from, to := range place {
		decls[to] = m.OneofDecl[from]
	}
	m.OneofDecl = decls
	for _, f := range m.Field {
		if f.OneofIndex != nil {
			f.OneofIndex = proto.Int32(int32(place[f.GetOneofIndex()]))
		}
	}
	for _, n := range m.NestedType {
		shuffleMessage(rng, n)
	}
	for _, ed := range m.EnumType {
		shuffleEnum(rng, ed)
	}
}

// The members of a oneof stay together.
func shuffleFields(rng *rand.Rand, m *descriptorpb.DescriptorProto) {
	var groups [][]*descriptorpb.FieldDescriptorProto
	members := map[int32]int{} // oneof to its group
	for _, f := range m.Field {
		at, ok := members[f.GetOneofIndex()]
		if f.OneofIndex == nil || !ok {
			at = len(groups)
			groups = append(groups, nil)
		}
		if f.OneofIndex != nil {
			members[f.GetOneofIndex()] = at
		}
		groups[at] = append(groups[at], f)
	}
	shuffle(rng, groups)
	m.Field = nil
	for _, group := range groups {
		shuffle(rng, group)
		m.Field = append(m.Field, group...)
	}
}

// The first value stays: it is the default, and an open enum must have a zero there.
func shuffleEnum(rng *rand.Rand, ed *descriptorpb.EnumDescriptorProto) {
	shuffle(rng, ed.Value[1:])
	shuffle(rng, ed.ReservedRange)
	shuffle(rng, ed.ReservedName)
}
