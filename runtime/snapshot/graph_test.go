package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/anypb"
)

type (
	fileSet = descriptorpb.FileDescriptorSet
	file    = descriptorpb.FileDescriptorProto
	msg     = descriptorpb.DescriptorProto
	fld     = descriptorpb.FieldDescriptorProto
)

// named returns a file with imports, and a message of its name in capitals.
func named(name string, imports ...string) *file {
	return &file{
		Name: proto.String(name), Dependency: imports, Syntax: proto.String("proto3"),
		MessageType: []*msg{{Name: proto.String(strings.ToUpper(strings.TrimSuffix(name, ".proto")))}},
	}
}

// holder returns a message with a field of another message's type.
func holder(name, typ string) *msg {
	return &msg{Name: proto.String(name), Field: []*fld{{
		Name: proto.String("f"), Number: proto.Int32(1), TypeName: proto.String(typ),
		Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(), Type: descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum(),
	}}}
}

func names(s *Snapshot) []string {
	var list []string
	for _, f := range s.Files().GetFile() {
		list = append(list, f.GetName())
	}
	return list
}

// TestGraph checks what is refused of a set of files, given in memory and read from a snapshot.
func TestGraph(t *testing.T) {
	weak := func(index int32) *file {
		f := named("r", "a")
		f.WeakDependency = []int32{index}
		return f
	}
	public := func(indexes ...int32) *file {
		f := named("r", "a")
		f.PublicDependency = indexes
		return f
	}
	with := func(f *file, m ...*msg) *file {
		f.MessageType = append(f.MessageType, m...)
		return f
	}
	deprecated := named("a")
	deprecated.Options = &descriptorpb.FileOptions{Deprecated: proto.Bool(true)}
	twice := named("r", "a", "a")
	publicTwice := named("b", "a", "a")
	publicTwice.PublicDependency = []int32{1}
	message := func(f *file, name string) *file {
		f.MessageType = []*msg{{Name: proto.String(name)}}
		return f
	}
	for _, c := range []struct {
		name     string
		files    []*file
		sentinel error
	}{
		{"one file", []*file{named("r")}, nil},
		{"an import", []*file{named("r", "a"), named("a")}, nil},
		{"an unused import", []*file{named("r", "a"), named("a")}, nil},
		{"an import twice", []*file{twice, named("a")}, nil},
		{"a public import twice", []*file{with(named("r", "b"), holder("X", ".A")), publicTwice, named("a")}, nil},
		{"equal files", []*file{named("a"), named("r", "a"), named("a"), named("r", "a")}, nil},
		{"no file", nil, ErrMissingRoot},
		{"empty name", []*file{named("r"), {}}, ErrEmptyFileName},
		{"empty name, and nothing else right", []*file{{Dependency: []string{"x"}, WeakDependency: []int32{7}}, named("r"), weak(9)}, ErrEmptyFileName},
		{"conflicting files", []*file{named("a"), named("r", "a"), deprecated}, ErrConflictingFile},
		{"conflicting and unresolved", []*file{named("r", "x"), named("r", "y")}, ErrConflictingFile},
		{"weak import", []*file{weak(0), named("a")}, nil},
		{"weak import 1", []*file{weak(1), named("a")}, ErrWeakDependency},
		{"weak import 3", []*file{weak(3), named("a")}, ErrWeakDependency},
		{"weak import -1", []*file{weak(-1), named("a")}, ErrWeakDependency},
		{"weak import in the second of equal files", []*file{named("r", "a"), weak(1)}, ErrWeakDependency},
		{"unresolved", []*file{named("r", "a")}, ErrUnresolvedImport},
		{"unresolved, of the import", []*file{named("r", "a"), named("a", "b")}, ErrUnresolvedImport},
		{"cyclic, itself", []*file{named("r", "r")}, ErrCyclicImports},
		{"cyclic, two", []*file{named("r", "a"), named("a", "r")}, ErrCyclicImports},
		{"cyclic, three", []*file{named("r", "a"), named("a", "b"), named("b", "c"), named("c", "a")}, ErrCyclicImports},
		{"cyclic, and unresolved", []*file{named("r", "r", "x")}, ErrUnresolvedImport},
		{"public import", []*file{public(0), named("a")}, nil},
		{"public import -1", []*file{public(-1), named("a")}, ErrInvalidGraph},
		{"public import 1", []*file{public(1), named("a")}, ErrInvalidGraph},
		{"unresolved type", []*file{with(named("r"), holder("X", ".Y"))}, ErrInvalidGraph},
		{"type of a file that is not imported", []*file{with(named("r", "a"), holder("X", ".B")), named("a", "b"), named("b")}, ErrInvalidGraph},
		{"message twice", []*file{with(named("r"), &msg{Name: proto.String("R")})}, ErrInvalidGraph},
		{"syntax", []*file{{Name: proto.String("r"), Syntax: proto.String("proto4")}}, ErrInvalidGraph},
		{"ambiguous", []*file{named("r", "a"), message(named("a"), "R")}, ErrAmbiguousRoot},
		{"ambiguous, and not imported", []*file{named("r"), message(named("a"), "R")}, ErrAmbiguousRoot},
		{"missing", []*file{message(named("r"), "S")}, ErrMissingRoot},
		{"missing, and not imported", []*file{message(named("r"), "S"), named("a")}, ErrMissingRoot},
		{"not imported", []*file{named("r"), named("a")}, ErrOutsideClosure},
		{"imports the root", []*file{named("r"), named("a", "r")}, ErrOutsideClosure},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := &fileSet{File: c.files}
			s, err := OfFiles(set, "R", Settings{JavaClass: "x"})
			if !errors.Is(err, c.sentinel) || (s == nil) != (err != nil) {
				t.Errorf("%v; want %v", err, c.sentinel)
			}
			p := validParts(t).with(mustMarshal(t, set))
			p.name = text("R")
			if len(p.files) == 0 {
				refuses(t, p.bytes(), ErrDescriptorLength)
				return
			}
			if c.sentinel != nil {
				refuses(t, p.bytes(), c.sentinel)
				return
			}
			if read := mustParse(t, p.bytes()); read.Digest() != s.Digest() {
				t.Errorf("read %v, made %v", names(read), names(s))
			}
		})
	}
}

// TestOrder checks the order of files.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		files []*file
		want  string
	}{
		{[]*file{named("r", "b", "a"), named("b", "z"), named("a"), named("z")}, "a z b r"},
		{[]*file{named("z"), named("r", "a", "b"), named("a"), named("b", "z")}, "a z b r"},
		{[]*file{named("r", "b"), named("b", "c"), named("c")}, "c b r"},
		{[]*file{named("r", "\uffee", "\U0001f600"), named("\U0001f600"), named("\uffee")}, "\U0001f600 \uffee r"}, // by UTF-16 code unit
		{[]*file{named("r", "a.proto", "a/b", "a"), named("a"), named("a/b"), named("a.proto")}, "a a.proto a/b r"},
	} {
		for _, f := range c.files {
			if f.GetName() != "r" {
				f.MessageType = nil // not every name of a file is one of a message
			}
		}
		for range 10 {
			rand.Shuffle(len(c.files), func(i, j int) { c.files[i], c.files[j] = c.files[j], c.files[i] })
			s, err := OfFiles(&fileSet{File: c.files}, "R", Settings{})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(names(s), " "); got != c.want {
				t.Errorf("%s; want %s", got, c.want)
			}
			root := s.files[len(s.files)-1]
			for _, f := range c.files {
				if f.GetName() == "r" && !slices.Equal(f.GetDependency(), root.GetDependency()) {
					t.Errorf("the root's imports %v became %v", f.GetDependency(), root.GetDependency())
				}
			}
		}
	}
}

// TestSameNamesApart checks that two files may declare the same name, as for protobuf-java, if no file sees both.
func TestSameNamesApart(t *testing.T) {
	a, b := named("a"), named("b")
	for _, f := range []*file{a, b} {
		f.MessageType = append(f.MessageType, &msg{Name: proto.String("Same")})
	}
	a.MessageType = append(a.MessageType, holder("InA", ".Same"))
	b.MessageType = append(b.MessageType, holder("InB", ".Same"))
	s, err := OfFiles(&fileSet{File: []*file{named("r", "a", "b"), a, b}}, "R", Settings{})
	if err != nil {
		t.Fatal(err)
	}
	imports := s.Descriptor().ParentFile().Imports()
	for i, name := range []protoreflect.Name{"InA", "InB"} {
		fd := imports.Get(i).Messages().ByName(name).Fields().Get(0)
		if got := fd.Message().ParentFile().Path(); got != imports.Get(i).Path() {
			t.Errorf("%s.f is of %s", name, got)
		}
	}
}

// nested returns a file with a message that is nested in others, levels in all, and has a field.
func nested(levels int) *file {
	m := &msg{Name: proto.String("M"), Field: []*fld{{
		Name: proto.String("f"), Number: proto.Int32(1), Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
		Type: descriptorpb.FieldDescriptorProto_TYPE_INT32.Enum(),
	}}}
	for range levels - 1 {
		m = &msg{Name: proto.String("M"), NestedType: []*msg{m}}
	}
	return &file{Name: proto.String("deep"), MessageType: []*msg{m}}
}

// TestDepth checks that 99 levels of messages with a field are accepted, and 100 are not; and groups in unknown
// fields count as levels.
func TestDepth(t *testing.T) {
	groups := func(levels int) []byte {
		b := bytes.Repeat(protowire.AppendTag(nil, 5000, protowire.StartGroupType), levels)
		return append(b, bytes.Repeat(protowire.AppendTag(nil, 5000, protowire.EndGroupType), levels)...)
	}
	unknown := func(levels int) *file {
		f := named("m")
		f.ProtoReflect().SetUnknown(groups(levels))
		return f
	}
	inOptions := func(levels int) *file {
		f := named("m")
		f.Options = &descriptorpb.FileOptions{}
		f.Options.ProtoReflect().SetUnknown(groups(levels))
		return f
	}
	for _, c := range []struct {
		name string
		f    *file
		root protoreflect.FullName
		ok   bool
	}{
		{"98 levels", nested(98), "M", true},
		{"99 levels", nested(99), "M", true},
		{"100 levels", nested(100), "M", false},
		{"101 levels", nested(101), "M", false},
		{"3000 levels", nested(3000), "M", false},
		{"100 groups", unknown(100), "M", true},
		{"101 groups", unknown(101), "M", false},
		{"9000 groups", unknown(9000), "M", false},
		{"99 groups in options", inOptions(99), "M", true},
		{"100 groups in options", inOptions(100), "M", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := &fileSet{File: []*file{c.f}}
			s, err := OfFiles(set, c.root, Settings{})
			if (err == nil) != c.ok || err != nil && !errors.Is(err, ErrDescriptorSet) {
				t.Errorf("OfFiles: %v", err)
			}
			p := validParts(t).with(mustMarshal(t, set))
			p.name = text(string(c.root))
			if !c.ok {
				refuses(t, p.bytes(), ErrDescriptorSet)
				return
			}
			if got := mustParse(t, p.bytes()); got.Digest() != s.Digest() {
				t.Error("read, it is another one")
			}
		})
	}
	// A dynamic descriptor may be nested deeper than it can be saved.
	fd, err := protodesc.NewFile(nested(100), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OfDescriptor(fd.Messages().Get(0), Settings{}); !errors.Is(err, ErrDescriptorSet) {
		t.Errorf("OfDescriptor: %v", err)
	}
	if fd, err = protodesc.NewFile(nested(99), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := OfDescriptor(fd.Messages().Get(0), Settings{}); err != nil {
		t.Errorf("OfDescriptor: %v", err)
	}
}

// TestSetBytes checks sets that no writer makes.
func TestSetBytes(t *testing.T) {
	plain := mustMarshal(t, &fileSet{File: []*file{named("r")}})
	other := protowire.AppendVarint([]byte{0x8a, 0x80, 0x00}, uint64(len(plain)-2)) // the tag of field 1 in three bytes
	other = append(other, plain[2:]...)
	for _, c := range []struct {
		name     string
		b        []byte
		sentinel error
	}{
		{"end of a group", append(slices.Clone(plain), 0x0c), ErrDescriptorSet},
		{"end of a group and a zero", append(slices.Clone(plain), 0x0c, 0), ErrDescriptorSet},
		{"zero", append(slices.Clone(plain), 0), ErrDescriptorSet},
		{"half a tag", append(slices.Clone(plain), 0x80), ErrDescriptorSet},
		{"group without an end", append(slices.Clone(plain), 0x13), ErrDescriptorSet},
		{"group with another end", append(slices.Clone(plain), 0x13, 0x1c), ErrDescriptorSet},
		{"wire type 6", append(slices.Clone(plain), 0x16, 0), ErrDescriptorSet},
		{"option without its required fields", slices.Concat(plain, mustMarshal(t, &fileSet{File: []*file{{Name: proto.String("x"), Options: options(0xba, 0x3e, 0x02, 0x12, 0x00)}}})), ErrDescriptorSet},
		{"unknown field of the set", append(slices.Clone(plain), 0x10, 0x07), nil},
		{"longer tag", other, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := validParts(t).with(c.b)
			p.name = text("R")
			if c.sentinel != nil {
				refuses(t, p.bytes(), c.sentinel)
				return
			}
			s := mustParse(t, p.bytes())
			again := mustParse(t, mustAppend(t, s))
			if !bytes.Equal(again.encoded, s.encoded) || s.Digest() != again.Digest() {
				t.Error("written and read again, it is another one")
			}
			if c.name == "longer tag" && !bytes.Equal(s.encoded, plain) {
				t.Errorf("%x is not %x", s.encoded, plain)
			}
			if c.name == "unknown field of the set" && (!bytes.Equal(s.encoded, c.b) || len(s.Files().ProtoReflect().GetUnknown()) != 2) {
				t.Errorf("%x is not %x", s.encoded, c.b)
			}
		})
	}
}

func options(unknown ...byte) *descriptorpb.FileOptions {
	o := &descriptorpb.FileOptions{}
	o.ProtoReflect().SetUnknown(unknown)
	return o
}

// TestSourceInfo checks that source info does not count.
func TestSourceInfo(t *testing.T) {
	set := compile(t, map[string]string{"m.proto": "syntax = \"proto3\"; // with\nmessage M {}"})
	with, err := OfFiles(set, "M", Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if set.GetFile()[0].GetSourceCodeInfo() == nil {
		t.Fatal("no source info, or what was given has been changed")
	}
	without := compile(t, map[string]string{"m.proto": "syntax = \"proto3\";\n\n\nmessage M {}"})
	without.GetFile()[0].SourceCodeInfo = nil
	s, err := OfFiles(without, "M", Settings{})
	if err != nil || s.Digest() != with.Digest() {
		t.Errorf("%v, or another digest", err)
	}
	p := validParts(t).with(mustMarshal(t, set))
	p.name = text("M")
	if got := mustParse(t, p.bytes()); got.Digest() != s.Digest() {
		t.Error("read, it has another digest")
	}
}

// TestRegroup checks the order of unknown fields.
func TestRegroup(t *testing.T) {
	var b []byte
	add := func(number protowire.Number, typ protowire.Type, value ...byte) {
		b = append(protowire.AppendTag(b, number, typ), value...)
	}
	add(60000, protowire.BytesType, 1, 'x')
	add(50000, protowire.StartGroupType)
	add(7, protowire.BytesType, 0)
	add(3, protowire.Fixed32Type, 1, 2, 3, 4)
	add(3, protowire.VarintType, 5)
	add(50000, protowire.EndGroupType)
	add(50000, protowire.BytesType, 1, 'b')
	add(50000, protowire.Fixed64Type, 1, 2, 3, 4, 5, 6, 7, 8)
	add(50000, protowire.Fixed32Type, 9, 9, 9, 9)
	add(50000, protowire.VarintType, 0x82, 0x00) // 2, longer than need be
	add(50000, protowire.BytesType, 0x81, 0x00, 'a')
	add(50000, protowire.VarintType, 1)
	given := b
	b = nil
	add(50000, protowire.VarintType, 2)
	add(50000, protowire.VarintType, 1)
	add(50000, protowire.Fixed32Type, 9, 9, 9, 9)
	add(50000, protowire.Fixed64Type, 1, 2, 3, 4, 5, 6, 7, 8)
	add(50000, protowire.BytesType, 1, 'b')
	add(50000, protowire.BytesType, 1, 'a')
	add(50000, protowire.StartGroupType)
	add(3, protowire.VarintType, 5)
	add(3, protowire.Fixed32Type, 1, 2, 3, 4)
	add(7, protowire.BytesType, 0)
	add(50000, protowire.EndGroupType)
	add(60000, protowire.BytesType, 1, 'x')
	want := b

	f := named("m")
	f.Options = options(given...)
	f.MessageType[0].ProtoReflect().SetUnknown(given)
	set := &fileSet{File: []*file{f}}
	set.ProtoReflect().SetUnknown(given)
	s, err := OfFiles(set, "M", Settings{})
	if err != nil {
		t.Fatal(err)
	}
	got := s.Files()
	for place, b := range map[string][]byte{
		"set":     got.ProtoReflect().GetUnknown(),
		"options": got.GetFile()[0].GetOptions().ProtoReflect().GetUnknown(),
		"message": got.GetFile()[0].GetMessageType()[0].ProtoReflect().GetUnknown(),
	} {
		if !bytes.Equal(b, want) {
			t.Errorf("%s:\n got %x\nwant %x", place, b, want)
		}
	}
}

// TestUnknownEnum checks that values which closed enums do not have become unknown fields, as in protobuf-java.
func TestUnknownEnum(t *testing.T) {
	f := named("m")
	f.Options = &descriptorpb.FileOptions{OptimizeFor: descriptorpb.FileOptions_OptimizeMode(77).Enum()}
	f.MessageType[0].Field = []*fld{{
		Name: proto.String("f"), Number: proto.Int32(1), Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
		Type: descriptorpb.FieldDescriptorProto_TYPE_INT32.Enum(),
		Options: &descriptorpb.FieldOptions{
			Targets: []descriptorpb.FieldOptions_OptionTargetType{55, descriptorpb.FieldOptions_TARGET_TYPE_ENUM, -1},
			Jstype:  descriptorpb.FieldOptions_JSType(-5).Enum(),
		},
	}}
	s, err := OfFiles(&fileSet{File: []*file{f}}, "M", Settings{})
	if err != nil {
		t.Fatal(err)
	}
	o := s.Files().GetFile()[0].GetOptions()
	if o.OptimizeFor != nil || !bytes.Equal(o.ProtoReflect().GetUnknown(), []byte{9 << 3, 77}) {
		t.Errorf("file options: %v", o)
	}
	fo := s.Files().GetFile()[0].GetMessageType()[0].GetField()[0].GetOptions()
	minus := func(tag []byte, n int64) []byte { return protowire.AppendVarint(tag, uint64(n)) }
	want := slices.Concat(minus([]byte{6 << 3}, -5), []byte{0x98, 0x01, 55}, minus([]byte{0x98, 0x01}, -1))
	if fo.Jstype != nil || len(fo.GetTargets()) != 1 || !bytes.Equal(fo.ProtoReflect().GetUnknown(), want) {
		t.Errorf("field options: %v\n%x\n%x", fo, fo.ProtoReflect().GetUnknown(), want)
	}
}

// TestLargest checks the limit of 64 MiB, with a file whose one option fills it up.
func TestLargest(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a few hundred MiB of memory, and -short asks for less")
	}
	withBytes := func(n int) *fileSet {
		f := named("m")
		f.Options = options(protowire.AppendBytes(protowire.AppendTag(nil, 50000, protowire.BytesType), make([]byte, n))...)
		return &fileSet{File: []*file{f}}
	}
	over := proto.Size(withBytes(MaxDescriptorBytes)) - MaxDescriptorBytes
	s, err := OfFiles(withBytes(MaxDescriptorBytes-over), "M", Settings{})
	if err != nil || len(s.encoded) != MaxDescriptorBytes {
		t.Fatalf("%v, %d bytes", err, proto.Size(withBytes(MaxDescriptorBytes-over)))
	}
	b := mustAppend(t, s)
	if got, err := Read(bytes.NewReader(b)); err != nil || got.Digest() != s.Digest() {
		t.Errorf("read: %v", err)
	}
	if s, err := OfFiles(withBytes(MaxDescriptorBytes-over+1), "M", Settings{}); !errors.Is(err, ErrDescriptorLength) || s != nil {
		t.Errorf("one byte more: %v", err)
	}
}

// TestGuard checks that descriptors which would take much more memory than they have bytes are refused before.
func TestGuard(t *testing.T) {
	empty := &msg{}
	for range 200_000 {
		empty.NestedType = append(empty.NestedType, &msg{})
	}
	long := &msg{Name: proto.String(strings.Repeat("x", 100_000))}
	for i := range 1000 {
		long.NestedType = append(long.NestedType, &msg{Name: proto.String(fmt.Sprint("m", i))})
	}
	for _, c := range []struct {
		name     string
		m        *msg
		sentinel error
		most     uint64
	}{
		{"empty messages", empty, ErrDescriptorSet, 1 << 20},
		{"long names", long, ErrInvalidGraph, 8 << 20},
	} {
		p := validParts(t).with(mustMarshal(t, &fileSet{File: []*file{{Name: proto.String("m"), MessageType: []*msg{c.m}}}}))
		b := p.bytes()
		var err error
		if n := allocated(func() { _, _, err = Parse(b) }); n > c.most {
			t.Errorf("%s: %d bytes allocated for %d", c.name, n, len(b))
		}
		if !errors.Is(err, c.sentinel) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestImportWays has pairs of files that import both files of the pair before publicly: the ways double with each pair.
func TestImportWays(t *testing.T) {
	for _, c := range []struct {
		pairs    int
		sentinel error
	}{{10, nil}, {60, ErrInvalidGraph}} {
		set := &fileSet{}
		var before []string
		for i := range c.pairs {
			a, b := fmt.Sprint("a", i), fmt.Sprint("b", i)
			for _, name := range []string{a, b} {
				f := &file{Name: proto.String(name), Dependency: before}
				for k := range before {
					f.PublicDependency = append(f.PublicDependency, int32(k))
				}
				set.File = append(set.File, f)
			}
			before = []string{a, b}
		}
		set.File[0].MessageType = []*msg{{Name: proto.String("A")}}
		set.File = append(set.File, &file{Name: proto.String("r"), Dependency: before, MessageType: []*msg{{
			Name: proto.String("M"), Field: []*descriptorpb.FieldDescriptorProto{{Name: proto.String("a"), Number: proto.Int32(1), TypeName: proto.String(".A")}},
		}}})
		if _, err := OfFiles(set, "M", Settings{JavaClass: "M"}); !errors.Is(err, c.sentinel) {
			t.Errorf("%d pairs: %v, want %v", c.pairs, err, c.sentinel)
		}
	}
}

// TestFilesIsACopy checks that nobody can change a snapshot.
func TestFilesIsACopy(t *testing.T) {
	x := fixtures(t)[0]
	s := mustParse(t, x.bytes)
	files := s.Files()
	files.GetFile()[0].Name = proto.String("changed")
	files.GetFile()[1].GetMessageType()[0].Field = nil
	if !bytes.Equal(mustAppend(t, s), x.bytes) || names(s)[0] == "changed" {
		t.Error("the snapshot has changed")
	}
	given := s.Files()
	made, err := OfFiles(given, x.root, x.settings)
	if err != nil {
		t.Fatal(err)
	}
	given.GetFile()[0].Name = proto.String("changed")
	if !bytes.Equal(mustAppend(t, made), x.bytes) || names(made)[0] == "changed" {
		t.Error("the snapshot has changed with what it was made of")
	}
	b := bytes.Clone(x.bytes)
	s = mustParse(t, b)
	clear(b)
	if !bytes.Equal(mustAppend(t, s), x.bytes) {
		t.Error("the snapshot has changed with the bytes that it was read from")
	}
}

// TestNeverTheProgramsOwn checks that a saved schema is not mixed up with a linked one of the same name.
func TestNeverTheProgramsOwn(t *testing.T) {
	s, err := Of(&anypb.Any{}, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	own := (*anypb.Any)(nil).ProtoReflect().Descriptor()
	if s.Descriptor() == own || s.Descriptor().ParentFile() == own.ParentFile() {
		t.Error("the descriptor is the program's")
	}
	if got := names(s); len(got) != 1 || got[0] != "google/protobuf/any.proto" {
		t.Errorf("files %v", got)
	}
	other := &file{
		Name: proto.String("google/protobuf/any.proto"), Package: proto.String("google.protobuf"),
		MessageType: []*msg{{Name: proto.String("Any")}},
	}
	changed, err := OfFiles(&fileSet{File: []*file{other}}, "google.protobuf.Any", Settings{})
	if err != nil || changed.Descriptor().Fields().Len() != 0 {
		t.Errorf("%v, or it has the fields of the linked one", err)
	}
}
