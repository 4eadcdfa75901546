package wire_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/flinkser/flinkser/golden/cases"
	"github.com/flinkser/flinkser/runtime/wire"
)

// nest returns levels fields with the tags before and, for groups, after around the payload
// inner.
func nest(levels int, before, after string, inner []byte) []byte {
	b := inner
	for range levels {
		if after == "" {
			b = append([]byte(before), protowire.AppendBytes(nil, b)...)
		} else {
			b = slices.Concat([]byte(before), b, []byte(after))
		}
	}
	return b
}

func TestReflectDepth(t *testing.T) {
	const limit = 100
	for _, c := range []struct {
		what, message, before, after string
		inner                        string
		below                        int  // levels of inner
		writes                       bool // the levels are known fields
	}{
		{"next", "t3.Rec", "\x12", "", "", 0, true},
		{"list", "t3.Rec", "\x22", "", "", 0, true},
		{"alt", "t3.Rec", "\x2a", "", "", 0, true},
		{"map entry", "t3.Rec", "\x12", "", "\x1a\x00", 1, false}, // gets a value, a level more, when it is written
		{"map value", "t3.Rec", "\x12", "", "\x1a\x02\x12\x00", 2, true},
		{"unknown groups", "t3.Empty", "\x0b", "\x0c", "", 0, false},
		{"known groups", "e.M", "\x3b", "\x3c", "", 0, true},
	} {
		levels := limit - c.below
		m := dynamic(t, c.message)
		at := nest(levels, c.before, c.after, []byte(c.inner))
		if err := decode(wire.NewDecoder(0), string(at), limit, m); err != nil {
			t.Errorf("%s: at the limit: %v", c.what, err)
			continue
		}
		if c.writes {
			if _, err := encode(m, limit, false); err != nil {
				t.Errorf("%s: write at the limit: %v", c.what, err)
			}
			if _, err := encode(m, limit-1, false); !errors.Is(err, wire.ErrDepth) {
				t.Errorf("%s: write above the limit: %v", c.what, err)
			}
			e := wire.NewEncoder(maxBytes)
			if n := wire.SizeMessage(&e, limit-1, m); n != wire.FailDepth {
				t.Errorf("%s: size above the limit: %d", c.what, n)
			}
		}
		above := nest(levels+1, c.before, c.after, []byte(c.inner))
		if err := decode(wire.NewDecoder(0), string(above), limit, fresh(m)); !errors.Is(err, wire.ErrDepth) {
			t.Errorf("%s: above the limit: %v", c.what, err)
		}
	}
	// A scalar map entry is a level.
	entry := dynamic(t, "t3.All")
	if err := decode(wire.NewDecoder(0), "\x32\x00", 0, entry); !errors.Is(err, wire.ErrDepth) {
		t.Errorf("scalar entry at limit 0: %v", err)
	}
	if err := decode(wire.NewDecoder(0), "\x32\x00", 1, entry); err != nil {
		t.Errorf("scalar entry at limit 1: %v", err)
	}
	if _, err := encode(entry, 0, false); !errors.Is(err, wire.ErrDepth) {
		t.Errorf("writing a scalar entry at limit 0: %v", err)
	}
	// An unknown group in an entry is a level below the entry.
	group := "\x32\x04" + strings.Repeat("\x1b", 2) + strings.Repeat("\x1c", 2)
	if err := decode(wire.NewDecoder(0), group, 2, entry); !errors.Is(err, wire.ErrDepth) {
		t.Errorf("groups in an entry at limit 2: %v", err)
	}
	if err := decode(wire.NewDecoder(0), group, 3, entry); err != nil {
		t.Errorf("groups in an entry at limit 3: %v", err)
	}
}

func TestReflectDeep(t *testing.T) {
	const levels = 100_000
	payload := nestFast(levels)
	for _, in := range []string{string(payload), strings.Repeat("\x0b", levels)} {
		n := allocated(func() {
			if err := decode(wire.NewDecoder(0), in, 100, dynamic(t, "t3.Rec")); !errors.Is(err, wire.ErrDepth) {
				t.Errorf("%v", err)
			}
		})
		if n > 1<<20 {
			t.Errorf("%d bytes allocated", n)
		}
	}
	// All of them can be read. Fewer are written: where a length is longer than was guessed,
	// the bytes behind it move, once for each level.
	if err := decode(wire.NewDecoder(0), string(payload), levels, dynamic(t, "t3.Rec")); err != nil {
		t.Error(err)
	}
	const written = levels / 5
	payload = nestFast(written)
	m := dynamic(t, "t3.Rec")
	if err := decode(wire.NewDecoder(0), string(payload), written, m); err != nil {
		t.Fatal(err)
	}
	out, err := encode(m, written, false)
	if err != nil || !bytes.Equal(out, payload) {
		t.Errorf("%d bytes written (%v), want the %d read", len(out), err, len(payload))
	}
	groups := strings.Repeat("\x3b", levels) + strings.Repeat("\x3c", levels)
	g := dynamic(t, "e.M")
	if err := decode(wire.NewDecoder(0), groups, levels, g); err != nil {
		t.Fatal(err)
	}
	if out, err := encode(g, levels, false); err != nil || string(out) != groups {
		t.Errorf("%d bytes of groups written (%v), want %d", len(out), err, len(groups))
	}
}

// nestFast returns levels messages Rec within one another in linear time.
func nestFast(levels int) []byte {
	var parts [][]byte
	size := 0
	for range levels {
		p := protowire.AppendVarint([]byte{0x12}, uint64(size))
		size += len(p)
		parts = append(parts, p)
	}
	slices.Reverse(parts)
	return slices.Concat(parts...)
}

func TestReflectBudget(t *testing.T) {
	empties := strings.Repeat("\x92\x01\x00", 1<<20)
	d := wire.NewDecoder(0)
	n := allocated(func() {
		err := wire.DecodeMessage(d.Counting(1000), empties, 100, dynamic(t, "t3.All"))
		if !errors.Is(err, wire.ErrBudget) {
			t.Errorf("%v", err)
		}
	})
	if n > 1<<20 {
		t.Errorf("%d bytes allocated for 1000 elements", n)
	}
	for _, c := range []struct {
		what, in string
		elements int
	}{
		{"messages", "\x1a\x00\x92\x01\x00\x92\x01\x00", 3},
		{"strings in a list", "\x9a\x01\x00\x9a\x01\x00", 2},
		{"scalar entries", "\x32\x00\x32\x00", 2},
		{"message entries", "\x3a\x02\x12\x00\x3a\x00", 3},
		{"singular strings and numbers", "\x0a\x00\x12\x00\x22\x02\x01\x02", 0},
	} {
		if err := wire.DecodeMessage(d.Counting(c.elements), c.in, 100, dynamic(t, "t3.All")); err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
		if c.elements == 0 {
			continue
		}
		if err := wire.DecodeMessage(d.Counting(c.elements-1), c.in, 100, dynamic(t, "t3.All")); !errors.Is(err, wire.ErrBudget) {
			t.Errorf("%s: one less: %v", c.what, err)
		}
	}
}

// TestReflectLinear reads many short pieces of one field: 64 times as many take 64 times as
// long, and 4,096 times if the time is quadratic.
func TestReflectLinear(t *testing.T) {
	for _, piece := range []string{
		"\x22\x01\x01", "\xfa\x01\x0812345678", "\x1a\x03\x1a\x01\x01", "\xa2\x06\x01a\xaa\x06\x01a", "\x1a\x04\xa2\x06\x01a", "\x32\x04\x0a\x00\x12\x00",
	} {
		read := func(n int) time.Duration {
			best := time.Hour
			for range 3 {
				start := time.Now()
				if err := decode(wire.NewDecoder(0), strings.Repeat(piece, n), 100, dynamic(t, "t3.All")); err != nil {
					t.Fatal(err)
				}
				best = min(best, time.Since(start))
			}
			return best
		}
		if small, large := read(1_000), read(64_000); large > 800*small {
			t.Errorf("%x: 1,000 pieces in %v, 64,000 in %v", piece, small, large)
		}
	}
}

// cycles returns values that contain themselves.
func cycles() map[string]proto.Message {
	next := &cases.Rec{Id: 1}
	next.Next = next
	wide := new(cases.Rec)
	wide.List = []*cases.Rec{wide, wide, wide}
	kids := new(cases.Rec)
	kids.Kids = map[string]*cases.Rec{"a": kids, "b": kids}
	list := new(structpb.ListValue)
	list.Values = []*structpb.Value{structpb.NewListValue(list), structpb.NewListValue(list)}
	return map[string]proto.Message{"next": next, "wide": wide, "kids": kids, "list": list}
}

func TestReflectCycle(t *testing.T) {
	e := wire.NewEncoder(maxBytes)
	for name, m := range cycles() {
		if _, i := wire.AppendMessage(&e, nil, 0, 100, m); i != wire.FailDepth {
			t.Errorf("%s: append: %d", name, i)
		}
		if n := wire.SizeMessage(&e, 100, m); n != wire.FailDepth {
			t.Errorf("%s: size: %d", name, n)
		}
		var failed *wire.EncodeError
		if err := wire.Diagnose(&e, m, 100); !errors.As(err, &failed) || failed.Err != wire.ErrDepth {
			t.Errorf("%s: %v", name, err)
		} else if len(failed.Field) > 2000 || name == "next" && !strings.Contains(failed.Field, ".(37 more).") {
			t.Errorf("%s: path %s", name, failed.Field)
		}
	}
	// Two references to the next level at each of 60 levels are 2^60 messages.
	m := new(cases.Rec)
	for range 60 {
		m = &cases.Rec{List: []*cases.Rec{m, m}}
	}
	small := wire.NewEncoder(1 << 20)
	if _, i := wire.AppendMessage(&small, nil, 0, 100, m); i != wire.FailSize {
		t.Errorf("append of 2^60 messages: %d", i)
	}
	if n := wire.SizeMessage(&small, 100, m); n != wire.FailSize {
		t.Errorf("size of 2^60 messages: %d", n)
	}
	if err := wire.Diagnose(&small, m, 100); !errors.Is(err, wire.ErrTooLarge) {
		t.Errorf("2^60 messages: %v", err)
	}
}

func TestReflectSizeLimit(t *testing.T) {
	m := dynamic(t, "t3.All")
	set(t, m, `s:"0123456789" rs:"01234" msm:{key:"k" value:{s:"v"}}`)
	n := proto.Size(m)
	for _, limit := range []int{n, n - 1, 1, 0} {
		e := wire.NewEncoder(limit)
		size, err := wire.SizeMessage(&e, 100, m), wire.Diagnose(&e, m, 100)
		if limit >= n {
			if size != n || err != nil {
				t.Errorf("limit %d of %d: size %d, %v", limit, n, size, err)
			}
			continue
		}
		if size != wire.FailSize || !errors.Is(err, wire.ErrTooLarge) {
			t.Errorf("limit %d of %d: size %d, %v", limit, n, size, err)
		}
	}
	// Any room at the start will do.
	want := reference(t, m)
	for room := range 2 * n {
		e := wire.NewEncoder(n)
		e.Deterministic = true
		b, i := wire.AppendMessage(&e, make([]byte, room+wire.PrefixBytes), wire.PrefixBytes, 100, m)
		if i < 0 || !bytes.Equal(b[wire.PrefixBytes:i], want) {
			t.Fatalf("room %d: index %d", room, i)
		}
	}
}

func TestReflectPaths(t *testing.T) {
	for _, c := range []struct {
		message, in, field string
		offset             int
		err                error
	}{
		{"t3.All", "08", "", 0, wire.ErrTruncated},
		{"t3.All", "0a02f080", "s", 0, wire.ErrInvalidUTF8},
		{"t3.All", "d00101" + "0a05", "s", 3, wire.ErrTruncated},
		{"t3.All", "d00101" + "1a0408017aff", "m", 3 + 2 + 2, wire.ErrTruncated},
		{"t3.All", "1a0422042201" + "ff", "m.next", 2, wire.ErrTruncated},
		{"t3.All", "9201009201032a01ff", "rm[1].s", 6, wire.ErrInvalidUTF8},
		{"t3.All", "9a0101", "rs", 0, wire.ErrTruncated},
		{"t3.All", "3a080a016112032a01ff", `msm["a"].s`, 7, wire.ErrInvalidUTF8},
		{"t3.All", "32060a01611201ff", `mss["a"]`, 5, wire.ErrInvalidUTF8},
		{"t3.All", "32030a01ff", `mss[""].key`, 2, wire.ErrInvalidUTF8},
		{"t3.All", "32020a05", `mss[""].key`, 2, wire.ErrTruncated},
		{"t3.All", "320107", `mss[""]`, 2, wire.ErrMalformed},
		{"t3.All", "22020180", "pk", 0, wire.ErrTruncated},
		{"t3.All", "0c", "", 0, wire.ErrMalformed},
		{"t2.Msg", "2b0801", "grp", 3, wire.ErrTruncated},
		{"t2.Msg", "2b12021a06", "grp.sub.pe", 3, wire.ErrTruncated},
		{"t2.Msg", "b20602120c", "[reflect.t2.ext_m].child", 3, wire.ErrTruncated},
		{"t2.Msg", "6a00", "rq.id", 0, wire.ErrUninitialized},
		{"t2.Msg", "ea12050a01611200", `mr["a"].id`, 0, wire.ErrUninitialized},
		{"t2.Msg", "6a0608011a001a00", "rq.kids[0].id", 0, wire.ErrUninitialized},
	} {
		in := unhex(t, c.in)
		err := decode(wire.NewDecoder(0), string(in), 100, dynamic(t, c.message))
		var failed *wire.DecodeError
		if !errors.As(err, &failed) || failed.Field != c.field || failed.Offset != c.offset || !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want field %s, offset %d, %v", c.in, err, c.field, c.offset, c.err)
		}
	}
	bad := "\xff"
	for _, c := range []struct {
		m     proto.Message
		field string
		err   error
	}{
		{&cases.All{S: bad}, "s", wire.ErrInvalidUTF8},
		{&cases.All{Rm: []*cases.Inner{{}, {Next: &cases.Inner{S: bad}}}}, "rm[1].next.s", wire.ErrInvalidUTF8},
		{&cases.All{Rs: []string{"", bad}}, "rs[1]", wire.ErrInvalidUTF8},
		{&cases.All{Mss: map[string]string{"a": bad}}, `mss["a"]`, wire.ErrInvalidUTF8},
		{&cases.All{Mss: map[string]string{bad: ""}}, `mss["\xff"].key`, wire.ErrInvalidUTF8},
		{&cases.All{Msm: map[string]*cases.Inner{"a": {S: bad}}}, `msm["a"].s`, wire.ErrInvalidUTF8},
		{&cases.All{O: &cases.All_Om{Om: &cases.Inner{S: bad}}}, "om.s", wire.ErrInvalidUTF8},
		{set(t, dynamic(t, "t2.Msg"), "Grp{sub{rq{id:1 kids{}}}}"), "grp.sub.rq.kids[0].id", wire.ErrUninitialized},
		{set(t, dynamic(t, "t2.Msg"), "[reflect.t2.ext_m]{}"), "[reflect.t2.ext_m].id", wire.ErrUninitialized},
	} {
		_, err := encode(c.m, 100, false)
		var failed *wire.EncodeError
		if !errors.As(err, &failed) || failed.Field != c.field || !errors.Is(err, c.err) {
			t.Errorf("%v, want field %s, %v", err, c.field, c.err)
		}
	}
}

func TestReflectPartial(t *testing.T) {
	req := dynamic(t, "t2.Msg")
	set(t, req, "rq:{}")
	e := wire.NewEncoder(maxBytes)
	if _, i := wire.AppendMessage(&e, nil, 0, 100, req); i != wire.FailRequired {
		t.Errorf("append: %d", i)
	}
	e.AllowPartial = true
	b, i := wire.AppendMessage(&e, nil, 0, 100, req)
	if i < 0 || hex.EncodeToString(b[:i]) != "6a00" {
		t.Errorf("partial append: %x, %d", b, i)
	}
	d := wire.NewDecoder(0)
	d.AllowPartial = true
	if err := decode(d, "\x6a\x00", 100, req); err != nil {
		t.Errorf("partial decode: %v", err)
	}
	// The second piece of a message may bring what the first one lacks.
	if err := decode(wire.NewDecoder(0), "\x6a\x00\x6a\x02\x08\x01", 100, dynamic(t, "t2.Msg")); err != nil {
		t.Errorf("two pieces: %v", err)
	}
	// A nil element has no required field either, as google.golang.org/protobuf sees it.
	named := &descriptorpb.UninterpretedOption{Name: []*descriptorpb.UninterpretedOption_NamePart{nil}}
	if _, err := encode(named, 100, false); !errors.Is(err, wire.ErrUninitialized) || proto.CheckInitialized(named) == nil {
		t.Errorf("nil element: %v", err)
	}
	for name, want := range map[string]bool{"t2.Msg": true, "t2.Req": true, "t2.G": false, "e.M": true, "t3.All": false, "t3.Rec": false} {
		if got := wire.ReachesRequired(dynamic(t, name).ProtoReflect().Descriptor()); got != want {
			t.Errorf("ReachesRequired(%s) = %v", name, got)
		}
	}
	if err := wire.CheckRequired(nil); err != nil {
		t.Error(err)
	}
}

func TestReflectNil(t *testing.T) {
	var typed *dynamicpb.Message
	for _, m := range []proto.Message{nil, typed, (*wrapperspb.BoolValue)(nil)} {
		if out, err := encode(m, 100, false); err != nil || len(out) != 0 {
			t.Errorf("%T: %x, %v", m, out, err)
		}
		d := wire.NewDecoder(0)
		if err := wire.DecodeMessage(&d, "", 100, m); !errors.Is(err, wire.ErrNilMessage) {
			t.Errorf("%T: decode: %v", m, err)
		}
		if err := wire.ReuseMessage(&d, "", 100, m); !errors.Is(err, wire.ErrNilMessage) {
			t.Errorf("%T: reuse: %v", m, err)
		}
		if got := wire.CloneMessage(m); got != m {
			t.Errorf("%T: clone %v", m, got)
		}
	}
}

func TestReflectMerge(t *testing.T) {
	for _, m := range []proto.Message{dynamic(t, "t3.All"), new(cases.All)} {
		set(t, m, `rs:"a" mss:{key:"a"} m:{a:1 r:1} os:"x"`)
		add := reference(t, set(t, fresh(m), `rs:"b" mss:{key:"b"} m:{b:2 r:2} om:{a:1}`))
		d := wire.NewDecoder(0)
		if err := wire.DecodeMessage(&d, string(add), 100, m); err != nil {
			t.Fatal(err)
		}
		if want := set(t, fresh(m), `rs:"a" rs:"b" mss:{key:"a"} mss:{key:"b"} m:{a:1 b:2 r:1 r:2} om:{a:1}`); !proto.Equal(m, want) {
			t.Errorf("merged: %v", m)
		}
		if err := wire.ReuseMessage(&d, string(add), 100, m); err != nil {
			t.Fatal(err)
		}
		if want := set(t, fresh(m), `rs:"b" mss:{key:"b"} m:{b:2 r:2} om:{a:1}`); !proto.Equal(m, want) {
			t.Errorf("replaced: %v", m)
		}
	}
}

func TestReflectAlias(t *testing.T) {
	const text = `s:"abcdefgh" by:"bytes" rs:"element" mss:{key:"key" value:"value"} mbb:{key:true value:"bytes"} os:"oneof"`
	in := reference(t, set(t, dynamic(t, "t3.All"), text))
	in = append(in, "\xa2\x06\x01u"...)
	view := func() string { return unsafe.String(unsafe.SliceData(in), len(in)) }
	for _, alias := range []bool{false, true} {
		kept := bytes.Clone(in)
		m := dynamic(t, "t3.All")
		d := wire.NewDecoder(0)
		d.Alias = alias
		if err := wire.DecodeMessage(&d, view(), 100, m); err != nil {
			t.Fatal(err)
		}
		before := proto.Clone(m)
		by := m.ProtoReflect().Get(m.ProtoReflect().Descriptor().Fields().ByName("by")).Bytes()
		if alias && cap(by) != len(by) {
			t.Errorf("an alias has %d bytes and capacity %d", len(by), cap(by))
		}
		inside := uintptr(unsafe.Pointer(&by[0]))-uintptr(unsafe.Pointer(&in[0])) < uintptr(len(in))
		if inside != alias {
			t.Errorf("alias %v: bytes inside the input: %v", alias, inside)
		}
		if alias {
			continue
		}
		for i := range in {
			in[i] ^= 0x55
		}
		if !proto.Equal(m, before) {
			t.Error("a change of the input shows in the message")
		}
		copy(in, kept)
	}
}

// TestReflectOrder has the orders of map keys that protobuf-java writes.
func TestReflectOrder(t *testing.T) {
	for _, c := range []struct {
		text, want string // the keys in a wrong order, and fields of the right one
	}{
		{`b:{key:true} b:{key:false}`, "false true"},
		{`i32:{key:1} i32:{key:-1} i32:{key:0}`, "-1 0 1"},
		{`i64:{key:1} i64:{key:-1} i64:{key:-9223372036854775808}`, "-9223372036854775808 -1 1"},
		{`u32:{key:1} u32:{key:4294967295} u32:{key:2147483648}`, "2147483648 4294967295 1"},
		{`u64:{key:1} u64:{key:18446744073709551615}`, "18446744073709551615 1"},
		{`s32:{key:1} s32:{key:-1}`, "-1 1"},
		{`s64:{key:1} s64:{key:-1}`, "-1 1"},
		{`f32:{key:1} f32:{key:4294967295}`, "4294967295 1"},
		{`f64:{key:1} f64:{key:18446744073709551615}`, "18446744073709551615 1"},
		{`sf32:{key:1} sf32:{key:-1}`, "-1 1"},
		{`sf64:{key:1} sf64:{key:-1}`, "-1 1"},
		{
			`s:{key:"b"} s:{key:"a"} s:{key:"ab"} s:{key:""} s:{key:"\uE000"} s:{key:"\U0001F600"} s:{key:"same prefix b"} s:{key:"same prefix a"}`,
			"|a|ab|b|same prefix a|same prefix b|\U0001F600|\uE000",
		},
	} {
		m := set(t, dynamic(t, "k3.Keys"), c.text)
		var first []byte
		for range 20 {
			out, err := encode(m, 100, true)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = out
			}
			if !bytes.Equal(out, first) {
				t.Fatalf("%s: %x and %x", c.text, first, out)
			}
		}
		var keys []string
		for b := first; len(b) > 0; {
			num, _, n := protowire.ConsumeField(b)
			entry := dynamic(t, "k3.Keys")
			if err := proto.Unmarshal(b[:n], entry); err != nil {
				t.Fatal(err)
			}
			fd := entry.ProtoReflect().Descriptor().Fields().ByNumber(num)
			entry.ProtoReflect().Get(fd).Map().Range(func(k protoreflect.MapKey, _ protoreflect.Value) bool {
				keys = append(keys, k.String())
				return true
			})
			b = b[n:]
		}
		separator := " "
		if strings.HasPrefix(c.want, "|") {
			separator = "|"
		}
		if got := strings.Join(keys, separator); got != c.want {
			t.Errorf("order %s, want %s", got, c.want)
		}
	}
}

func TestReflectClone(t *testing.T) {
	minus := float32(math.Copysign(0, -1))
	signaling := math.Float32frombits(0x7f800001)
	for _, m := range []proto.Message{
		wrapperspb.Float(minus),
		&cases.All{F: minus, D: float64(minus)},
		set(t, dynamic(t, "e.M"), "zero:-0 del:{zero:-0} dels:{} dels:{zero:-0} mm:{key:'a' value:{zero:-0}}"),
		structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{structpb.NewNumberValue(float64(minus)), nil}}),
	} {
		want, err := encode(m, 100, true)
		if err != nil {
			t.Fatal(err)
		}
		clone := wire.CloneMessage(m)
		if got, err := encode(clone, 100, true); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%T: %x (%v), want %x", m, got, err, want)
		}
		if clone == m {
			t.Errorf("%T: the same message", m)
		}
	}
	// The bits of a signaling NaN are kept: the copy does not pass through protoreflect.
	if clone := wire.CloneMessage(wrapperspb.Float(signaling)).(*wrapperspb.FloatValue); math.Float32bits(clone.Value) != 0x7f800001 {
		t.Errorf("signaling NaN: %x", math.Float32bits(clone.Value))
	}
}

// TestReflectConcurrent uses the tables of types that nobody has used before.
func TestReflectConcurrent(t *testing.T) {
	fd := files()["t3.proto"]
	for round := range 3 {
		var wg sync.WaitGroup
		m := dynamicpb.NewMessage(fd.Messages().ByName("All"))
		set(t, m, fmt.Sprintf(`i64:%d msm:{key:"a" value:{next:{s:"x"}}} rm:{} om:{a:1}`, round))
		shared := wire.NewDecoder(0)
		for range 8 {
			wg.Go(func() {
				for range 50 {
					out, err := encode(m, 100, true)
					if err != nil {
						t.Error(err)
						return
					}
					got := fresh(m)
					if err := wire.DecodeMessage(&shared, string(out), 100, got); err != nil || !proto.Equal(got, m) {
						t.Errorf("%v (%v)", got, err)
						return
					}
				}
			})
		}
		wg.Wait()
	}
}
