package golden_test

import (
	"encoding/hex"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/flinkser/flinkser/gen"
	"github.com/flinkser/flinkser/golden/empty"
	"github.com/flinkser/flinkser/golden/imports"
	importedflinkser "github.com/flinkser/flinkser/golden/imports/flinkser"
	importedmath "github.com/flinkser/flinkser/golden/imports/math"
	"github.com/flinkser/flinkser/golden/imports/pub"
	importedwire "github.com/flinkser/flinkser/golden/imports/wire"
	"github.com/flinkser/flinkser/golden/keyword"
	custom "github.com/flinkser/flinkser/golden/keyword/custom"
	dotted "github.com/flinkser/flinkser/golden/keyword/dotted.v1"
	funcs "github.com/flinkser/flinkser/golden/keyword/func"
	"github.com/flinkser/flinkser/golden/keyword/nopackage"
	types "github.com/flinkser/flinkser/golden/keyword/type"
	"github.com/flinkser/flinkser/golden/names"
	"github.com/flinkser/flinkser/golden/recursive"
	"github.com/flinkser/flinkser/golden/wellknown"
	"github.com/flinkser/flinkser/internal/differ"
	"github.com/flinkser/flinkser/internal/protocheck"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// generate runs the generator on files, .proto files by path, and returns the Go files.
func generate(t *testing.T, files map[string]string) (map[string]string, error) {
	t.Helper()
	req, err := protocheck.Request(files, "paths=source_relative")
	if err != nil {
		t.Fatal(err)
	}
	plugin, err := protogen.Options{}.New(req)
	if err != nil {
		t.Fatal(err)
	}
	if err := gen.Generate(plugin, gen.Options{}); err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, f := range plugin.Response().GetFile() {
		out[f.GetName()] = f.GetContent()
	}
	return out, nil
}

// parse returns the syntax of a generated file, after checks that need no types: it uses all
// that it imports, and declares nothing that another generator could declare too.
func parse(t *testing.T, name, text string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	for _, spec := range f.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		local := path.Base(p)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		if !used[local] {
			t.Errorf("%s imports %s for nothing", name, p)
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.Name == "_" { // a guard
				continue
			}
			if d.Recv == nil {
				t.Errorf("%s declares the function %s", name, d.Name.Name)
			}
			if !strings.HasSuffix(d.Name.Name, "Flinkser") {
				t.Errorf("%s declares the method %s", name, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					t.Errorf("%s declares the type %s", name, spec.Name.Name)
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						if id.Name != "_" {
							t.Errorf("%s declares %s", name, id.Name)
						}
					}
				}
			}
		}
	}
	return f
}

// extremes returns values of a scalar kind that are not zero.
func extremes(fd protoreflect.FieldDescriptor) []protoreflect.Value {
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return []protoreflect.Value{protoreflect.ValueOfBool(true)}
	case protoreflect.EnumKind:
		return []protoreflect.Value{protoreflect.ValueOfEnum(1), protoreflect.ValueOfEnum(math.MinInt32), protoreflect.ValueOfEnum(math.MaxInt32)}
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return []protoreflect.Value{protoreflect.ValueOfInt32(math.MinInt32), protoreflect.ValueOfInt32(math.MaxInt32), protoreflect.ValueOfInt32(-1)}
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return []protoreflect.Value{protoreflect.ValueOfInt64(math.MinInt64), protoreflect.ValueOfInt64(math.MaxInt64), protoreflect.ValueOfInt64(-1)}
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return []protoreflect.Value{protoreflect.ValueOfUint32(math.MaxUint32), protoreflect.ValueOfUint32(1)}
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return []protoreflect.Value{protoreflect.ValueOfUint64(math.MaxUint64), protoreflect.ValueOfUint64(1)}
	case protoreflect.FloatKind:
		return []protoreflect.Value{protoreflect.ValueOfFloat32(float32(math.Inf(-1))), protoreflect.ValueOfFloat32(math.MaxFloat32)}
	case protoreflect.DoubleKind:
		return []protoreflect.Value{protoreflect.ValueOfFloat64(math.Inf(1)), protoreflect.ValueOfFloat64(math.SmallestNonzeroFloat64)}
	case protoreflect.BytesKind:
		return []protoreflect.Value{protoreflect.ValueOfBytes([]byte{0, 0xff}), protoreflect.ValueOfBytes(make([]byte, 200))}
	default:
		return []protoreflect.Value{protoreflect.ValueOfString("a\x00é😀"), protoreflect.ValueOfString(strings.Repeat("x", 200))}
	}
}

// zero returns the zero value of a scalar kind.
func zero(fd protoreflect.FieldDescriptor) protoreflect.Value {
	switch extremes(fd)[0].Interface().(type) {
	case bool:
		return protoreflect.ValueOfBool(false)
	case protoreflect.EnumNumber:
		return protoreflect.ValueOfEnum(0)
	case int32:
		return protoreflect.ValueOfInt32(0)
	case int64:
		return protoreflect.ValueOfInt64(0)
	case uint32:
		return protoreflect.ValueOfUint32(0)
	case uint64:
		return protoreflect.ValueOfUint64(0)
	case float32:
		return protoreflect.ValueOfFloat32(0)
	case float64:
		return protoreflect.ValueOfFloat64(0)
	case []byte:
		return protoreflect.ValueOfBytes([]byte{})
	default:
		return protoreflect.ValueOfString("")
	}
}

// fill sets fd in m to something.
func fill(m protoreflect.Message, fd protoreflect.FieldDescriptor) {
	value := func(fd protoreflect.FieldDescriptor, v protoreflect.Value, i int) protoreflect.Value {
		if fd.Message() == nil {
			all := append(extremes(fd), zero(fd))
			return all[i%len(all)]
		}
		inner := v.Message()
		if fields := inner.Descriptor().Fields(); fields.Len() > 0 {
			if first := fields.Get(0); first.Message() == nil && !first.IsList() && !first.IsMap() {
				inner.Set(first, extremes(first)[0])
			}
		}
		return v
	}
	switch {
	case fd.IsMap():
		entries := m.Mutable(fd).Map()
		for i := range 4 {
			k := value(fd.MapKey(), protoreflect.Value{}, i).MapKey()
			entries.Set(k, value(fd.MapValue(), entries.NewValue(), i))
		}
	case fd.IsList():
		list := m.Mutable(fd).List()
		for i := range 4 {
			list.Append(value(fd, list.NewElement(), i))
		}
	case fd.Message() != nil:
		m.Set(fd, value(fd, m.NewField(fd), 0))
	default:
		m.Set(fd, value(fd, protoreflect.Value{}, 0))
	}
}

// checkFields writes and reads messages of a type in every form, one for each field, and one
// with all of them, and compares with the plain encoder of this package.
func checkFields(t *testing.T, name string) {
	t.Helper()
	mt := typeOf(t, name)
	fields := mt.Descriptor().Fields()
	all := mt.New()
	for i := range fields.Len() {
		fd := fields.Get(i)
		one := mt.New()
		for _, m := range []protoreflect.Message{one, all} {
			fill(m, fd)
		}
		checkValue(t, one.Interface(), hex.EncodeToString(differ.Canonical(nil, one)))
		if fd.HasPresence() && fd.Message() == nil {
			one.Set(fd, zero(fd))
			checkValue(t, one.Interface(), hex.EncodeToString(differ.Canonical(nil, one)))
		}
		if t.Failed() {
			t.Fatalf("field %s", fd.FullName())
		}
	}
	checkValue(t, all.Interface(), hex.EncodeToString(differ.Canonical(nil, all)))
}

func checkPackage(t *testing.T, proto string) {
	t.Helper()
	checked := 0
	for _, mt := range goldenTypes() {
		if string(mt.Descriptor().ParentFile().Package()) == proto {
			checkFields(t, string(mt.Descriptor().FullName()))
			checked++
		}
	}
	if checked == 0 {
		t.Errorf("no messages in package %s", proto)
	}
}

func testD01(t *testing.T) {
	for field, line := range map[string]string{
		"int32 size_flinkser = 1;":                  "m.proto:5:3",
		"repeated string append_flinkser = 1;":      "m.proto:5:3",
		"map<string, int32> decode_flinkser = 1;":   "m.proto:5:3",
		"M reuseFlinkser = 1;":                      "m.proto:5:3",
		"oneof clone_flinkser { int32 a = 1; }":     "m.proto:5:3",
		"optional bytes schema_flinkser = 1;":       "m.proto:5:3",
		"int32 a = 1;\n  int32 _size_flinkser = 2;": "",
		"oneof o { int32 size_flinkser = 1; }":      "",
	} {
		out, err := generate(t, map[string]string{"m.proto": "syntax = \"proto3\";\npackage d01;\noption go_package = \"example.com/d01\";\nmessage M {\n  " + field + "\n}\n"})
		if line == "" {
			if err != nil {
				t.Errorf("%s: %v", field, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), line) || !strings.Contains(err.Error(), "Flinkser is the name of a generated method") {
			t.Errorf("%s: error %v", field, err)
		}
		if len(out) != 0 {
			t.Errorf("%s: %d files were written", field, len(out))
		}
	}
	// Where the name is inside a oneof there is no conflict.
	checkValue(t, &names.Members{Value: &names.Members_SizeFlinkser{SizeFlinkser: 7}}, "0807")
	checkFields(t, "golden.names.Members")
}

func testD02(t *testing.T) {
	checkValue(t, &names.Outer{Value: &names.Outer_Inner_{Inner: &names.Outer_Inner{Text: "x"}}}, "0a030a0178")
	checkValue(t, &names.OuterEnum{Value: &names.OuterEnum_Level_{Level: names.OuterEnum_LEVEL_HIGH}}, "0801")
	checkValue(t, &names.Wrapper{C: &names.Wrapper_C1_{C1: 3}}, "0803")
}

func testD03(t *testing.T) {
	checkValue(t, &names.GetOneof{B: &names.GetOneof_A{A: true}}, "0801")
	checkValue(t, &names.GetOneof{B: &names.GetOneof_GetB{GetB: true}}, "1001")
	checkValue(t, &names.GetOneof{B: &names.GetOneof_GetB{}}, "1000")
}

func testD04(t *testing.T) {
	m := &imports.Singular{
		Wire:     &importedwire.Message{Text: "w", Kind: importedwire.Enum_ENUM_ONE},
		Flinkser: &importedflinkser.Message{Text: "f"},
		MathEnum: importedmath.Enum_ENUM_ONE,
	}
	checkValue(t, m, "0a050a01771001"+"4a030a0166"+"7001")
	checkPackage(t, "golden.imports")
	for _, p := range []string{"wire", "index", "data", "runtime", "flinkser", "proto", "math", "io", "m", "x", "b", "i", "d", "e", "s"} {
		checkPackage(t, "golden.imports."+p)
	}
}

func testD05(t *testing.T) {
	checkValue(t, &names.Shapes{A_B: 1, XLead: 2, Trail_: 3, Foo_1: 4, Foo_Bar: 5, XUnder: 7, XUnder_: 8}, "0801100218032004280538074008")
	checkValue(t, &names.M_{M_: 1}, "0801")
	checkPackage(t, "golden.names")
}

func testD06(t *testing.T) {
	for _, name := range []string{"golden.empty.Nothing", "golden.empty.Reserved", "golden.empty.Scope", "golden.empty.Scope.Inside"} {
		m := typeOf(t, name).New()
		checkValue(t, m.Interface(), "")
		m.SetUnknown(unhex(t, "0801"))
		checkValue(t, m.Interface(), "0801")
	}
	checkValue(t, &empty.Holder{Nothing: &empty.Nothing{}, Insides: []*empty.Scope_Inside{{}, {}}}, "0a0012001200")
	checkFields(t, "golden.empty.Holder")

	out, err := generate(t, map[string]string{
		"d/enums.proto":  "syntax = \"proto3\";\npackage d;\noption go_package = \"example.com/d\";\nenum E { E_ZERO = 0; }\n",
		"d/none.proto":   "syntax = \"proto3\";\npackage d;\noption go_package = \"example.com/d\";\n",
		"d/empty.proto":  "syntax = \"proto3\";\npackage d;\noption go_package = \"example.com/d\";\nmessage Nothing {}\n",
		"d/unused.proto": "syntax = \"proto3\";\npackage d;\nimport \"other/o.proto\";\noption go_package = \"example.com/d\";\nmessage Has { int32 n = 1; }\n",
		"other/o.proto":  "syntax = \"proto3\";\npackage other;\noption go_package = \"example.com/other\";\nmessage O {}\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) != 5 {
		t.Errorf("%d files were written, want 5", len(out))
	}
	for name, text := range out {
		parse(t, name, text)
	}
	if text := out["d/unused_flinkser.pb.go"]; text == "" || strings.Contains(text, "example.com/other") {
		t.Errorf("unused import:\n%s", text)
	}
}

func testD07(t *testing.T) {
	checkValue(t, &keyword.User{
		Type:   &types.Message{Text: "t", Kind: types.Enum_ENUM_ONE},
		Func:   []*funcs.Message{{Text: "f"}},
		Custom: map[string]*custom.Message{"c": {Text: "c"}},
		Dotted: &dotted.Message{Text: "d"},
		Choice: &keyword.User_Nopackage{Nopackage: &nopackage.GoldenNoPackage{Nested: &nopackage.GoldenNoPackage_Nested{N: 1}}},
	}, "0a050a01741001"+"12030a0166"+"1a080a016312030a0163"+"22030a0164"+"2a040a020801")
	for _, p := range []string{"golden.keyword", "golden.keyword.types", "golden.keyword.funcs", "golden.keyword.custom", "golden.keyword.dotted.v1", ""} {
		checkPackage(t, p)
	}
	var failed *flinkser.DecodeError
	if err := flinkser.Unmarshal([]byte{0x0a}, new(nopackage.GoldenNoPackage)); !errors.As(err, &failed) || failed.Message != "GoldenNoPackage" {
		t.Errorf("a message without package: %v", err)
	}
}

func testD08(t *testing.T) {
	var shown *pub.Shown = &imports.Shown{O: &imports.Shown_Text{Text: "x"}} // one type under two names
	checkValue(t, &imports.Handed{Shown: shown}, "0a03120178")
	checkValue(t, &imports.Others{Shown: shown, ShownEnum: imports.ShownEnum_SHOWN_ENUM_ONE}, "1a03120178"+"2801")
	checkFields(t, "golden.imports.Handed")
	checkFields(t, "golden.imports.pub.Shown")
}

func testD12(t *testing.T) {
	checkValue(t, &wellknown.Fields{Timestamp: &timestamppb.Timestamp{Seconds: 1, Nanos: 2}}, "0a0408011002")
	checkValue(t, &wellknown.Lists{Timestamp: []*timestamppb.Timestamp{{Seconds: 1}, nil}}, "0a0208010a00")
	checkValue(t, &wellknown.Maps{Timestamp: map[string]*timestamppb.Timestamp{"k": {Seconds: 1}}}, "0a070a016b12020801")
	checkValue(t, &wellknown.Choice{Choice: &wellknown.Choice_Timestamp{Timestamp: &timestamppb.Timestamp{Seconds: 1}}}, "0a020801")
	checkPackage(t, "golden.wellknown")
}

func testD13(t *testing.T) {
	checkValue(t, &names.Synthetic{Oo: proto.String("x"), XOo_: &names.Synthetic_N{N: 1}}, "0a01781001")
	checkValue(t, &names.Synthetic{Oo: proto.String(""), XOo_: &names.Synthetic_T{}}, "0a001a00")
	checkFields(t, "golden.names.Synthetic")
}

func testD17(t *testing.T) {
	const text = `syntax = "proto3";
package d17;
option go_package = "example.com/d17";
message Request { string name = 1; map<string, Request> kids = 2; oneof o { int32 n = 3; } }
message Reply { repeated Request requests = 1; }
service Greeter { rpc Hello(Request) returns (stream Reply); }
`
	out, err := generate(t, map[string]string{"d17.proto": text})
	if err != nil {
		t.Fatal(err)
	}
	// protoc-gen-go-grpc writes d17_grpc.pb.go and declares types, functions, variables and
	// constants; parse refuses all of these here.
	if len(out) != 1 || out["d17_flinkser.pb.go"] == "" {
		t.Fatalf("%d files were written", len(out))
	}
	f := parse(t, "d17_flinkser.pb.go", out["d17_flinkser.pb.go"])
	if len(f.Decls) < 14 {
		t.Errorf("only %d declarations", len(f.Decls))
	}
}

func testD20(t *testing.T) {
	scalars := []protoreflect.Kind{
		protoreflect.Int32Kind, protoreflect.Int64Kind, protoreflect.Uint32Kind, protoreflect.Uint64Kind, protoreflect.Sint32Kind, protoreflect.Sint64Kind,
		protoreflect.BoolKind, protoreflect.Fixed32Kind, protoreflect.Fixed64Kind, protoreflect.Sfixed32Kind, protoreflect.Sfixed64Kind,
		protoreflect.FloatKind, protoreflect.DoubleKind, protoreflect.EnumKind,
	}
	all := append(scalars[:len(scalars):len(scalars)], protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind)
	singular := func(fd protoreflect.FieldDescriptor) protoreflect.Kind { return fd.Kind() }
	key := func(fd protoreflect.FieldDescriptor) protoreflect.Kind { return fd.MapKey().Kind() }
	value := func(fd protoreflect.FieldDescriptor) protoreflect.Kind { return fd.MapValue().Kind() }
	keys := append(scalars[:11:11], protoreflect.StringKind)
	for _, m := range []struct {
		name  string
		is    func(protoreflect.FieldDescriptor) bool
		kind  func(protoreflect.FieldDescriptor) protoreflect.Kind
		kinds []protoreflect.Kind
	}{
		{"Implicit", func(fd protoreflect.FieldDescriptor) bool { return fd.HasPresence() == (fd.Message() != nil) }, singular, all},
		{"Optional", func(fd protoreflect.FieldDescriptor) bool { return fd.HasPresence() }, singular, all},
		{"Packed", func(fd protoreflect.FieldDescriptor) bool { return fd.IsPacked() }, singular, scalars},
		{"PackedSaid", func(fd protoreflect.FieldDescriptor) bool { return fd.IsPacked() }, singular, scalars},
		{"Unpacked", func(fd protoreflect.FieldDescriptor) bool { return fd.IsList() && !fd.IsPacked() }, singular, scalars},
		{"Lists", func(fd protoreflect.FieldDescriptor) bool { return fd.IsList() }, singular, all[len(scalars):]},
		{"Choice", func(fd protoreflect.FieldDescriptor) bool { return fd.ContainingOneof() != nil }, singular, all},
		{"MapKeys", protoreflect.FieldDescriptor.IsMap, key, keys},
		{"MapKeysOfMessages", protoreflect.FieldDescriptor.IsMap, key, keys},
		{"MapKeysOfSelf", protoreflect.FieldDescriptor.IsMap, value, keys},
		{"MapValues", protoreflect.FieldDescriptor.IsMap, value, all},
		{"MapValuesByNumber", protoreflect.FieldDescriptor.IsMap, value, all},
	} {
		t.Run(m.name, func(t *testing.T) {
			name := "golden.kinds." + m.name
			fields := typeOf(t, name).Descriptor().Fields()
			if fields.Len() != len(m.kinds) {
				t.Errorf("%d fields, want %d", fields.Len(), len(m.kinds))
			}
			for i := range min(fields.Len(), len(m.kinds)) {
				if fd := fields.Get(i); !m.is(fd) || m.kind(fd) != m.kinds[i] {
					t.Errorf("field %s is no %v in this shape", fd.Name(), m.kinds[i])
				}
			}
			checkFields(t, name)
		})
	}
	checkFields(t, "golden.kinds.Everything")
}

func testD22(t *testing.T) {
	if _, ok := proto.Message(new(structpb.Struct)).(flinkser.Message); ok {
		t.Fatal("Struct has generated code: this row tests nothing")
	}
	// The guards are the same as those of generated code.
	list := func(levels int) *structpb.Value {
		v := structpb.NewNumberValue(1)
		for range levels {
			v = structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{v}})
		}
		return v
	}
	checkDepth(t, &wellknown.Fields{Value: list(10)}, 21)
	checkDepth(t, &wellknown.Fields{Struct: &structpb.Struct{Fields: map[string]*structpb.Value{"k": list(2)}}}, 3+4)

	for _, f := range forms {
		m := f.empty(typeOf(t, "golden.wellknown.Fields"))
		var failed *flinkser.DecodeError
		err := flinkser.Unmarshal(unhex(t, "2a031a01ff"), m)
		if !errors.As(err, &failed) || !errors.Is(err, flinkser.ErrInvalidUTF8) || failed.Field != "value.string_value" || failed.Offset != 2 {
			t.Errorf("%s: read: %v", f.name, err)
		}
		bad := f.of(&wellknown.Fields{Value: structpb.NewStringValue("\xff")})
		var unwritten *flinkser.EncodeError
		if _, err := flinkser.Marshal(bad); !errors.As(err, &unwritten) || !errors.Is(err, flinkser.ErrInvalidUTF8) || unwritten.Field != "value.string_value" {
			t.Errorf("%s: write: %v", f.name, err)
		}
		many := f.of(&wellknown.Lists{ListValue: []*structpb.ListValue{{Values: make([]*structpb.Value, 1000)}}})
		b, err := flinkser.Marshal(many)
		if err != nil {
			t.Fatal(err)
		}
		m = f.empty(typeOf(t, "golden.wellknown.Lists"))
		if err := serializer(t, flinkser.WithElementBudget(1001)).DecodePayload(b, m); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
		if err := serializer(t, flinkser.WithElementBudget(1000)).DecodePayload(b, m); !errors.Is(err, flinkser.ErrBudget) {
			t.Errorf("%s: %v", f.name, err)
		}
	}
	// And so is the order of maps.
	checkValue(t, &wellknown.Fields{Struct: &structpb.Struct{Fields: map[string]*structpb.Value{
		"\ue000": structpb.NewBoolValue(true), "\U0001f600": structpb.NewBoolValue(true),
	}}}, "2217"+"0a0a0a04f09f988012022001"+"0a090a03ee808012022001")
}

func testD24(t *testing.T) {
	checkPackage(t, "golden.recursive")
	checkDepth(t, &recursive.Ping{Pong: &recursive.Pong{Pings: []*recursive.Ping{{}, {Pong: &recursive.Pong{}}}}}, 3)
	checkDepth(t, &recursive.MapLeft{Right: map[string]*recursive.MapRight{"a": {Left: map[uint64]*recursive.MapLeft{1: {}}}}}, 4)
	checkDepth(t, &recursive.RingA{B: &recursive.RingB{C: []*recursive.RingC{{A: map[bool]*recursive.RingA{true: {B: &recursive.RingB{}}}}}}}, 5)
	checkDepth(t, &recursive.ChoiceLeft{O: &recursive.ChoiceLeft_Right{Right: &recursive.ChoiceRight{O: &recursive.ChoiceRight_Left{Left: &recursive.ChoiceLeft{}}}}}, 2)
	checkDepth(t, &recursive.Value{Value: &recursive.Value_Object_{Object: &recursive.Value_Object{}}}, 1)
}
