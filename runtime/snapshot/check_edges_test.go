package snapshot

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// TestEntryIntoOneof turns a map into messages that cannot hold key and value together.
func TestEntryIntoOneof(t *testing.T) {
	old := compileText(t, proto3+" package v; message M { map<string, int32> a = 1; }", "v.M")
	new := compileText(t, proto3+" package v; message KV { oneof o { string key = 1; int32 value = 2; } } message M { repeated KV a = 1; }", "v.M")
	v := Check(old, new, Options{Policy: Wire})
	if got := codes(v, Break); !slices.Equal(got, []Code{"FIELD_INTO_ONEOF", "FIELD_INTO_ONEOF"}) {
		t.Errorf("%v", v)
	}
	prove(t, v, old, new)
}

// TestDefaultToRepeated turns fields with a default into lists, which have none.
func TestDefaultToRepeated(t *testing.T) {
	for _, c := range []struct {
		field string
		want  Level
	}{
		{"optional int32 a = 1;", Note},
		{"optional int32 a = 1 [default = 0];", Note},
		{"optional int32 a = 1 [default = 5];", Break},
		{"required int32 a = 1 [default = 5];", Note},
	} {
		old := compileText(t, proto2+" package v; message M { "+c.field+" }", "v.M")
		new := compileText(t, proto2+" package v; message M { repeated int32 a = 1; }", "v.M")
		if v := Check(old, new, Options{Policy: Wire}); v.Level() != c.want {
			t.Errorf("%s: %v", c.field, v)
		}
	}
}

// TestIntoOneofPlaces reports the field that has moved into a oneof, and not those that were there.
func TestIntoOneofPlaces(t *testing.T) {
	old := compileText(t, proto3+" package v; message M { int32 a = 1; oneof o { int32 b = 2; int32 c = 3; } }", "v.M")
	new := compileText(t, proto3+" package v; message M { oneof o { int32 b = 2; int32 c = 3; int32 a = 1; } }", "v.M")
	v := Check(old, new, Options{Policy: Wire})
	if len(v.Findings) != 1 || v.Findings[0].Code != "FIELD_INTO_ONEOF" || v.Findings[0].Number != 1 {
		t.Errorf("%v", v)
	}
}

// TestRenamesToOne has a rename map in which two types have become one: a rollback gives the same answer each time.
func TestRenamesToOne(t *testing.T) {
	old := compileText(t, proto3+" package v; message A { int32 x = 1; } message B { int32 x = 1; } message M { A a = 1; B b = 2; }", "v.M")
	new := compileText(t, proto3+" package v; message C { int32 x = 1; } message M { C a = 1; C b = 2; }", "v.M")
	o := Options{Policy: Wire, Direction: Both, Renames: map[protoreflect.FullName]protoreflect.FullName{"v.A": "v.C", "v.B": "v.C"}}
	first := Check(old, new, o)
	if got := codes(first, Note); first.Level() != Note || len(got) != 4 {
		t.Errorf("%v", first)
	}
	for range 50 {
		if v := Check(old, new, o); !reflect.DeepEqual(v, first) {
			t.Fatalf("%v\nand\n%v", first, v)
		}
	}
}

// TestUnknownDirection checks both directions where the one asked for does not exist.
func TestUnknownDirection(t *testing.T) {
	old := compileText(t, proto3+" package v; message M { int64 a = 1; }", "v.M")
	new := compileText(t, proto3+" package v; message M { string a = 1; }", "v.M")
	if v := Check(old, new, Options{Direction: 7}); v.Compatible || v.Count(Break) != 2 {
		t.Errorf("%v", v)
	}
}

// TestSameEnumNames has two enums of one name, in files that do not see each other: both are compared.
func TestSameEnumNames(t *testing.T) {
	schema := func(second ...string) *Snapshot {
		t.Helper()
		enum := func(values ...string) *descriptorpb.EnumDescriptorProto {
			e := &descriptorpb.EnumDescriptorProto{Name: proto.String("E")}
			for i, name := range values {
				e.Value = append(e.Value, &descriptorpb.EnumValueDescriptorProto{Name: proto.String(name), Number: proto.Int32(int32(i))})
			}
			return e
		}
		holds := func(name, typ string, n int32) *fld {
			return &fld{Name: proto.String(name), Number: &n, TypeName: &typ}
		}
		a := &file{Name: proto.String("a"), EnumType: []*descriptorpb.EnumDescriptorProto{enum("Z", "A")}}
		b := &file{Name: proto.String("b"), EnumType: []*descriptorpb.EnumDescriptorProto{enum(second...)}}
		x := &file{Name: proto.String("x"), Dependency: []string{"a"}, MessageType: []*msg{{Name: proto.String("X"), Field: []*fld{holds("e", ".E", 1)}}}}
		y := &file{Name: proto.String("y"), Dependency: []string{"b"}, MessageType: []*msg{{Name: proto.String("Y"), Field: []*fld{holds("e", ".E", 1)}}}}
		r := &file{Name: proto.String("r"), Dependency: []string{"x", "y"}, MessageType: []*msg{{Name: proto.String("M"), Field: []*fld{holds("x", ".X", 1), holds("y", ".Y", 2)}}}}
		s, err := OfFiles(&fileSet{File: []*file{a, b, x, y, r}}, "M", Settings{JavaClass: "M"})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if v := Check(schema("Z", "A"), schema("Z"), Options{}); v.Compatible {
		t.Errorf("%v", v)
	}
}

// TestUnseenMetadata changes what no .proto file shows, at each kind of declaration.
func TestUnseenMetadata(t *testing.T) {
	base := compileText(t, proto3+" package v; message M { map<string, int32> a = 1; oneof o { int32 b = 2; } E e = 3; reserved 9; } enum E { Z = 0; reserved 7; }", "v.M")
	unknown := func(m proto.Message) {
		m.ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, 1000, protowire.VarintType), 1))
	}
	for name, change := range map[string]func(m *msg, e *descriptorpb.EnumDescriptorProto){
		"message":        func(m *msg, _ *descriptorpb.EnumDescriptorProto) { unknown(m) },
		"field":          func(m *msg, _ *descriptorpb.EnumDescriptorProto) { unknown(m.Field[1]) },
		"oneof":          func(m *msg, _ *descriptorpb.EnumDescriptorProto) { unknown(m.OneofDecl[0]) },
		"reserved range": func(m *msg, _ *descriptorpb.EnumDescriptorProto) { unknown(m.ReservedRange[0]) },
		"entry":          func(m *msg, _ *descriptorpb.EnumDescriptorProto) { unknown(m.NestedType[0]) },
		"key":            func(m *msg, _ *descriptorpb.EnumDescriptorProto) { unknown(m.NestedType[0].Field[0]) },
		"JSON name of a key": func(m *msg, _ *descriptorpb.EnumDescriptorProto) {
			m.NestedType[0].Field[0].JsonName = proto.String("zz")
		},
		"option of an entry": func(m *msg, _ *descriptorpb.EnumDescriptorProto) {
			m.NestedType[0].Options.Deprecated = proto.Bool(true)
		},
		"option of a value": func(m *msg, _ *descriptorpb.EnumDescriptorProto) {
			m.NestedType[0].Field[1].Options = &descriptorpb.FieldOptions{Deprecated: proto.Bool(true)}
		},
		"enum":                func(_ *msg, e *descriptorpb.EnumDescriptorProto) { unknown(e) },
		"enum value":          func(_ *msg, e *descriptorpb.EnumDescriptorProto) { unknown(e.Value[0]) },
		"enum reserved range": func(_ *msg, e *descriptorpb.EnumDescriptorProto) { unknown(e.ReservedRange[0]) },
	} {
		set := base.Files()
		change(set.File[0].MessageType[0], set.File[0].EnumType[0])
		other, err := OfFiles(set, "v.M", Settings{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, pair := range [][2]*Snapshot{{base, other}, {other, base}} {
			if v := Check(pair[0], pair[1], Options{}); v.Compatible {
				t.Errorf("%s: strict accepts it", name)
			}
			if v := Check(pair[0], pair[1], Options{Policy: Wire}); v.Level() > Note {
				t.Errorf("%s: %v", name, v)
			}
		}
	}
}

// TestLongTexts has declarations of any size at places that are part of many findings.
func TestLongTexts(t *testing.T) {
	const fields, size = 500, 100_000
	long := strings.Repeat("x", size)
	schema := func(tail string, typ descriptorpb.FieldDescriptorProto_Type) *Snapshot {
		t.Helper()
		x := &msg{Name: proto.String("X"), Options: &descriptorpb.MessageOptions{}}
		var unknown []byte
		for i := range size {
			unknown = protowire.AppendVarint(protowire.AppendTag(unknown, protowire.Number(1000+i), protowire.VarintType), uint64(len(tail)))
		}
		x.Options.ProtoReflect().SetUnknown(unknown)
		for i := range fields {
			x.Field = append(x.Field, &fld{Name: proto.String(fmt.Sprint("f", i)), Number: proto.Int32(int32(i + 1)), Type: typ.Enum()})
			if tail == "" {
				x.ReservedRange = append(x.ReservedRange, &descriptorpb.DescriptorProto_ReservedRange{Start: proto.Int32(int32(1000 + 2*i)), End: proto.Int32(int32(1001 + 2*i))})
			}
		}
		m := &msg{Name: proto.String("M"), Field: []*fld{
			{Name: proto.String(long + tail), Number: proto.Int32(1), TypeName: proto.String(".X")},
			{Name: proto.String("s"), Number: proto.Int32(2), Type: descriptorpb.FieldDescriptorProto_TYPE_STRING.Enum(), DefaultValue: proto.String(long + tail)},
		}}
		s, err := OfFiles(&fileSet{File: []*file{{Name: proto.String(long + tail), MessageType: []*msg{m, x}}}}, "M", Settings{JavaClass: "M"})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	old, new := schema("", descriptorpb.FieldDescriptorProto_TYPE_INT32), schema("y", descriptorpb.FieldDescriptorProto_TYPE_STRING)
	v := Check(old, new, Options{Direction: Both})
	if v.Count(Break) < 2*fields {
		t.Errorf("%d breaks", v.Count(Break))
	}
	for _, f := range v.Findings {
		if n := len(f.Path) + len(f.Old) + len(f.New) + len(f.Why) + len(f.Do); n > 10_000 {
			t.Errorf("%s: %d bytes", f.Code, n)
		}
	}
	if text := v.String(); !strings.Contains(text, "1000, 1002, ") || !strings.Contains(text, "(500 in all)") {
		t.Error("the reserved numbers are not listed")
	}
}

// TestRollbackAdvice looks at what to do about changes that only a rollback does not bear: not what would help
// a restore of the opposite change.
func TestRollbackAdvice(t *testing.T) {
	for _, c := range []struct{ old, new, code string }{
		{"optional int32 a = 1;", "repeated int32 a = 1;", "REPEATED_TO_SINGULAR"},
		{"required int32 a = 1;", "optional int32 a = 1;", "REQUIRED_ADDED"},
		{"required int32 a = 1;", "reserved 1;", "REQUIRED_FIELD_ADDED"},
		{"oneof o { int32 a = 1; int32 b = 2; }", "optional int32 a = 1; optional int32 b = 2;", "FIELD_INTO_ONEOF"},
		{"optional string a = 1;", "optional bytes a = 1;", "BYTES_TO_UNCHECKED_STRING"},
	} {
		old, new := compileText(t, proto2+" package v; message M { "+c.old+" }", "v.M"), compileText(t, proto2+" package v; message M { "+c.new+" }", "v.M")
		found := false
		for _, f := range Check(old, new, Options{Policy: Wire, Direction: Both}).Findings {
			found = found || f.Code == Code(c.code)
			if f.Level == Break && (f.Direction != Rollback || f.Do != keepOld) {
				t.Errorf("%s to %s: %s: %s", c.old, c.new, f, f.Do)
			}
		}
		if !found {
			t.Errorf("%s to %s: no %s", c.old, c.new, c.code)
		}
	}
	for id := range rollbackDo {
		if rules[id].Do == "" {
			t.Errorf("%s: has no advice for a restore", rules[id].Code)
		}
	}
}

// TestManyEnumPairs compares one enum with many others only as far as their size allows.
func TestManyEnumPairs(t *testing.T) {
	schema := func(enums, values int) *Snapshot {
		t.Helper()
		m := &msg{Name: proto.String("M")}
		f := &file{Name: proto.String("f"), MessageType: []*msg{m}}
		for i := range enums {
			e := &descriptorpb.EnumDescriptorProto{Name: proto.String(fmt.Sprintf("E%d_%d", enums, i))}
			for j := range values {
				e.Value = append(e.Value, &descriptorpb.EnumValueDescriptorProto{Name: proto.String(fmt.Sprintf("E%d_%d_V%d", enums, i, j)), Number: proto.Int32(int32(j))})
			}
			f.EnumType = append(f.EnumType, e)
		}
		for i := range 100 {
			m.Field = append(m.Field, &fld{Name: proto.String(fmt.Sprint("f", i)), Number: proto.Int32(int32(i + 1)), TypeName: proto.String("." + f.EnumType[i%enums].GetName())})
		}
		s, err := OfFiles(&fileSet{File: []*file{f}}, "M", Settings{JavaClass: "M"})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	v := Check(schema(1, 10_000), schema(100, 1), Options{Policy: Wire})
	if got := codes(v, Break); !slices.Contains(got, "TOO_MANY_REPLACED_TYPES") {
		t.Errorf("%d findings", len(v.Findings))
	}
	if v := Check(schema(1, 100), schema(100, 1), Options{Policy: Wire}); slices.Contains(codes(v, Break), "TOO_MANY_REPLACED_TYPES") {
		t.Errorf("%d findings", len(v.Findings))
	}
}

// TestTellingTexts has findings whose two declarations would read the same, or whose advice has been followed.
func TestTellingTexts(t *testing.T) {
	plain := compileText(t, proto3+" package v; message M { int32 a = 1; int32 b = 2; }", "v.M")
	compiled := func(body string) *Snapshot { return compileText(t, proto3+body, "v.M") }
	unnamed, err := OfDescriptor(plain.Descriptor(), Settings{}) // without JSON names, which a set of protoc has
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		new     *Snapshot
		options Options
		find    Finding // what a finding must have, in the fields that are compared
	}{
		{
			"default json_name", unnamed,
			Options{},
			Finding{Code: "JSON_NAME_CHANGED", Old: `int32 a = 1 [json_name = "a"];`, New: "int32 a = 1;", Do: "Keep json_name, or use the wire policy."},
		},
		{
			"number and name reserved", compiled(` package v; message M { int32 a = 1; reserved 2; reserved "b"; }`),
			Options{Policy: Wire},
			Finding{Code: "FIELD_REMOVED_RESERVED", Old: "int32 b = 2;"},
		},
		{
			"number reserved", compiled(` package v; message M { int32 a = 1; reserved 2; }`),
			Options{Policy: Wire},
			Finding{Code: "FIELD_REMOVED_RESERVED", Old: "int32 b = 2;", Do: "Reserve the name too, so that no later field takes it: `reserved \"b\";`."},
		},
		{
			"rename that is not there", compiled(` package v; message M { int32 a = 1; int32 b = 2; }`),
			Options{Policy: Wire, Renames: map[protoreflect.FullName]protoreflect.FullName{"v.M": "v.N"}},
			Finding{Code: "ROOT_RENAMED", Old: "message v.M, renamed to v.N", New: "message v.M", Do: "Name the message that the state holds, or say that it was renamed."},
		},
	} {
		v := Check(plain, c.new, c.options)
		i := slices.IndexFunc(v.Findings, func(f Finding) bool { return f.Code == c.find.Code })
		if i < 0 {
			t.Errorf("%s: no %s in %v", c.name, c.find.Code, v)
			continue
		}
		if f := v.Findings[i]; f.Old != c.find.Old || f.New != c.find.New || f.Do != c.find.Do {
			t.Errorf("%s: %q, %q, %q; want %q, %q, %q", c.name, f.Old, f.New, f.Do, c.find.Old, c.find.New, c.find.Do)
		}
	}
}
