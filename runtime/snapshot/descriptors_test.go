package snapshot

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/pluginpb"
)

// jsonNames returns the JSON names of the fields of a message in a snapshot, "-" where there is none.
func jsonNames(t *testing.T, md protoreflect.MessageDescriptor, settings Settings) string {
	t.Helper()
	s, err := OfDescriptor(md, settings)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	last := s.files[len(s.files)-1]
	for _, f := range last.GetMessageType()[0].GetField() {
		name := "-"
		if f.JsonName != nil {
			name = f.GetJsonName()
		}
		list = append(list, name)
	}
	return strings.Join(list, " ")
}

// TestJSONNames checks which JSON names a snapshot has.
func TestJSONNames(t *testing.T) {
	const text = `syntax = "proto3";
		import "google/protobuf/timestamp.proto";
		message M {
			string some_name = 1 [json_name = "someName"];
			string other_name = 2 [json_name = "x"];
			string third_name = 3;
			map<string, int32> a_map = 4 [json_name = "aMap"];
			google.protobuf.Timestamp at_time = 5;
			oneof o { int32 in_oneof = 6 [json_name = "inOneof"]; }
		}`
	set := compile(t, map[string]string{"m.proto": text})
	withInfo := message(t, set, "M")
	for _, f := range set.GetFile() {
		f.SourceCodeInfo = nil
	}
	without := message(t, set, "M")
	for _, c := range []struct {
		name     string
		md       protoreflect.MessageDescriptor
		settings Settings
		want     string
	}{
		{"source info", withInfo, Settings{}, "someName x - aMap - inOneof"},
		{"no source info", without, Settings{}, "- x - - - -"},
		{"all", without, Settings{KeepJSONNames: true}, "someName x thirdName aMap atTime inOneof"},
		{"all, source info", withInfo, Settings{KeepJSONNames: true}, "someName x thirdName aMap atTime inOneof"},
		{"named", without, Settings{JSONNames: []protoreflect.FullName{"M.some_name", "M.no_such"}}, "someName x - - - -"},
	} {
		if got := jsonNames(t, c.md, c.settings); got != c.want {
			t.Errorf("%s: %s; want %s", c.name, got, c.want)
		}
	}
	// Those of files that come with protobuf-java stay, those of map entries never do.
	s, err := OfDescriptor(withInfo, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if f := s.files[0]; f.GetName() != "google/protobuf/timestamp.proto" || f.GetMessageType()[0].GetField()[0].GetJsonName() != "seconds" {
		t.Errorf("%v", f)
	}
	if entry := s.files[1].GetMessageType()[0].GetNestedType()[0]; entry.GetField()[0].JsonName != nil {
		t.Errorf("%v", entry)
	}
	// A set is taken as it is.
	given, err := OfFiles(set, "M", Settings{})
	if err != nil || given.files[1].GetMessageType()[0].GetField()[2].GetJsonName() != "thirdName" {
		t.Errorf("%v, or the set lost JSON names", err)
	}
}

func TestDefaultJSONName(t *testing.T) {
	for name, want := range map[string]string{
		"a": "a", "a_b": "aB", "a__b": "aB", "_lead": "Lead", "a_": "a", "aB_c": "aBC", "a_1b": "a1b", "A_B": "AB", "a_9_c": "a9C", "foo_Bar": "fooBar", "": "",
	} {
		if got := defaultJSONName(name); got != want {
			t.Errorf("%s: %s; want %s", name, got, want)
		}
	}
}

// TestFloatDefaults checks the spelling of numbers, which is that of C.
func TestFloatDefaults(t *testing.T) {
	for _, c := range []struct {
		text string
		bits int
		want string
	}{
		{"1e+06", 64, "1000000"},
		{"1000000", 64, "1000000"},
		{"1e+15", 64, "1e+15"},
		{"999999999999999", 64, "999999999999999"},
		{"1e21", 64, "1e+21"},
		{"0.0001", 64, "0.0001"},
		{"0.00001", 64, "1e-05"},
		{"1e-7", 64, "1e-07"},
		{"0.1", 64, "0.1"},
		{"0.30000000000000004", 64, "0.30000000000000004"},
		{"0.3", 64, "0.3"},
		{"1e300", 64, "1e+300"},
		{"-0", 64, "-0"},
		{"0", 64, "0"},
		{"inf", 64, "inf"},
		{"-inf", 64, "-inf"},
		{"nan", 64, "nan"},
		{"-nan", 64, "-nan"},
		{"1.7976931348623157e308", 64, "1.7976931348623157e+308"},
		{"5e-324", 64, "4.94065645841247e-324"},
		{"123456789012345678", 64, "1.2345678901234568e+17"},
		{"100", 64, "100"},
		{"1e+06", 32, "1e+06"},
		{"100000", 32, "100000"},
		{"999999", 32, "999999"},
		{"16777216", 32, "16777216"},
		{"0.1", 32, "0.1"},
		{"0.33333334", 32, "0.333333343"},
		{"3.4028235e38", 32, "3.40282347e+38"},
		{"1.4e-45", 32, "1.40129846e-45"},
		{"1.1754944e-38", 32, "1.17549435e-38"},
		{"inf", 32, "inf"},
		{"nan", 32, "nan"},
		{"no number", 32, "no number"},
		{"", 64, ""},
	} {
		if got := cFloat(c.text, c.bits); got != c.want {
			t.Errorf("%s (%d): %s; want %s", c.text, c.bits, got, c.want)
		}
		if again := cFloat(cFloat(c.text, c.bits), c.bits); again != c.want {
			t.Errorf("%s (%d): %s the second time", c.text, c.bits, again)
		}
	}
	for _, v := range []float64{math.Pi, 1 / 3.0, 2.5e-5, 1e22, 123456.7, math.MaxFloat64, math.SmallestNonzeroFloat64} {
		back, err := strconv.ParseFloat(cFloat(strconv.FormatFloat(v, 'g', -1, 64), 64), 64)
		if err != nil || back != v {
			t.Errorf("%v became %v, %v", v, back, err)
		}
		f := float32(v)
		if math.IsInf(float64(f), 0) {
			continue
		}
		back, err = strconv.ParseFloat(cFloat(strconv.FormatFloat(float64(f), 'g', -1, 32), 32), 32)
		if err != nil || float32(back) != f {
			t.Errorf("%v became %v, %v", f, back, err)
		}
	}
}

// TestDynamic checks that it does not matter how descriptors came to be, nor what message they are asked for.
func TestDynamic(t *testing.T) {
	set := compile(t, map[string]string{
		"m.proto": `syntax = "proto3"; import "n.proto"; message M { N n = 1; message In { M m = 1; } }`,
		"n.proto": `syntax = "proto3"; message N { int32 some_number = 1; }`,
	})
	md := message(t, set, "M")
	want, err := OfDescriptor(md, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Of(dynamicpb.NewMessage(md), Settings{})
	if err != nil || got.Digest() != want.Digest() || got.JavaClass() != "MOuterClass$M" {
		t.Errorf("%v, %s", err, show(got))
	}
	saved, err := OfDescriptor(want.Descriptor(), Settings{})
	if err != nil || saved.Digest() != want.Digest() {
		t.Errorf("of its own descriptor: %v", err)
	}
	inner, err := OfDescriptor(md.Messages().Get(0), Settings{})
	if err != nil || inner.Digest() != want.Digest() || inner.JavaClass() != "MOuterClass$M$In" || inner.Fingerprint() == want.Fingerprint() {
		t.Errorf("of a nested message: %v, %s", err, show(inner))
	}
}

// TestUnresolved checks descriptors whose imports are not there.
func TestUnresolved(t *testing.T) {
	f := named("m", "gone.proto")
	fd, err := protodesc.FileOptions{AllowUnresolvable: true}.New(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := OfDescriptor(fd.Messages().Get(0), Settings{}); !errors.Is(err, ErrUnresolvedImport) || s != nil {
		t.Errorf("%v", err)
	}
	// Nor is one of the program's files taken in its place.
	f = named("m", "google/protobuf/timestamp.proto")
	if fd, err = (protodesc.FileOptions{AllowUnresolvable: true}).New(f, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := OfDescriptor(fd.Messages().Get(0), Settings{}); !errors.Is(err, ErrUnresolvedImport) {
		t.Errorf("%v", err)
	}
	// Two files of one name, of which each is imported by another file.
	first, err := protodesc.NewFile(named("x"), nil)
	if err != nil {
		t.Fatal(err)
	}
	other := named("x")
	other.Package = proto.String("p")
	second, err := protodesc.NewFile(other, nil)
	if err != nil {
		t.Fatal(err)
	}
	var files protoregistry.Files
	for _, c := range []struct {
		name string
		x    protoreflect.FileDescriptor
	}{{"a", first}, {"b", second}} {
		var one protoregistry.Files
		if err := one.RegisterFile(c.x); err != nil {
			t.Fatal(err)
		}
		fd, err := protodesc.NewFile(named(c.name, "x"), &one)
		if err != nil {
			t.Fatal(err)
		}
		if err := files.RegisterFile(fd); err != nil {
			t.Fatal(err)
		}
	}
	if fd, err = protodesc.NewFile(named("r", "a", "b"), &files); err != nil {
		t.Fatal(err)
	}
	if _, err := OfDescriptor(fd.Messages().Get(0), Settings{}); !errors.Is(err, ErrConflictingFile) {
		t.Errorf("%v", err)
	}
}

// TestJavaFeatures checks the file that .proto files for Java import, which is not part of a Go program.
func TestJavaFeatures(t *testing.T) {
	f := new(descriptorpb.FileDescriptorProto)
	if err := proto.Unmarshal(javaFeaturesBytes, f); err != nil {
		t.Fatal(err)
	}
	fd, err := javaFeaturesFile()
	if err != nil {
		t.Fatal(err)
	}
	s, err := OfDescriptor(fd.Messages().Get(0), Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if got := mustMarshal(t, s.files[1]); !bytes.Equal(got, javaFeaturesBytes) {
		t.Errorf("%d bytes, protobuf-java has %d", len(got), len(javaFeaturesBytes))
	}
	m := named("m", javaFeaturesPath)
	user, err := protodesc.FileOptions{AllowUnresolvable: true}.New(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = OfDescriptor(user.Messages().Get(0), Settings{}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(names(s), " "); got != "google/protobuf/descriptor.proto google/protobuf/java_features.proto m" {
		t.Errorf("files %s", got)
	}
}

// TestRuntimeFiles checks that the files which come with protobuf-java are left as they are linked.
func TestRuntimeFiles(t *testing.T) {
	for _, m := range []proto.Message{&structpb.Struct{}, &timestamppb.Timestamp{}, &descriptorpb.FileDescriptorSet{}, &pluginpb.CodeGeneratorRequest{}} {
		s, err := Of(m, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		fd := m.ProtoReflect().Descriptor().ParentFile()
		want := mustMarshal(t, protodesc.ToFileDescriptorProto(fd))
		if got := mustMarshal(t, s.files[len(s.files)-1]); !bytes.Equal(got, want) {
			t.Errorf("%s has other bytes", fd.Path())
		}
		if !bytes.Contains(want, []byte("fileToGenerate")) && fd.Path() == "google/protobuf/compiler/plugin.proto" {
			t.Error("no JSON names")
		}
	}
}

// TestOptionPieces checks that the pieces of a custom option are put together, as protoc does for Java.
func TestOptionPieces(t *testing.T) {
	const settings = `syntax = "proto2"; package s; import "google/protobuf/descriptor.proto";
		message Note { optional string b = 2; optional int32 a = 1; optional Note note = 3; repeated int32 list = 4 [packed = true]; }
		extend google.protobuf.MessageOptions { optional Note note = 50001; repeated int32 numbers = 50000; }`
	set := compile(t, map[string]string{
		"settings.proto": settings,
		"m.proto":        `syntax = "proto3"; import "settings.proto"; message M { option (s.note) = { b: "x" a: 1 list: [1, 2] note { a: 3 b: "y" } }; option (s.numbers) = 2; option (s.numbers) = 1; }`,
	})
	whole, err := OfDescriptor(message(t, set, "M"), Settings{})
	if err != nil {
		t.Fatal(err)
	}
	// The same, in pieces and in another order, as a compiler may have left it.
	pieces := []byte{
		0x8a, 0xb5, 0x18, 5, 0x12, 1, 'z', 0x20, 1, // note: b = "z", list: 1, not packed
		0x80, 0xb5, 0x18, 2, // numbers: 2
		0x8a, 0xb5, 0x18, 5, 0x1a, 3, 0x12, 1, 'y', // note.note.b
		0x8a, 0xb5, 0x18, 3, 0x22, 1, 2, // note.list
		0x8a, 0xb5, 0x18, 4, 0x1a, 2, 8, 3, // note.note.a
		0x80, 0xb5, 0x18, 1, // numbers: 1
		0x8a, 0xb5, 0x18, 5, 8, 1, 0x12, 1, 'x', // note: a, b
	}
	changed := proto.CloneOf(set)
	o := new(descriptorpb.MessageOptions)
	o.ProtoReflect().SetUnknown(pieces)
	changed.GetFile()[len(changed.GetFile())-1].GetMessageType()[0].Options = o
	got, err := OfDescriptor(message(t, changed, "M"), Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Digest() != whole.Digest() {
		last := len(got.files) - 1
		t.Errorf("\n got %x\nwant %x", mustMarshal(t, got.files[last]), mustMarshal(t, whole.files[last]))
	}
}
