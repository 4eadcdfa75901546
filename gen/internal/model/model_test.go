package model

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/compiler/protogen"

	"github.com/flinkser/flinkser/gen/internal/shape"
	"github.com/flinkser/flinkser/internal/fingerprint"
	"github.com/flinkser/flinkser/internal/protocheck"
)

var files = map[string]string{
	"a.proto": `syntax = "proto3";
package a;
import "b.proto";
import "google/protobuf/empty.proto";
option go_package = "example.com/a";
message A {
  string text = 18;
  int32 number = 2;
  bytes raw = 3;
  optional string said = 4;
  optional bytes said_raw = 5;
  A self = 6;
  repeated int32 packed = 7;
  repeated int32 unpacked = 8 [packed = false];
  repeated string texts = 9;
  repeated A selves = 10;
  map<string, bytes> raws = 11;
  map<int32, b.B> others = 12;
  oneof choice {
    string one = 13;
    A two = 15;
  }
  b.E kind = 14;
  google.protobuf.Empty empty = 16;
  message Inner {
    message Deepest {}
  }
}
message Alone {
  oneof first { int32 a = 1; int32 c = 3; int32 d = 4; }
  oneof second { int32 b = 2; int32 e = 5; }
}
`,
	"b.proto": `syntax = "proto3";
package b;
option go_package = "example.com/b";
message B {}
enum E { E_ZERO = 0; }
`,
}

// plan returns the plan for a.proto.
func plan(t *testing.T, opts Options) *File {
	t.Helper()
	req, err := protocheck.Request(files, "", "a.proto")
	if err != nil {
		t.Fatal(err)
	}
	plugin, err := protogen.Options{}.New(req)
	if err != nil {
		t.Fatal(err)
	}
	files, err := New(plugin, plugin.FilesByPath["a.proto"], opts)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1 {
		t.Fatalf("%d files, want 1", len(files))
	}
	return files[0]
}

func TestMessages(t *testing.T) {
	f := plan(t, Options{})
	var got []string
	for _, m := range f.Messages {
		got = append(got, m.GoName+" "+string(m.FullName))
		if want := fingerprint.Of(f.Declaration.Desc.Messages().ByName("A")); m.GoName == "A" && m.Schema != want {
			t.Errorf("fingerprint of A is %x, want %x", m.Schema, want)
		}
	}
	// Entries of maps are no messages of their own, nested messages are.
	want := []string{"A a.A", "A_Inner a.A.Inner", "A_Inner_Deepest a.A.Inner.Deepest", "Alone a.Alone"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	if m := f.Messages[0]; m.Maps != 2 || !m.Long {
		t.Errorf("A has %d maps and is long: %t", m.Maps, m.Long)
	}
	if f.Path != "a.proto" || f.Package != "a" || f.ImportPath != "example.com/a" || f.Prefix != "example.com/a/a" {
		t.Errorf("file is %s, package %s at %s, written to %s", f.Path, f.Package, f.ImportPath, f.Prefix)
	}
}

func TestFields(t *testing.T) {
	type field struct {
		Name     string
		Shape    shape.Shape
		Tag      string
		Packed   string
		UTF8     bool
		Wrapper  string
		Key      string
		Elem     string
		ElemUTF8 bool
	}
	var got []field
	for _, f := range plan(t, Options{}).Messages[0].Fields {
		x := field{Name: f.Name, Shape: f.Shape, Tag: fmt.Sprintf("%x", f.Tag), Packed: fmt.Sprintf("%x", f.PackedTag), UTF8: f.UTF8, Wrapper: f.Wrapper}
		if f.Shape == shape.Map {
			x.Key, x.Elem, x.ElemUTF8 = f.Key.Kind.Kind.String(), f.Elem.Kind.Kind.String(), f.Elem.UTF8
			if f.Key.UTF8 != (x.Key == "string") {
				t.Errorf("key of %s is checked: %t", f.Name, f.Key.UTF8)
			}
		}
		got = append(got, x)
	}
	want := []field{ // by number
		{Name: "number", Shape: shape.Implicit, Tag: "10"},
		{Name: "raw", Shape: shape.Implicit, Tag: "1a"},
		{Name: "said", Shape: shape.Explicit, Tag: "22", UTF8: true},
		{Name: "said_raw", Shape: shape.Bytes, Tag: "2a"},
		{Name: "self", Shape: shape.Message, Tag: "32"},
		{Name: "packed", Shape: shape.Packed, Tag: "38", Packed: "3a"},
		{Name: "unpacked", Shape: shape.List, Tag: "40", Packed: "42"},
		{Name: "texts", Shape: shape.List, Tag: "4a", UTF8: true},
		{Name: "selves", Shape: shape.List, Tag: "52"},
		{Name: "raws", Shape: shape.Map, Tag: "5a", Key: "string", Elem: "bytes"},
		{Name: "others", Shape: shape.Map, Tag: "62", Key: "int32", Elem: "message"},
		{Name: "one", Shape: shape.Oneof, Tag: "6a", UTF8: true, Wrapper: "A_One"},
		{Name: "kind", Shape: shape.Implicit, Tag: "70"},
		{Name: "two", Shape: shape.Oneof, Tag: "7a", Wrapper: "A_Two"},
		{Name: "empty", Shape: shape.Message, Tag: "8201"},
		{Name: "text", Shape: shape.Implicit, Tag: "9201", UTF8: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}

// TestDeep finds the fields of which the messages may be nested in themselves.
func TestDeep(t *testing.T) {
	req, err := protocheck.Request(map[string]string{
		"a.proto": `syntax = "proto3";
package a;
import "google/protobuf/descriptor.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/any.proto";
option go_package = "example.com/a";
message Root {
  Flat flat = 1;
  Self self = 2;
  map<int32, Flat> flats = 3;
  map<int32, Self> selves = 4;
  oneof o { Left left = 5; Flat one = 6; }
  repeated Right right = 7;
  repeated Above above = 8;
  google.protobuf.Any any = 9;
  google.protobuf.Value value = 10;
  google.protobuf.FieldOptions extended = 11;
  Extended may_be_extended = 12;
  google.protobuf.FileDescriptorProto holds_extended = 13;
}
message Flat { Leaf leaf = 1; repeated Leaf leaves = 2; map<string, Leaf> by_name = 3; }
message Leaf { string s = 1; }
message Self { repeated Self list = 1; Flat flat = 2; }
message Left { map<string, Right> right = 1; }
message Right { oneof o { Left left = 1; Leaf leaf = 2; } }
message Above { Self self = 1; }
message Extended { google.protobuf.MessageOptions options = 1; }
`,
	}, "", "a.proto")
	if err != nil {
		t.Fatal(err)
	}
	plugin, err := protogen.Options{}.New(req)
	if err != nil {
		t.Fatal(err)
	}
	plans, err := New(plugin, plugin.FilesByPath["a.proto"], Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range plans[0].Messages {
		for _, f := range m.Fields {
			if f.Deep || f.Elem != nil && f.Elem.Deep {
				got = append(got, m.GoName+"."+f.Name)
			}
		}
	}
	want := []string{
		"Root.self", "Root.selves", "Root.left", "Root.right", "Root.value", "Root.extended", "Root.may_be_extended", "Root.holds_extended",
		"Self.list", "Left.right", "Right.left", "Above.self", "Extended.options",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}

// TestRuns keeps the members of a oneof together where no other number lies between
// them: bytes are written in the order of the numbers.
func TestRuns(t *testing.T) {
	describe := func(m *Message) string {
		var parts []string
		for _, r := range m.Runs {
			if r.Field != nil {
				parts = append(parts, r.Field.Name)
				continue
			}
			var members []string
			for _, f := range r.Members {
				members = append(members, f.Name)
			}
			parts = append(parts, r.Oneof+"("+strings.Join(members, " ")+")")
		}
		return strings.Join(parts, " ")
	}
	f := plan(t, Options{})
	want := "number raw said said_raw self packed unpacked texts selves raws others Choice(one) kind Choice(two) empty text"
	if got := describe(f.Messages[0]); got != want {
		t.Errorf("runs of A are %s, want %s", got, want)
	}
	want = "First(a) Second(b) First(c d) Second(e)"
	if got := describe(f.Messages[3]); got != want {
		t.Errorf("runs of Alone are %s, want %s", got, want)
	}
}

// TestSeen gives a bit to every field that has to be cleared when a payload lacks it,
// and one to each oneof.
func TestSeen(t *testing.T) {
	m := plan(t, Options{}).Messages[0]
	got := map[string]int{}
	for _, f := range m.Fields {
		if f.Seen >= 0 {
			got[f.Name] = f.Seen
		}
	}
	want := map[string]int{"said": 0, "said_raw": 1, "self": 2, "one": 3, "two": 3, "empty": 4, "text": 5}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("bits (-want +got):\n%s", diff)
	}
}

// TestRoom compares the room for tags, scalars and lengths with what they take at most.
func TestRoom(t *testing.T) {
	for _, m := range plan(t, Options{}).Messages {
		most := roomSlack
		for _, f := range m.Fields {
			size := f.Kind.Bytes
			if size == 0 {
				size = 10
			}
			most += len(f.Tag) + size
		}
		if m.Room < most {
			t.Errorf("room of %s is %d, want at least %d", m.GoName, m.Room, most)
		}
	}
}

func TestAccess(t *testing.T) {
	for _, tt := range []struct {
		known         []string
		others, empty Access
	}{
		{nil, Foreign, Foreign},
		{[]string{"example.com/b"}, Known, Foreign},
		{[]string{"example.com"}, Known, Foreign},
		{[]string{"google.golang.org/protobuf/types/known/emptypb", "example.com"}, Known, Known},
		{[]string{"example.com/b/c", "example.com/bb", "example.co"}, Foreign, Foreign},
	} {
		for _, f := range plan(t, Options{Known: tt.known}).Messages[0].Fields {
			switch f.Name {
			case "self", "selves", "two":
				if f.Access != Direct {
					t.Errorf("%v: %s is called as %d, want %d", tt.known, f.Name, f.Access, Direct)
				}
			case "others":
				if f.Elem.Access != tt.others || f.Elem.TypePkg != "b" {
					t.Errorf("%v: values of others are called as %d in package %s, want %d", tt.known, f.Elem.Access, f.Elem.TypePkg, tt.others)
				}
			case "empty":
				if f.Access != tt.empty || f.TypePkg != "emptypb" {
					t.Errorf("%v: empty is called as %d in package %s, want %d", tt.known, f.Access, f.TypePkg, tt.empty)
				}
			}
		}
	}
}
