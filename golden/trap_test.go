package golden_test

import (
	"bytes"
	"encoding/hex"
	"go/build"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/flinkser/flinkser/golden/cases"
	"github.com/flinkser/flinkser/golden/hybrid"
	"github.com/flinkser/flinkser/golden/names"
	"github.com/flinkser/flinkser/golden/opaque"
	"github.com/flinkser/flinkser/golden/recursive"
	"github.com/flinkser/flinkser/internal/differ"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// traps returns the tests of what protoc-gen-go's output holds for a generator in the same
// package, in the order of testdata/traps.ids.
func traps() []row {
	return []row{
		{"1", testTrapStaleValue},
		{"2", testTrapLazy},
		{"3", testTrapEmptyList},
		{"4", testTrapTypedNil},
		{"5", testTrapNilMessages},
		{"6", testTrapOrder},
		{"7", testTrapClosedEnum},
		{"8", testTrapDelimited},
		{"9", testTrapEmptyBytes},
		{"10", testTrapWrapperName},
		{"11", testTrapUnderscores},
		{"14", testTrapPackageNames},
		{"15", testTrapFileSuffixes},
		{"16", testTrapHybridFile},
		{"17", testD19},
		{"25", testTrapLazyOrder},
	}
}

func TestTrap(t *testing.T) {
	for _, r := range traps() {
		t.Run(r.id, r.test)
	}
}

// hiddenField returns a field of the struct of an opaque message, which no accessor stands before.
func hiddenField(t *testing.T, m proto.Message, goName string) reflect.Value {
	t.Helper()
	v := reflect.ValueOf(m).Elem().FieldByName("xxx_hidden_" + goName)
	if !v.IsValid() {
		t.Fatalf("%T has no field for %s", m, goName)
	}
	return v
}

// ways are the ways to read a payload into a message that may hold something.
var ways = map[string][]flinkser.Option{
	"safe":               nil,
	"aliasing":           {flinkser.WithAliasing()},
	"reuse":              {flinkser.WithReuse()},
	"reuse and aliasing": {flinkser.WithReuse(), flinkser.WithAliasing()},
	"merge":              {flinkser.WithMerge()},
}

// readOver reads the payload in hex into m in each way, m being made anew for each, and
// compares with the reference, which merges where this does.
func readOver[M proto.Message](t *testing.T, in string, make func() M, check func(t *testing.T, way string, m M)) {
	t.Helper()
	b := unhex(t, in)
	for way, opts := range ways {
		want := make()
		if err := (proto.UnmarshalOptions{Merge: way == "merge"}).Unmarshal(b, want); err != nil {
			t.Fatalf("reference: %v", err)
		}
		got := make()
		if err := serializer(t, opts...).DecodePayload(bytes.Clone(b), got); err != nil {
			t.Errorf("%s: %v", way, err)
			continue
		}
		if !proto.Equal(want, got) {
			t.Errorf("%s: got %v, reference %v", way, got, want)
		}
		checkWritten(t, way, got, differ.Canonical(nil, want.ProtoReflect()))
		if check != nil {
			check(t, way, got)
		}
	}
}

func testTrapStaleValue(t *testing.T) {
	cleared := func() *opaque.Special {
		m := new(opaque.Special)
		m.SetNumber(5)
		m.SetText("five")
		m.SetRaw([]byte{5})
		m.SetReal(5)
		m.SetClosed(opaque.Closed_CLOSED_NONE)
		m.ClearNumber()
		m.ClearText()
		m.ClearRaw()
		m.ClearReal()
		m.ClearClosed()
		return m
	}
	absent := func(t *testing.T, way string, m *opaque.Special) {
		t.Helper()
		if m.HasNumber() || m.HasText() || m.HasRaw() || m.HasReal() || m.HasClosed() {
			t.Errorf("%s: there is something in %v", way, m)
		}
		if m.GetNumber() != 7 || m.GetText() != "seven" || string(m.GetRaw()) != "\x01\xff" || m.GetReal() > -1e308 || m.GetClosed() != opaque.Closed_CLOSED_THREE {
			t.Errorf("%s: other defaults: %d %q %x %v %v", way, m.GetNumber(), m.GetText(), m.GetRaw(), m.GetReal(), m.GetClosed())
		}
	}
	if hiddenField(t, cleared(), "Number").Int() == 0 {
		t.Log("the struct holds nothing any more: there is no trap here")
	}
	checkValue(t, cleared(), "")
	absent(t, "cleared", cleared())
	clone, err := serializer(t).Clone(cleared())
	if err != nil {
		t.Fatal(err)
	}
	absent(t, "clone", clone.(*opaque.Special))
	readOver(t, "", cleared, absent)
	// What an earlier payload has left is stale in the same way.
	full := unhex(t, "0805 120466697665 1a0105 210000000000001440 28ffffffffffffffffff01")
	for _, opts := range [][]flinkser.Option{{flinkser.WithReuse()}, {flinkser.WithReuse(), flinkser.WithAliasing()}, nil} {
		m := new(opaque.Special)
		s := serializer(t, opts...)
		for range 2 {
			for _, in := range [][]byte{full, {}} {
				if err := s.DecodePayload(in, m); err != nil {
					t.Fatal(err)
				}
				checkWritten(t, "read one after another", m, in)
			}
			absent(t, "read one after another", m)
		}
	}
	// The default itself is a value, if it is there.
	readOver(t, "0807", cleared, func(t *testing.T, way string, m *opaque.Special) {
		if !m.HasNumber() || m.GetNumber() != 7 {
			t.Errorf("%s: the default is absent", way)
		}
	})
}

// lazyPayload has fields that may stay undecoded, and others.
const lazyPayload = "0801" + "12041202" + "4003" + "1a020804" + "1a00" + "22020805" + "2a020806" + "32020807" + "4008"

// readLazily reads a payload with the reference, which leaves the field called goName undecoded.
func readLazily[M proto.Message](t *testing.T, in string, m M, goName string) M {
	t.Helper()
	if err := proto.Unmarshal(unhex(t, in), m); err != nil {
		t.Fatal(err)
	}
	if !hiddenField(t, m, goName).IsNil() {
		t.Fatalf("%s is decoded: this tests nothing", goName)
	}
	return m
}

func testTrapLazy(t *testing.T) {
	read := func() *opaque.Lazy { return readLazily(t, lazyPayload, new(opaque.Lazy), "One") }
	if m := read(); !m.HasOne() || !m.HasLeaf() {
		t.Fatal("the reference has lost a field")
	}
	payload := unhex(t, lazyPayload)
	s := serializer(t, flinkser.WithDeterministic())
	for what, f := range map[string]func(m *opaque.Lazy) ([]byte, error){
		"plain":         func(m *opaque.Lazy) ([]byte, error) { return flinkser.Marshal(m) },
		"deterministic": func(m *opaque.Lazy) ([]byte, error) { return s.AppendPayload(nil, m) },
		"clone": func(m *opaque.Lazy) ([]byte, error) {
			c, err := s.Clone(m)
			if err != nil {
				return nil, err
			}
			return flinkser.Marshal(c)
		},
		"reflected": func(m *opaque.Lazy) ([]byte, error) { return flinkser.Marshal(differ.Hidden{Message: m}) },
	} {
		if out, err := f(read()); err != nil || !bytes.Equal(out, payload) {
			t.Errorf("%s: %x (%v), want %x", what, out, err, payload)
		}
	}
	if n, err := s.Size(read()); err != nil || n != len(payload) {
		t.Errorf("size %d (%v)", n, err)
	}
	// Over and into a message with undecoded fields.
	for _, in := range []string{"", "1202" + "4009", "1a020809", "2202" + "1200", "12041a0208011200", lazyPayload} {
		readOver(t, in, read, nil)
	}
	// Cleared, replaced, and read once more.
	m := read()
	m.ClearOne()
	m.SetMany(nil)
	m.SetLeaf(opaque.Leaf_builder{Number: proto.Int32(9)}.Build())
	checkWritten(t, "changed", m, unhex(t, "0801"+"22020809"+"2a020806"+"32020807"+"4008"))
	// The lock of an undecoded field is that of its message: it may be written by many at once.
	shared := read()
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			if out, err := flinkser.Marshal(shared); err != nil || !bytes.Equal(out, payload) {
				t.Errorf("written at the same time: %x (%v)", out, err)
			}
		})
	}
	writers.Wait()
}

func testTrapEmptyList(t *testing.T) {
	empty := func() *opaque.Lazy {
		m := new(opaque.Lazy)
		m.SetMany(nil)
		return m
	}
	if v := hiddenField(t, empty(), "Many"); v.IsNil() || v.Elem().Len() != 0 {
		t.Log("a list that is set to nil is no pointer to an empty one any more: there is no trap here")
	}
	checkValue(t, empty(), "")
	readOver(t, "", empty, nil)
	readOver(t, "1a0208011a00", empty, func(t *testing.T, way string, m *opaque.Lazy) {
		if len(m.GetMany()) != 2 {
			t.Errorf("%s: %d elements", way, len(m.GetMany()))
		}
	})
	tree := opaque.Tree_builder{Children: []*opaque.Tree{{}}}.Build()
	tree.SetChildren([]*opaque.Tree{})
	checkValue(t, tree, "")
	if tree.ProtoReflect().Has(tree.ProtoReflect().Descriptor().Fields().ByName("children")) {
		t.Error("an empty list is there")
	}
}

func testTrapTypedNil(t *testing.T) {
	testB02(t)
	for name, make := range map[string]func() proto.Message{
		"message": func() proto.Message { return &cases.All{O: (*cases.All_Om)(nil)} },
		"scalar":  func() proto.Message { return &cases.All{O: (*cases.All_Oi)(nil)} },
		"bytes":   func() proto.Message { return &cases.All{O: (*cases.All_Ob)(nil)} },
	} {
		t.Run(name, func(t *testing.T) {
			checkValue(t, make(), "")
			for _, in := range []string{"", "5a020801", "d00107", "ca010161", "5a0208015a021002"} {
				readOver(t, in, make, nil)
			}
		})
	}
	group := func() proto.Message { return &cases.G{O: (*cases.G_Og_)(nil)} }
	checkValue(t, group(), "")
	readOver(t, "3b08013c", group, nil)
	closed := func() proto.Message { return &cases.Msg{O: (*cases.Msg_Oe)(nil)} }
	checkValue(t, closed(), "")
	readOver(t, "5802", closed, nil)
}

func testTrapNilMessages(t *testing.T) {
	checkValue(t, &cases.All{O: &cases.All_Om{}}, "5a00")
	checkValue(t, &cases.All{Rm: []*cases.Inner{nil}}, "920100")
	checkValue(t, &cases.All{Msm: map[string]*cases.Inner{"": nil}}, "3a040a001200")
	checkValue(t, &cases.G{Rg: []*cases.G_Rg{nil}, O: &cases.G_Og_{}}, "3334"+"3b3c")
	checkValue(t, &recursive.Value{Value: &recursive.Value_Object_{}}, valueObject(t))
	checkValue(t, opaque.Tree_builder{Children: []*opaque.Tree{nil}, Named: map[string]*opaque.Tree{"": nil}}.Build(), "1200"+"1a040a001200")
	checkValue(t, hybrid.Tree_builder{Children: []*hybrid.Tree{nil}, Named: map[string]*hybrid.Tree{"": nil}}.Build(), "1200"+"1a040a001200")
	checkValue(t, opaque.Lazy_builder{Many: []*opaque.Lazy{nil, {}}}.Build(), "1a001a00")
	checkValue(t, opaque.Hidden_builder{Many: []*opaque.Leaf{nil}}.Build(), "1314")
	// A nil in a list is there, a nil in a field is not.
	checkValue(t, opaque.Lazy_builder{One: nil, Chosen: nil}.Build(), "")
	// Reading over them needs no memory that is not there.
	readOver(t, "920102080192010210025a0208013a070a00120312019a", func() *cases.All { return new(cases.All) }, nil)
	readOver(t, "92010208015a0208013a080a00120408011002", func() *cases.All {
		return &cases.All{O: &cases.All_Om{}, Rm: []*cases.Inner{nil, nil}, Msm: map[string]*cases.Inner{"": nil}}
	}, nil)
	readOver(t, "12020a00"+"1a040a001200", func() *opaque.Tree {
		return opaque.Tree_builder{Children: []*opaque.Tree{nil, nil}, Named: map[string]*opaque.Tree{"": nil}}.Build()
	}, nil)
}

// valueObject returns what a recursive.Value with an empty object is written as.
func valueObject(t *testing.T) string {
	t.Helper()
	b, err := proto.Marshal(&recursive.Value{Value: &recursive.Value_Object_{Object: &recursive.Value_Object{}}})
	if err != nil || len(b) == 0 {
		t.Fatal(err)
	}
	return hex.EncodeToString(b)
}

func testTrapOrder(t *testing.T) {
	testB11(t)
	o := func(b opaque.Order_builder) *opaque.Order {
		b.F5, b.F20 = proto.Int32(5), []int32{20}
		m := b.Build()
		proto.SetExtension(m, opaque.E_Tenth, new(opaque.Order))
		proto.SetExtension(m, opaque.E_Seventh, int32(7))
		return m
	}
	const rest = "3807"
	checkValue(t, o(opaque.Order_builder{H9: proto.Int32(9), L6: proto.Int32(6)}), "2805"+"3006"+rest+"4809"+"5200"+"a2010114")
	checkValue(t, o(opaque.Order_builder{H2: proto.String("2"), L1: proto.Int32(1)}), "0801"+"120132"+"2805"+rest+"5200"+"a2010114")
	checkValue(t, o(opaque.Order_builder{H30: new(opaque.Order)}), "2805"+rest+"5200"+"a2010114"+"f20100")
	h := hybrid.Order_builder{H9: proto.Int32(9), L6: proto.Int32(6), F5: proto.Int32(5), F20: []int32{20}}.Build()
	proto.SetExtension(h, hybrid.E_Tenth, new(hybrid.Order))
	proto.SetExtension(h, hybrid.E_Seventh, int32(7))
	checkValue(t, h, "2805"+"3006"+rest+"4809"+"5200"+"a2010114")
	checkFields(t, "golden.opaque.Order")
	checkFields(t, "golden.hybrid.Order")
}

func testTrapClosedEnum(t *testing.T) {
	readOver(t, "0863"+"1063"+"1a0163"+"22040a001063"+"5863", func() *cases.Msg { return &cases.Msg{} }, func(t *testing.T, way string, m *cases.Msg) {
		if m.GetE() != 99 || m.Re[0] != 99 || m.Pe[0] != 99 || m.Me[""] != 99 || m.GetOe() != 99 || len(m.ProtoReflect().GetUnknown()) != 0 {
			t.Errorf("%s: %v", way, m)
		}
	})
	readOver(t, "2863"+"520163", func() *opaque.Special { return new(opaque.Special) }, func(t *testing.T, way string, m *opaque.Special) {
		if m.GetClosed() != 99 || m.GetClosedList()[0] != 99 || len(m.ProtoReflect().GetUnknown()) != 0 {
			t.Errorf("%s: %v", way, m)
		}
	})
	readOver(t, "2863"+"520163", func() *hybrid.Special { return new(hybrid.Special) }, func(t *testing.T, way string, m *hybrid.Special) {
		if m.GetClosed() != 99 || m.GetClosedList()[0] != 99 || len(m.ProtoReflect().GetUnknown()) != 0 {
			t.Errorf("%s: %v", way, m)
		}
	})
}

func testTrapDelimited(t *testing.T) {
	unknown := func(want string) func(*testing.T, string, proto.Message) {
		return func(t *testing.T, way string, m proto.Message) {
			t.Helper()
			if got := m.ProtoReflect().GetUnknown(); !bytes.Equal(got, unhex(t, want)) {
				t.Errorf("%s: unknown fields %x, want %s", way, got, want)
			}
		}
	}
	for _, c := range []struct {
		m           proto.Message
		in, unknown string
	}{
		{new(cases.M), "3a021002", "3a021002"},
		{new(cases.M), "3b10023c" + "3a021003", "3a021003"},
		{new(cases.Msg), "2a020801", "2a020801"},
		{new(opaque.Hidden), "0a00" + "0b0c" + "1200", "0a00" + "1200"},
		{new(hybrid.Hidden), "0a00" + "0b0c" + "1200", "0a00" + "1200"},
		{new(opaque.Choice), "a20100", "a20100"},
		// And the other way round.
		{new(opaque.Lazy), "1314" + "1200" + "2b2c", "1314" + "2b2c"},
		{new(cases.All), "1b1c" + "9301" + "9401", "1b1c" + "9301" + "9401"},
	} {
		readOver(t, c.in, func() proto.Message { return c.m.ProtoReflect().New().Interface() }, unknown(c.unknown))
	}
}

func testTrapEmptyBytes(t *testing.T) {
	notNil := func(t *testing.T, way string, b []byte) {
		t.Helper()
		if b == nil || len(b) != 0 {
			t.Errorf("%s: %#v", way, b)
		}
	}
	readOver(t, "7200"+"ca0100", func() *cases.All { return &cases.All{} }, func(t *testing.T, way string, m *cases.All) {
		notNil(t, way, m.Optb)
		notNil(t, way, m.GetOb())
	})
	readOver(t, "4200", func() *cases.Msg { return &cases.Msg{B: []byte("before")} }, func(t *testing.T, way string, m *cases.Msg) { notNil(t, way, m.B) })
	readOver(t, "820100", func() *opaque.Explicit { return opaque.Explicit_builder{FBytes: []byte("before")}.Build() }, func(t *testing.T, way string, m *opaque.Explicit) {
		notNil(t, way, m.GetFBytes())
		if !m.HasFBytes() {
			t.Errorf("%s: absent", way)
		}
	})
	readOver(t, "820100", func() *hybrid.Explicit { return hybrid.Explicit_builder{FBytes: []byte("before")}.Build() }, func(t *testing.T, way string, m *hybrid.Explicit) {
		notNil(t, way, m.GetFBytes())
		if !m.HasFBytes() {
			t.Errorf("%s: absent", way)
		}
	})
	for _, m := range []proto.Message{&cases.All{Optb: []byte{}}, &cases.Msg{B: []byte{}}, opaque.Explicit_builder{FBytes: []byte{}}.Build()} {
		clone, err := serializer(t).Clone(m)
		if err != nil || !proto.Equal(clone, m) {
			t.Errorf("clone of %v is %v (%v)", m, clone, err)
		}
	}
}

func testTrapWrapperName(t *testing.T) {
	checkValue(t, &names.Wrapper{C: &names.Wrapper_C1_{C1: 1}}, "0801")
	checkValue(t, &names.Outer{Value: &names.Outer_Inner_{Inner: &names.Outer_Inner{}}}, "0a00")
	checkValue(t, opaque.Wrapper_builder{C1: proto.Int32(1)}.Build(), "0801")
	checkValue(t, opaque.Wrapper_builder{C2: new(opaque.Wrapper_C1)}.Build(), "1200")
	checkValue(t, hybrid.Wrapper_builder{C1: proto.Int32(1)}.Build(), "0801")
	for _, name := range []string{"golden.names.Wrapper", "golden.names.Outer", "golden.names.OuterEnum", "golden.opaque.Wrapper", "golden.hybrid.Wrapper"} {
		checkFields(t, name)
	}
}

func testTrapUnderscores(t *testing.T) {
	checkValue(t, &names.Shapes{A_B: 1, XLead: 2}, "0801"+"1002")
	checkValue(t, opaque.Mangled_builder{A_B: proto.Int32(1), XLead: proto.Int32(2)}.Build(), "800101"+"880102")
	checkValue(t, hybrid.Mangled_builder{A_B: proto.Int32(1), XLead: proto.Int32(2)}.Build(), "800101"+"880102")
	for _, name := range []string{"golden.names.Shapes", "golden.opaque.Names", "golden.hybrid.Names", "golden.opaque.Mangled", "golden.hybrid.Mangled"} {
		checkFields(t, name)
	}
}

func testTrapPackageNames(t *testing.T) {
	// The last element of the import path of every golden package with messages.
	ends := map[string]bool{}
	for _, mt := range goldenTypes() {
		opts := mt.Descriptor().ParentFile().Options().(*descriptorpb.FileOptions)
		importPath, _, _ := strings.Cut(opts.GetGoPackage(), ";")
		ends[path.Base(importPath)] = true
	}
	for _, name := range []string{"m", "x", "b", "d", "e", "i", "s", "wire", "runtime", "flinkser", "type", "func", "proto", "math", "io", "data", "index"} {
		if !ends[name] {
			t.Errorf("no golden package ends in %s; there are %v", name, slices.Sorted(maps.Keys(ends)))
		}
	}
	checkPackage(t, "golden.imports")
	checkPackage(t, "golden.keyword.types")
}

// goFiles returns the files of a golden package that the go command takes with a GOOS and
// build tags.
func goFiles(t *testing.T, pkg, goos string, tags ...string) []string {
	t.Helper()
	ctx := build.Default
	ctx.GOOS, ctx.BuildTags = goos, tags
	p, err := ctx.ImportDir(pkg, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p.GoFiles
}

func testTrapFileSuffixes(t *testing.T) {
	always := []string{"f_test.pb.go", "f_test_flinkser.pb.go", "windows.pb.go", "windows_flinkser.pb.go"}
	if got := goFiles(t, "suffix", "linux"); !slices.Equal(got, always) {
		t.Errorf("on Linux: %v", got)
	}
	want := slices.Sorted(slices.Values(append(always, "f_windows.pb.go", "f_windows_flinkser.pb.go")))
	if got := slices.Sorted(slices.Values(goFiles(t, "suffix", "windows"))); !slices.Equal(got, want) {
		t.Errorf("on Windows: %v, want %v", got, want)
	}
	checkFields(t, "golden.suffix.Test")
	checkFields(t, "golden.suffix.Plain")
}

func testTrapHybridFile(t *testing.T) {
	// Two files of each generator, for one tag.
	for _, tt := range []struct {
		tags []string
		want []string
	}{
		{nil, []string{"hybrid.pb.go", "hybrid_flinkser.pb.go", "mangled.pb.go", "mangled_flinkser.pb.go"}},
		{[]string{"protoopaque"}, []string{"hybrid_flinkser_protoopaque.pb.go", "hybrid_protoopaque.pb.go", "mangled_flinkser_protoopaque.pb.go", "mangled_protoopaque.pb.go"}},
	} {
		if got := goFiles(t, "hybrid", "linux", tt.tags...); !slices.Equal(got, tt.want) {
			t.Errorf("%v: %v, want %v", tt.tags, got, tt.want)
		}
	}
	// With the tag, messages that are open otherwise are opaque too.
	for file, opaque := range map[string]bool{"hybrid_flinkser.pb.go": false, "hybrid_flinkser_protoopaque.pb.go": true} {
		b, err := os.ReadFile(filepath.Join("hybrid", file))
		if err != nil {
			t.Fatal(err)
		}
		_, code, found := strings.Cut(string(b), "func (m *Delimited) AppendFlinkser(")
		code, _, ended := strings.Cut(code, "\n}\n")
		if !found || !ended || strings.Contains(code, "xxx_hidden_") != opaque {
			t.Errorf("%s: opaque is not %t:\n%s", file, opaque, code)
		}
	}
	md := new(hybrid.Delimited).ProtoReflect().Descriptor()
	m := new(hybrid.Delimited).ProtoReflect()
	m.Mutable(md.Fields().ByName("one")).Message().Mutable(md.Fields().ByName("plain"))
	m.Mutable(md.Fields().ByName("many")).List().AppendMutable()
	checkValue(t, m.Interface(), "0b1a000c"+"1314")
	h := new(hybrid.Hidden)
	h.SetOpen(m.Interface().(*hybrid.Delimited))
	h.SetText("t")
	checkValue(t, h, "1a060b1a000c1314"+"2a0174")
}

func testTrapLazyOrder(t *testing.T) {
	// Fields in another order than they are written in, and an overlong varint: the
	// reference writes what it has not decoded as it came, unless it is deterministic.
	const in = "1206" + "4003" + "08818000" + "2206" + "12016e" + "088100"
	const out = "1204" + "0801" + "4003" + "2205" + "0801" + "12016e"
	read := func() *opaque.Lazy { return readLazily(t, in, new(opaque.Lazy), "One") }
	asItCame, err := proto.Marshal(read())
	if err != nil || !bytes.Equal(asItCame, unhex(t, in)) {
		t.Logf("the reference writes undecoded fields as %x (%v)", asItCame, err)
	}
	theirs, err := proto.MarshalOptions{Deterministic: true}.Marshal(read())
	if err != nil || !bytes.Equal(theirs, unhex(t, out)) {
		t.Errorf("the reference writes %x (%v)", theirs, err)
	}
	checkWritten(t, "deterministic", read(), unhex(t, out))
	plain, err := flinkser.Marshal(read())
	if err != nil || !bytes.Equal(plain, unhex(t, out)) {
		t.Errorf("plain: %x (%v)", plain, err)
	}
	if n, err := serializer(t).Size(read()); err != nil || n != len(out)/2 {
		t.Errorf("size %d (%v)", n, err)
	}
	if reflected, err := serializer(t, flinkser.WithDeterministic()).AppendPayload(nil, differ.Hidden{Message: read()}); err != nil || !bytes.Equal(reflected, unhex(t, out)) {
		t.Errorf("reflected: %x (%v)", reflected, err)
	}
	// Entries of a map in an undecoded message, and members of a oneof.
	const mapped = "220c" + "42050a01621200" + "42030a0161"
	readMap := func() *opaque.Mangled { return readLazily(t, mapped, new(opaque.Mangled), "XLazy") }
	checkWritten(t, "a map", readMap(), unhex(t, "220e"+"42050a01611200"+"42050a01621200"))
	var field protoreflect.FieldDescriptor = readMap().ProtoReflect().Descriptor().Fields().ByNumber(4)
	if !readMap().ProtoReflect().Has(field) {
		t.Error("the lazy field is absent")
	}
}
