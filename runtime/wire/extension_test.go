package wire_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/runtime/protoimpl"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/flinkser/flinkser/runtime/internal/extpb"
	"github.com/flinkser/flinkser/runtime/wire"
)

// full returns a message with every extension, in groups and messages with and without
// generated code.
func full() *extpb.Host {
	m := &extpb.Host{Before: proto.Int32(1), After: proto.Int32(300)}
	for xt, v := range map[protoreflect.ExtensionType]any{
		extpb.E_Text: "\xfftext", extpb.E_Raw: []byte("raw"), extpb.E_Small: int32(-1), extpb.E_Flag: true, extpb.E_Wide: 1.5, extpb.E_Narrow: float32(-0.5),
		extpb.E_I64: int64(-1 << 63), extpb.E_U32: uint32(1<<32 - 1), extpb.E_U64: uint64(1<<64 - 1), extpb.E_S32: int32(-5), extpb.E_S64: int64(-5),
		extpb.E_F32: uint32(1), extpb.E_F64: uint64(2), extpb.E_Sf32: int32(-3), extpb.E_Sf64: int64(-4), extpb.E_Closed: extpb.Closed_CLOSED_NEG,
		extpb.E_Host:  &extpb.Host{Groups: []*extpb.Host{{}, {Before: proto.Int32(7)}}},
		extpb.E_Plain: &extpb.Plain{N: proto.Int32(3), Group: &extpb.Host{After: proto.Int32(4)}, Plain: &extpb.Plain{}},
		extpb.E_Need:  &extpb.Need{Id: proto.Int32(9)},
		extpb.E_Group: &extpb.Group{X: proto.Int32(1), Host: &extpb.Host{}, Inner: []*extpb.Group_Inner{{}, {Y: proto.Int32(2)}}},
		extpb.E_Texts: []string{"", strings.Repeat("long", 100)}, extpb.E_Raws: [][]byte{{}, {1}}, extpb.E_Smalls: []int32{0, -1, 128}, extpb.E_Packed: []int32{0, -1, 128},
		extpb.E_Wides: []float64{0, 1}, extpb.E_Narrows: []float32{0, 1}, extpb.E_Flags: []bool{true, false}, extpb.E_S64S: []int64{-1, 1 << 40}, extpb.E_F32S: []uint32{7},
		extpb.E_Closeds: []extpb.Closed{99, extpb.Closed_CLOSED_TWO}, extpb.E_PackedCloseds: []extpb.Closed{extpb.Closed_CLOSED_NEG, 99},
		extpb.E_Hosts: []*extpb.Host{nil, {Plain: &extpb.Plain{}}}, extpb.E_Plains: []*extpb.Plain{{}, nil}, extpb.E_Needs: []*extpb.Need{{Id: proto.Int32(0)}},
		extpb.E_Groups: []*extpb.Groups{{}, {X: proto.Int32(5)}}, extpb.E_Far: []int32{1, 2},
	} {
		proto.SetExtension(m, xt, v)
	}
	return m
}

func TestExtensionsAll(t *testing.T) {
	m := full()
	m.ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, 190, protowire.VarintType), 1))
	want := reference(t, m)
	compare(t, m, want)
	got, err := encode(m, 100, true)
	if err != nil || len(got) != len(want) {
		t.Fatalf("%x (%v), want the fields of %x", got, err, want)
	}
	compare(t, m, got)
	// What is written for them does not depend on the order of a Go map.
	for range 20 {
		if again, err := encode(m, 100, true); err != nil || !bytes.Equal(again, got) {
			t.Fatalf("%x (%v), before it was %x", again, err, got)
		}
	}
	for n := range got {
		compare(t, m, got[:n])
	}
}

// TestExtensionsRange writes the extensions of a message in parts, as generated code does
// between its fields.
func TestExtensionsRange(t *testing.T) {
	m := full()
	e := wire.NewEncoder(maxBytes)
	_, last := m.AppendOfExtensions(&e, nil, 0, 100, 0, 1<<29)
	if n := m.SizeOfExtensions(&e, 100); n != last {
		t.Errorf("size %d, %d bytes written", n, last)
	}
	whole, _ := m.AppendOfExtensions(&e, nil, 0, 100, 0, 1<<29)
	for _, bounds := range [][]int32{{0, 2, 10, 30, 200, 1 << 29}, {2, 3, 9, 9, 10, 50, 51, 64, 100, 101, 536870911, 536870912}} {
		var b []byte
		i := 0
		for k := range len(bounds) - 1 {
			if b, i = m.AppendOfExtensions(&e, b, i, 100, bounds[k], bounds[k+1]); i < 0 {
				t.Fatalf("%v: %d", bounds, i)
			}
		}
		if !bytes.Equal(b[:i], whole[:last]) {
			t.Errorf("%v: %x, in one part %x", bounds, b[:i], whole[:last])
		}
	}
	previous := protowire.Number(0)
	for b := whole[:last]; len(b) > 0; {
		num, _, n := protowire.ConsumeField(b)
		if n < 0 || num < previous {
			t.Fatalf("field %d after %d", num, previous)
		}
		previous, b = num, b[n:]
	}
	// Any room at the start will do.
	for room := range last + 100 {
		if b, i := m.AppendOfExtensions(&e, make([]byte, room), 0, 100, 0, 1<<29); i != last || !bytes.Equal(b[:i], whole[:i]) {
			t.Fatalf("room %d: %d bytes", room, i)
		}
	}
	small := wire.NewEncoder(last - 1)
	if n := m.SizeOfExtensions(&small, 100); n != wire.FailSize {
		t.Errorf("size above the limit: %d", n)
	}
	if n := m.SizeOfExtensions(&e, 0); n != wire.FailDepth {
		t.Errorf("size with no level left: %d", n)
	}
	if _, i := m.AppendOfExtensions(&e, nil, 0, 0, 40, 41); i != wire.FailDepth {
		t.Errorf("append with no level left: %d", i)
	}
}

// TestExtensionsOdd has lists without elements, which are not written, and nil messages,
// which are written as empty ones.
func TestExtensionsOdd(t *testing.T) {
	m := new(extpb.Host)
	for _, xt := range []protoreflect.ExtensionType{extpb.E_Smalls, extpb.E_Packed, extpb.E_Hosts, extpb.E_Texts} {
		m.ProtoReflect().Set(xt.TypeDescriptor(), xt.New())
	}
	if out, err := encode(m, 100, true); err != nil || len(out) != 0 || len(reference(t, m)) != 0 {
		t.Errorf("empty lists: %x (%v), reference %x", out, err, reference(t, m))
	}
	if c := wire.CloneMessage(m); !proto.Equal(c, m) {
		t.Errorf("clone of empty lists: %v", c)
	}
	nilOf := func(xt protoreflect.ExtensionType, m proto.Message) protoimpl.ExtensionFields {
		x := protoimpl.ExtensionFields{77: {}}
		f := x[77]
		f.Set(xt, protoreflect.ValueOfMessage(m.ProtoReflect()))
		x[int32(xt.TypeDescriptor().Number())] = f
		return x
	}
	for _, c := range []struct {
		x    protoimpl.ExtensionFields
		want string // hex, or nothing where a required field is missing
	}{
		{nilOf(extpb.E_Host, (*extpb.Host)(nil)), "c20200"},
		{nilOf(extpb.E_Plain, (*extpb.Plain)(nil)), "ca0200"},
		{nilOf(extpb.E_Group, (*extpb.Group)(nil)), "db02dc02"},
		{nilOf(extpb.E_Need, (*extpb.Need)(nil)), ""},
		{nil, "-"},
	} {
		e := wire.NewEncoder(maxBytes)
		b, i := wire.AppendExtensions(&e, nil, 0, 100, c.x, 0, 1000)
		err := wire.CheckRequiredExtensions(c.x)
		if c.want == "" {
			if i != wire.FailRequired || !errors.Is(err, wire.ErrUninitialized) {
				t.Errorf("%v: %d, %v", c.x, i, err)
			}
			continue
		}
		want := strings.Trim(c.want, "-")
		if i < 0 || hex.EncodeToString(b[:i]) != want || err != nil || wire.SizeExtensions(&e, 100, c.x) != i {
			t.Errorf("%v: %x, %v, want %s", c.x, b[:max(i, 0)], err, want)
		}
	}
}

// TestExtensionDecode reads single fields.
func TestExtensionDecode(t *testing.T) {
	for _, c := range []struct {
		what, in, text string
		kept           bool // as an unknown field
	}{
		{"a number", "1003", "[flinkser.wire.ext.small]:3", false},
		{"bytes for a number", "1203000000", "", true},
		{"text", "a20600", `[flinkser.wire.ext.text]:""`, false},
		{"a number for text", "a00601", "", true},
		{"an element", "a0030a", "[flinkser.wire.ext.smalls]:10", false},
		{"packed elements", "a203020a0b", "[flinkser.wire.ext.smalls]:10 [flinkser.wire.ext.smalls]:11", false},
		{"no elements", "a20300", "", false},
		{"an element of a packed list", "a803ffffffff0f", "[flinkser.wire.ext.packed]:-1", false},
		{"a group", "db020801dc02", "[flinkser.wire.ext.group]:{x:1}", false},
		{"bytes for a group", "da0200", "", true},
		{"a message", "c2020208 01", "[flinkser.wire.ext.host]:{before:1}", false},
		{"a group for a message", "c302c402", "", true},
		{"outside the ranges", "e00c01", "", true},
		{"a field", "0a00", "", true},
		{"no such extension", "f00b01", "", true},
	} {
		in := string(unhex(t, strings.ReplaceAll(c.in, " ", "")))
		tag, n := protowire.ConsumeVarint([]byte(in))
		for _, keep := range []bool{true, false} {
			m := new(extpb.Host)
			d := wire.NewDecoder(0)
			var unknown, want []byte
			to := &unknown
			if !keep {
				to = nil
			} else if c.kept {
				want = []byte(in)
			}
			i, err := d.Extension(m, to, "\x08\x01"+in+"\x08\x02", 2, 2+n, tag, 100)
			if err != nil || i != 2+len(in) {
				t.Errorf("%s: index %d, %v", c.what, i, err)
				continue
			}
			if right := set(t, new(extpb.Host), c.text); !proto.Equal(m, right) || !bytes.Equal(unknown, want) {
				t.Errorf("%s: %v, unknown %x, want %v, unknown %x", c.what, m, unknown, right, want)
			}
		}
	}
}

// TestExtensionErrors has the places of failures: with generated code and without.
func TestExtensionErrors(t *testing.T) {
	for _, c := range []struct {
		in, field string
		offset    int
		err       error
	}{
		{"0801 10", "[flinkser.wire.ext.small]", 2, wire.ErrTruncated},
		{"0801 10ffffffffffffffffff7f", "[flinkser.wire.ext.small]", 2, wire.ErrOverflow},
		{"a20605", "[flinkser.wire.ext.text]", 0, wire.ErrTruncated},
		{"c202020a05", "[flinkser.wire.ext.host]", 3, wire.ErrTruncated},
		{"ea0300 ea03021080", "[flinkser.wire.ext.hosts][1].[flinkser.wire.ext.small]", 6, wire.ErrTruncated},
		{"ea0300 ea0305", "[flinkser.wire.ext.hosts]", 3, wire.ErrTruncated},
		{"db02 0801", "[flinkser.wire.ext.group]", 4, wire.ErrTruncated},
		{"db02 0801 e402", "[flinkser.wire.ext.group]", 4, wire.ErrMalformed},
		{"db02 12021080", "[flinkser.wire.ext.group].host.[flinkser.wire.ext.small]", 4, wire.ErrTruncated},
		{"53 1080", "group.[flinkser.wire.ext.small]", 1, wire.ErrTruncated},
		{"53 5b54", "group.groups[0]", 2, wire.ErrMalformed},
		{"e60c", "", 0, wire.ErrMalformed},
		{"d20200", "[flinkser.wire.ext.need].id", 0, wire.ErrUninitialized},
		{"fa0300", "[flinkser.wire.ext.needs][0].id", 0, wire.ErrUninitialized},
		{"ea0300 ea0304d2020000", "[flinkser.wire.ext.hosts][1]", 9, wire.ErrMalformed},
		{"ea0300 ea0303d20200", "[flinkser.wire.ext.hosts][1].[flinkser.wire.ext.need].id", 0, wire.ErrUninitialized},
		{"53 d20200 54", "group.[flinkser.wire.ext.need].id", 0, wire.ErrUninitialized},
	} {
		in := string(unhex(t, strings.ReplaceAll(c.in, " ", "")))
		dynamic := dynamicpb.NewMessage(new(extpb.Host).ProtoReflect().Descriptor())
		for _, m := range []proto.Message{new(extpb.Host), dynamic} {
			err := decode(wire.NewDecoder(0), in, 100, m)
			var failed *wire.DecodeError
			if !errors.As(err, &failed) || failed.Field != c.field || failed.Offset != c.offset || !errors.Is(err, c.err) {
				t.Errorf("%s into %T: %v, want field %s, offset %d, %v", c.in, m, err, c.field, c.offset, c.err)
			}
		}
	}
	for _, m := range []*extpb.Host{
		set(t, new(extpb.Host), "[flinkser.wire.ext.needs]:{id:1} [flinkser.wire.ext.needs]:{}").(*extpb.Host),
		set(t, new(extpb.Host), "group:{plain:{group:{need:{}}}}").(*extpb.Host),
		set(t, new(extpb.Host), "[flinkser.wire.ext.plain]:{[flinkser.wire.ext.plain_needs]:{}}").(*extpb.Host),
	} {
		if _, err := encode(m, 100, true); !errors.Is(err, wire.ErrUninitialized) || proto.CheckInitialized(m) == nil {
			t.Errorf("%v is written (%v)", m, err)
		}
		if err := wire.CheckRequired(m); !errors.Is(err, wire.ErrUninitialized) {
			t.Errorf("%v lacks nothing: %v", m, err)
		}
		if err := wire.CheckRequired(&extpb.Plain{Hosts: map[int32]*extpb.Host{1: m}}); !errors.Is(err, wire.ErrUninitialized) {
			t.Errorf("%v lacks nothing in a map: %v", m, err)
		}
		e := wire.NewEncoder(maxBytes)
		e.AllowPartial = true
		if b, i := wire.AppendMessage(&e, nil, 0, 100, m); i < 0 || proto.Size(m) != i {
			t.Errorf("%v: partial: %x, %d", m, b, i)
		}
	}
}

// TestExtensionHostile reads every number of Host with every wire type and a few contents,
// on its own and in groups.
func TestExtensionHostile(t *testing.T) {
	contents := []string{"", "\x00", "\x01", "\x80", "\x02\x08\x01", "\x01\x08", "\xff\xff\xff\xff\x07", "12345678", "\x08\x01"}
	for number := range protowire.Number(70) {
		for typ := range protowire.Type(8) {
			tag := string(protowire.AppendVarint(nil, uint64(number)<<3|uint64(typ)))
			for _, content := range contents {
				field := tag + content
				end := string(protowire.AppendVarint(nil, uint64(number)<<3|4))
				for _, in := range []string{field, field + end, "\x53" + field + "\x54", "\x53" + field + end + "\x54", "\xdb\x02" + field + end + "\xdc\x02", "\x0b" + field + end + "\x0c"} {
					compare(t, new(extpb.Host), []byte(in))
					compare(t, new(extpb.Plain), []byte(in))
				}
			}
		}
	}
}

func TestExtensionDepth(t *testing.T) {
	below := referenceDepth - 1
	for _, c := range []struct {
		what          string
		m             proto.Message
		before, after string
	}{
		{"groups with generated code", new(extpb.Host), "\x53", "\x54"},
		{"groups without", new(extpb.Plain), "\x2b", "\x2c"},
		{"lists of groups", new(extpb.Host), "\x5b", "\x5c"},
		{"unknown groups", new(extpb.Host), "\xe3\x0b", "\xe4\x0b"},
		{"messages in extensions", new(extpb.Host), "\xc2\x02", ""},
		{"fields", new(extpb.Host), "\xa2\x01", ""},
	} {
		for levels := below; levels < below+5; levels++ {
			var in []byte
			if c.after != "" {
				in = []byte(strings.Repeat(c.before, levels) + strings.Repeat(c.after, levels))
			} else {
				in = nestTags(c.before, levels)
			}
			want, got := fresh(c.m), fresh(c.m)
			wantErr := proto.Unmarshal(in, want)
			err := decode(wire.NewDecoder(referenceGroups), string(in), referenceDepth, got)
			if c.before == "\xc2\x02" && levels > referenceDepth && wantErr == nil {
				wantErr = wire.ErrDepth // google.golang.org/protobuf begins to count anew in each extension
			}
			if (err == nil) != (wantErr == nil) || err != nil && !errors.Is(err, wire.ErrDepth) {
				t.Errorf("%s, %d levels: %v, reference %v", c.what, levels, err, wantErr)
			}
			if err == nil && levels == below {
				e := wire.NewEncoder(maxBytes)
				if b, i := wire.AppendMessage(&e, nil, 0, referenceDepth, got); i < 0 || !bytes.Equal(b[:i], in) {
					t.Errorf("%s, %d levels: written %d", c.what, levels, i)
				}
				if n := wire.SizeMessage(&e, referenceDepth, got); n != len(in) {
					t.Errorf("%s, %d levels: size %d", c.what, levels, n)
				}
			}
		}
	}
	// The levels of all kinds count together.
	in := "\x53" + "\xc2\x02\x06" + "\xdb\x02" + "\x1b\x1c" + "\xdc\x02" + "\x54"
	for _, m := range []proto.Message{new(extpb.Host), dynamicpb.NewMessage(new(extpb.Host).ProtoReflect().Descriptor())} {
		if err := decode(wire.NewDecoder(0), in, 3, m); !errors.Is(err, wire.ErrDepth) {
			t.Errorf("%T, 4 levels at limit 3: %v", m, err)
		}
		proto.Reset(m)
		if err := decode(wire.NewDecoder(0), in, 4, m); err != nil {
			t.Errorf("%T, 4 levels at limit 4: %v", m, err)
		}
		if _, err := encode(m, 4, true); err != nil {
			t.Errorf("%T, 4 levels at limit 4: %v", m, err)
		}
		if _, err := encode(m, 3, true); !errors.Is(err, wire.ErrDepth) {
			t.Errorf("%T, 4 levels at limit 3: %v", m, err)
		}
	}
}

// nestTags returns levels messages within one another in linear time.
func nestTags(tag string, levels int) []byte {
	var parts [][]byte
	size := 0
	for range levels {
		p := protowire.AppendVarint([]byte(tag), uint64(size))
		size += len(p)
		parts = append(parts, p)
	}
	slices.Reverse(parts)
	return slices.Concat(parts...)
}

// TestGroupLinear reads 64,000 nested groups. It takes less than a tenth of a second; if each
// level looks for its own end first, that alone is two thousand million steps.
func TestGroupLinear(t *testing.T) {
	const levels = 64_000
	for _, c := range []struct {
		what          string
		m             proto.Message
		before, after string
	}{
		{"generated", new(extpb.Host), "\x53", "\x54"},
		{"protoreflect", new(extpb.Plain), "\x2b", "\x2c"},
		{"unknown", new(extpb.Plain), "\xa3\x06", "\xa4\x06"},
		{"unterminated", new(extpb.Host), "\x53", ""},
		{"extensions", new(extpb.Host), "\xdb\x02\x1b", "\x1c\xdc\x02"},
	} {
		in := strings.Repeat(c.before, levels) + strings.Repeat(c.after, levels)
		if c.what == "extensions" { // beside one another
			in = strings.Repeat(c.before+c.after, levels)
		}
		start := time.Now()
		err := decode(wire.NewDecoder(levels), in, levels, c.m)
		if (err == nil) != (c.after != "") {
			t.Errorf("%s: %v", c.what, err)
		}
		if taken := time.Since(start); taken > 3*time.Second {
			t.Errorf("%s: %v", c.what, taken)
		}
	}
}

// TestExtensionAllocated has payloads that promise more than they have.
func TestExtensionAllocated(t *testing.T) {
	for _, in := range []string{
		"a206ffffffff07", "c202ffffffff07", "aa03ffffffff07", "b203f0ffffff07", "ea03ffffffff07", "f2ffffff0f" + "ffffffff07",
		strings.Repeat("db02", 5000), strings.Repeat("53", 5000), "53" + strings.Repeat("e30c", 5000),
	} {
		raw := string(unhex(t, in))
		n := allocated(func() {
			if err := decode(wire.NewDecoder(0), raw, 100, new(extpb.Host)); err == nil {
				t.Errorf("%s is accepted", in[:12])
			}
		})
		if n > 1<<20 {
			t.Errorf("%s: %d bytes allocated", in[:12], n)
		}
	}
	d := wire.NewDecoder(0)
	in := strings.Repeat("\xea\x03\x00", 1<<18)
	if n := allocated(func() {
		if err := wire.DecodeMessage(d.Counting(1000), in, 100, new(extpb.Host)); !errors.Is(err, wire.ErrBudget) {
			t.Errorf("%v", err)
		}
	}); n > 1<<20 {
		t.Errorf("%d bytes allocated for 1000 elements", n)
	}
}

// TestGroupGenerated counts the calls of generated code in groups.
func TestGroupGenerated(t *testing.T) {
	in := "\x0b\x08\x01\x0c" + "\x13\x14" + "\x13\x08\x02\x14" + "\x1a\x00"
	m := new(extpb.Plain)
	groups, decodes := extpb.Calls.Group.Load(), extpb.Calls.Decode.Load()
	if err := decode(wire.NewDecoder(0), in, 100, m); err != nil {
		t.Fatal(err)
	}
	if g, d := extpb.Calls.Group.Load()-groups, extpb.Calls.Decode.Load()-decodes; g != 3 || d != 1 {
		t.Errorf("%d groups and %d messages read by generated code, want 3 and 1", g, d)
	}
	e := wire.NewEncoder(maxBytes)
	sizes, appends := extpb.Calls.Size.Load(), extpb.Calls.Append.Load()
	b, i := wire.AppendMessage(&e, nil, 0, 100, m)
	if i < 0 || string(b[:i]) != in || wire.SizeMessage(&e, 100, m) != i {
		t.Errorf("%x, want %x", b[:max(i, 0)], in)
	}
	if s, a := extpb.Calls.Size.Load()-sizes, extpb.Calls.Append.Load()-appends; s != 4 || a != 4 {
		t.Errorf("%d messages measured and %d written by generated code, want 4", s, a)
	}
	appends = extpb.Calls.Append.Load()
	if b, i := wire.AppendPlain(&e, nil, 0, 100, m); i < 0 || string(b[:i]) != in || extpb.Calls.Append.Load() != appends {
		t.Errorf("protoreflect only: %x, want %x", b[:max(i, 0)], in)
	}
	required := extpb.Calls.Required.Load()
	if err := wire.CheckRequired(m); err != nil || extpb.Calls.Required.Load()-required != 4 {
		t.Errorf("%d messages checked by generated code (%v), want 4", extpb.Calls.Required.Load()-required, err)
	}
}

func TestDecodeGroup(t *testing.T) {
	d := wire.NewDecoder(0)
	for _, m := range []proto.Message{new(extpb.Host), new(extpb.Plain), dynamicpb.NewMessage(new(extpb.Plain).ProtoReflect().Descriptor())} {
		for _, c := range []struct {
			in   string
			end  uint64
			n    int // -1 for an error
			want error
		}{
			{"\x1c", 0x1c, 1, nil},
			{"\x9c\x00", 0x1c, 2, nil}, // an end tag may be longer than it needs to be
			{"\xf8\x0b\x01\x1crest", 0x1c, 4, nil},
			{"\xf8\x0b\x01", 0, 3, nil},
			{"", 0, 0, nil},
			{"", 0x1c, -1, wire.ErrTruncated},
			{"\xf8\x0b\x01", 0x1c, -1, wire.ErrTruncated},
			{"\x24", 0x1c, -1, wire.ErrMalformed},
			{"\x1c", 0, -1, wire.ErrMalformed},
			{"\xe3\x0b\x1c", 0x1c, -1, wire.ErrMalformed},
		} {
			n, err := wire.DecodeGroup(&d, c.in, 10, c.end, fresh(m))
			if c.n < 0 && (err == nil || !errors.Is(err, c.want)) || c.n >= 0 && (err != nil || n != c.n) {
				t.Errorf("%T %x: %d, %v", m, c.in, n, err)
			}
		}
		if _, err := wire.DecodeGroup(&d, "\x1c", -1, 0x1c, fresh(m)); !errors.Is(err, wire.ErrDepth) {
			t.Errorf("%T: no level left: %v", m, err)
		}
	}
	for _, m := range []proto.Message{nil, (*dynamicpb.Message)(nil), (*extpb.Plain)(nil)} {
		if _, err := wire.DecodeGroup(&d, "\x1c", 10, 0x1c, m); !errors.Is(err, wire.ErrNilMessage) {
			t.Errorf("%T: %v", m, err)
		}
	}
}

func TestCloneExtensions(t *testing.T) {
	m := full()
	clone := new(extpb.Host)
	wire.CloneExtensions(clone, m)
	want := proto.Clone(m).(*extpb.Host)
	want.Before, want.After = nil, nil
	if !proto.Equal(clone, want) {
		t.Fatalf("%v, want %v", clone, want)
	}
	// Nothing is shared.
	proto.GetExtension(clone, extpb.E_Raw).([]byte)[0]++
	proto.GetExtension(clone, extpb.E_Raws).([][]byte)[1][0]++
	proto.GetExtension(clone, extpb.E_Smalls).([]int32)[0]++
	proto.GetExtension(clone, extpb.E_Host).(*extpb.Host).Groups[1].Before = nil
	proto.GetExtension(clone, extpb.E_Plain).(*extpb.Plain).Group.After = nil
	proto.GetExtension(clone, extpb.E_Group).(*extpb.Group).Inner[1].Y = nil
	proto.GetExtension(clone, extpb.E_Hosts).([]*extpb.Host)[1].Plain.N = proto.Int32(1)
	if !proto.Equal(m, full()) {
		t.Errorf("a change of the copy shows: %v", m)
	}
	// An empty byte string stays one.
	proto.SetExtension(m, extpb.E_Raw, []byte{})
	if c := wire.CloneMessage(m); !proto.HasExtension(c, extpb.E_Raw) || !proto.Equal(c, m) {
		t.Errorf("%v, want %v", c, m)
	}
}
