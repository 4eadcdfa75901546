package golden_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flinkser/flinkser/internal/differ"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/wire"
)

// The tests of this file lead generated code into its branches one by one: for every field of
// every golden message they write with every size of buffer, limit and depth, and read what is
// well formed, long, cut off or wrong at every place. tools/coverage.sh counts what they miss.

// coded is a message with generated code.
type coded interface {
	proto.Message
	flinkser.Message
}

func newCoded(t *testing.T, mt protoreflect.MessageType) coded {
	t.Helper()
	m, ok := mt.New().Interface().(coded)
	if !ok {
		t.Fatalf("%s has no generated code", mt.Descriptor().FullName())
	}
	return m
}

// enough is a depth that no message of these tests reaches.
const enough = 50

// unknownBytes returns an unknown field of n bytes.
func unknownBytes(n int) []byte {
	const number = 99999 // its tag has 3 bytes
	return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), make([]byte, max(0, n-4-len(protowire.AppendVarint(nil, uint64(n))))))
}

// grow makes the messages that fd holds in m, and those in its map entries, longer by unknown
// fields of n bytes.
func grow(m protoreflect.Message, fd protoreflect.FieldDescriptor, n int) {
	if !m.Has(fd) {
		return
	}
	add := func(sub protoreflect.Message) { sub.SetUnknown(append(sub.GetUnknown(), unknownBytes(n)...)) }
	switch v := m.Get(fd); {
	case fd.IsMap():
		if fd.MapValue().Message() != nil {
			v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
				add(v.Message())
				return true
			})
		}
	case fd.Message() == nil:
	case fd.IsList():
		for i := range v.List().Len() {
			add(v.List().Get(i).Message())
		}
	default:
		add(m.Mutable(fd).Message())
	}
}

// long makes strings and bytes that fd holds as map values n bytes long.
func long(m protoreflect.Message, fd protoreflect.FieldDescriptor, n int) {
	if !fd.IsMap() {
		return
	}
	entries := m.Mutable(fd).Map()
	switch {
	case fd.MapValue().Kind() == protoreflect.StringKind:
		for _, k := range keysOf(entries) {
			entries.Set(k, protoreflect.ValueOfString(strings.Repeat("x", n)))
		}
	case fd.MapValue().Kind() == protoreflect.BytesKind:
		for _, k := range keysOf(entries) {
			entries.Set(k, protoreflect.ValueOfBytes(make([]byte, n)))
		}
	case fd.MapKey().Kind() == protoreflect.StringKind:
		for _, k := range keysOf(entries) {
			entries.Set(protoreflect.ValueOfString(k.String()+strings.Repeat("k", n)).MapKey(), entries.Get(k))
		}
	}
}

func keysOf(m protoreflect.Map) []protoreflect.MapKey {
	var keys []protoreflect.MapKey
	m.Range(func(k protoreflect.MapKey, _ protoreflect.Value) bool {
		keys = append(keys, k)
		return true
	})
	return keys
}

// spoil puts a string that is no UTF-8 into fd, as key and as value of maps, and reports
// whether it holds strings.
func spoil(fd protoreflect.FieldDescriptor) []func(m protoreflect.Message) {
	const bad = "long enough for vectors \xff"
	text := protoreflect.ValueOfString(bad)
	switch {
	case fd.IsMap():
		var list []func(protoreflect.Message)
		if fd.MapKey().Kind() == protoreflect.StringKind {
			list = append(list, func(m protoreflect.Message) {
				entries := m.Mutable(fd).Map()
				entries.Set(text.MapKey(), entries.NewValue())
			})
		}
		if fd.MapValue().Kind() == protoreflect.StringKind {
			list = append(list, func(m protoreflect.Message) {
				fill(m, fd)
				for _, k := range keysOf(m.Get(fd).Map()) {
					m.Mutable(fd).Map().Set(k, text)
				}
			})
		}
		return list
	case fd.Kind() != protoreflect.StringKind:
		return nil
	case fd.IsList():
		return []func(protoreflect.Message){func(m protoreflect.Message) { m.Mutable(fd).List().Append(text) }}
	default:
		return []func(protoreflect.Message){func(m protoreflect.Message) { m.Set(fd, text) }}
	}
}

// writeEverywhere writes m into buffers of all sizes with an encoder that refuses to make them
// larger, into some with one that does, and with low limits of depth and size. Whatever does not
// fail must be what is written with room.
func writeEverywhere(m coded, ordered bool) error {
	roomy, refusing := wire.NewEncoder(1<<30), wire.NewEncoder(-1-wire.PrefixBytes-128)
	for _, e := range []*wire.Encoder{&roomy, &refusing} {
		e.Deterministic, e.AllowPartial = ordered, true
	}
	whole, n := m.AppendFlinkser(&roomy, make([]byte, 1<<10), 0, enough)
	if n < 0 || m.SizeFlinkser(&roomy, enough) != n {
		return fmt.Errorf("written %d bytes, size %d", n, m.SizeFlinkser(&roomy, enough))
	}
	whole = whole[:n]
	write := func(e *wire.Encoder, have int) (failed bool, err error) {
		b, i := m.AppendFlinkser(e, make([]byte, have), 0, enough)
		if i == wire.FailSize && e == &refusing {
			return true, nil
		}
		if i != n || ordered && !bytes.Equal(b[:i], whole) {
			return false, fmt.Errorf("with room for %d bytes of %d: %d", have, n, i)
		}
		return false, nil
	}
	for have := 0; ; have = nextRoom(have, n) {
		failed, err := write(&refusing, have)
		if err != nil {
			return err
		}
		if !failed {
			break // there is room for all of it
		}
		if have%64 == 1 && n < 3000 {
			if _, err := write(&roomy, have); err != nil {
				return err
			}
		}
	}
	for depth := range 6 {
		_, i := m.AppendFlinkser(&roomy, nil, 0, depth-1)
		size := m.SizeFlinkser(&roomy, depth-1)
		if i != size || i != n && i != wire.FailDepth {
			return fmt.Errorf("at depth %d: written %d, size %d, want %d", depth-1, i, size, n)
		}
	}
	for limit := 0; limit < n; limit += 1 + limit/8 {
		e := wire.NewEncoder(limit)
		e.AllowPartial = true
		if size := m.SizeFlinkser(&e, enough); size != wire.FailSize {
			return fmt.Errorf("size with a limit of %d: %d, want a failure", limit, size)
		}
	}
	return nil
}

// nextRoom returns the size of the buffer that is tried behind have for a message of n bytes.
// Large messages are large in one place only, so what matters is the start and the end.
func nextRoom(have, n int) int {
	switch {
	case n < 1500 || have < 300 || n-40 <= have && have < n+40:
		return have + 1
	case have < n-100:
		return min(have+1000, n-100)
	}
	return have + 20
}

// TestWriteBranches writes every field of every message alone, with short and long contents.
func TestWriteBranches(t *testing.T) {
	inputs := 0
	for _, mt := range goldenTypes() {
		checkNil(t, mt)
		checkEmptied(t, mt)
		fields := mt.Descriptor().Fields()
		for i := range fields.Len() {
			fd := fields.Get(i)
			type variant struct {
				unknown int // bytes in the messages of the field
				text    int // bytes in the map values of the field
				own     int // bytes of unknown fields of the message itself
			}
			variants := []variant{{}, {own: 300}}
			if fd.Message() != nil {
				variants = append(variants, variant{unknown: 150}, variant{unknown: 2000, text: 200}, variant{unknown: 17000, text: 17000})
			}
			for _, v := range variants {
				m := newCoded(t, mt)
				fill(m.ProtoReflect(), fd)
				grow(m.ProtoReflect(), fd, v.unknown)
				if v.text > 0 {
					long(m.ProtoReflect(), fd, v.text)
				}
				if v.own > 0 {
					m.ProtoReflect().SetUnknown(unknownBytes(v.own))
				}
				inputs++
				if c := m.CloneFlinkser(); !proto.Equal(c.(proto.Message), m) {
					t.Errorf("%s %+v: the clone is %v", fd.FullName(), v, c)
				}
				if err := writeEverywhere(m, false); err != nil {
					t.Errorf("%s %+v: %v", fd.FullName(), v, err)
				}
				if fd.IsMap() {
					if err := writeEverywhere(m, true); err != nil {
						t.Errorf("%s %+v, deterministic: %v", fd.FullName(), v, err)
					}
				}
			}
			for _, damage := range spoil(fd) {
				m := newCoded(t, mt)
				damage(m.ProtoReflect())
				inputs++
				checkSpoiled(t, m, fd)
			}
		}
	}
	t.Logf("differential inputs: %d", inputs)
}

// checkNil calls the code of a type with a nil pointer.
func checkNil(t *testing.T, mt protoreflect.MessageType) {
	t.Helper()
	m, ok := reflect.Zero(reflect.TypeOf(mt.New().Interface())).Interface().(coded)
	if !ok {
		t.Fatalf("%s has no generated code", mt.Descriptor().FullName())
	}
	e := wire.NewEncoder(100)
	required := mt.Descriptor().RequiredNumbers().Len() > 0
	if n := m.SizeFlinkser(&e, 1); n != 0 {
		t.Errorf("%s: nil has size %d", mt.Descriptor().FullName(), n)
	}
	if _, n := m.AppendFlinkser(&e, nil, 0, 1); n != 0 && !(required && n == wire.FailRequired) {
		t.Errorf("%s: nil is written as %d bytes", mt.Descriptor().FullName(), n)
	}
	e.AllowPartial = true
	if _, n := m.AppendFlinkser(&e, nil, 0, 1); n != 0 {
		t.Errorf("%s: nil is written as %d bytes", mt.Descriptor().FullName(), n)
	}
	if c := m.CloneFlinkser(); !reflect.ValueOf(c).IsNil() {
		t.Errorf("%s: the clone of nil is %v", mt.Descriptor().FullName(), c)
	}
	if r, ok := m.(interface{ RequiredFlinkser() error }); ok {
		if err := r.RequiredFlinkser(); (err != nil) != required {
			t.Errorf("%s: nil lacks a required field: %v", mt.Descriptor().FullName(), err)
		}
	}
}

// checkEmptied makes a message that holds every field empty, and clones it before.
func checkEmptied(t *testing.T, mt protoreflect.MessageType) {
	t.Helper()
	m := newCoded(t, mt)
	fields := mt.Descriptor().Fields()
	for i := range fields.Len() {
		fill(m.ProtoReflect(), fields.Get(i))
	}
	m.ProtoReflect().SetUnknown(unknownBytes(10))
	clone := m.CloneFlinkser().(coded)
	if !proto.Equal(m, clone) {
		t.Errorf("%s: the clone is %v, want %v", mt.Descriptor().FullName(), clone, m)
	}
	m.(interface{ ResetFlinkser() }).ResetFlinkser()
	if !proto.Equal(m, mt.New().Interface()) || clone.SchemaFlinkser() != m.SchemaFlinkser() || m.SchemaFlinkser() == [32]byte{} {
		t.Errorf("%s: emptied it is %v", mt.Descriptor().FullName(), m)
	}
}

// checkSpoiled checks that m, which holds a string that is no UTF-8 in fd, is refused as the
// reference refuses it.
func checkSpoiled(t *testing.T, m coded, fd protoreflect.FieldDescriptor) {
	t.Helper()
	_, want := proto.MarshalOptions{AllowPartial: true}.Marshal(m)
	for _, ordered := range []bool{false, true} {
		e := wire.NewEncoder(1 << 20)
		e.Deterministic, e.AllowPartial = ordered, true
		if _, i := m.AppendFlinkser(&e, nil, 0, enough); (i == wire.FailUTF8) != (want != nil) {
			t.Errorf("%s: invalid UTF-8 gives %d, reference: %v", fd.FullName(), i, want)
		}
	}
}

// values returns what may stand behind the tag of wire type typ: what is right, long, cut off or
// wrong. md is what a message or group contains, or nil.
func values(typ protowire.Type, number protowire.Number, md protoreflect.MessageDescriptor) [][]byte {
	full := bytes.Repeat([]byte{0xff}, 10)
	switch typ {
	case protowire.VarintType:
		return [][]byte{{1}, {0x80, 1}, {0x80, 0x80, 1}, {}, {0x80}, full, append(full[:9:9], 1)}
	case protowire.Fixed32Type:
		return [][]byte{{1, 2, 3, 4}, {1, 2, 3}, {}}
	case protowire.Fixed64Type:
		return [][]byte{{1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 3}, {}}
	}
	var contents [][]byte
	if md == nil {
		// Good and bad as text, as packed numbers of every kind, and as the entry of a map.
		contents = [][]byte{
			{},
			[]byte("abc"),
			{1},
			{1, 2, 3, 4},
			{1, 2, 3, 4, 5, 6, 7, 8},
			bytes.Repeat([]byte{1}, 24), bytes.Repeat([]byte{0x41}, 200),
			{0x80},
			full,
			{0x80, 1},
			{0x80, 0x80, 1, 1, 0x81},
			[]byte("long enough for vectors \xff"),
			{0xff},
			{0xff, 1},
		}
	} else {
		contents = [][]byte{{}, {7}, {0x80}, full, {0xf8, 0x07, 1}, unknownBytes(200), {0xf8, 0xff, 0xff, 0x80, 0}}
		if md.Fields().Len() > 0 {
			fd := md.Fields().Get(0)
			m := protowire.AppendTag(nil, fd.Number(), protowire.VarintType)
			contents = append(contents, append(m, 1), append(m, 0x80))
		}
	}
	var list [][]byte
	for _, c := range contents {
		if typ == protowire.StartGroupType {
			end := protowire.AppendTag(nil, number, protowire.EndGroupType)
			list = append(list, concat(c, end), c, concat(c, protowire.AppendTag(nil, number+1, protowire.EndGroupType)), concat(c, overlong(end, 1)))
			continue
		}
		list = append(list, protowire.AppendBytes(nil, c))
	}
	if typ == protowire.BytesType {
		list = append(list, []byte{3, 1}, []byte{}, []byte{0x83, 0, 'a', 'b', 'c'}, []byte{0x80}, full, []byte{0xff, 0xff, 0xff, 0xff, 0x0f}, []byte{0xff, 1, 1})
	}
	return list
}

func concat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// overlong returns a varint in n bytes more than it needs.
func overlong(v []byte, n int) []byte {
	v = bytes.Clone(v)
	for range n {
		v[len(v)-1] |= 0x80
		v = append(v, 0)
	}
	return v
}

// tags returns forms of the tag of a field.
func tags(number protowire.Number, typ protowire.Type) [][]byte {
	tag := protowire.AppendTag(nil, number, typ)
	return [][]byte{tag, overlong(tag, 1), overlong(tag, 3)}
}

// fragments returns occurrences of fd, right and wrong.
func fragments(fd protoreflect.FieldDescriptor) [][]byte {
	md := fd.Message()
	if fd.IsMap() {
		md = nil
	}
	var list [][]byte
	for _, typ := range []protowire.Type{protowire.VarintType, protowire.Fixed32Type, protowire.Fixed64Type, protowire.BytesType, protowire.StartGroupType} {
		if typ != wireType(fd) && typ != protowire.BytesType && !(fd.IsPacked() && typ == elementType(fd)) {
			list = append(list, concat(tags(fd.Number(), typ)[0], values(typ, fd.Number(), md)[0]))
			continue
		}
		for i, v := range values(typ, fd.Number(), md) {
			for j, tag := range tags(fd.Number(), typ) {
				if i == 0 || j == 0 {
					list = append(list, concat(tag, v))
				}
			}
		}
	}
	if fd.IsMap() {
		for _, entry := range entries(fd) {
			list = append(list, concat(tags(fd.Number(), protowire.BytesType)[0], protowire.AppendBytes(nil, entry)))
		}
	}
	return list
}

// elementType is the wire type of one element.
func elementType(fd protoreflect.FieldDescriptor) protowire.Type {
	switch fd.Kind() {
	case protoreflect.DoubleKind, protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind:
		return protowire.Fixed64Type
	case protoreflect.FloatKind, protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind:
		return protowire.Fixed32Type
	}
	return protowire.VarintType
}

// entries returns the contents of entries of a map.
func entries(fd protoreflect.FieldDescriptor) [][]byte {
	list := [][]byte{{0xf8, 0xff, 0xff, 0x80, 0, 1}, {0xf8, 0x07, 1}, {7}, {0x80}, {0x0c}, unknownBytes(150), bytes.Repeat([]byte{0xff}, 11)}
	for _, part := range []protoreflect.FieldDescriptor{fd.MapKey(), fd.MapValue()} {
		for _, f := range fragments(part) {
			list = append(list, f, concat(f, f))
		}
	}
	return list
}

// groupCode is the part of generated code that reads the content of a group.
type groupCode interface {
	DecodeGroupFlinkser(d *wire.Decoder, s string, depth int, end uint64) (int, error)
}

// reading reads payloads of one type in the ways of generated code.
type reading struct {
	mt    protoreflect.MessageType
	dirty coded  // read into again and again
	full  string // a payload with all fields
}

func (r *reading) fresh() coded { return r.mt.New().Interface().(coded) }

// try reads b in all ways, and compares with the reference.
func (r *reading) try(b []byte) error {
	s := string(b)
	want := r.fresh()
	wantErr := proto.UnmarshalOptions{AllowPartial: true}.Unmarshal(b, want)
	d := wire.NewDecoder(10_001)
	d.AllowPartial = true
	same := func(what string, m coded, err error) error {
		if (err == nil) != (wantErr == nil) {
			return fmt.Errorf("%s: error %w, reference: %w", what, err, wantErr)
		}
		if err != nil {
			return nil
		}
		x, errX := differ.Reference(m)
		y, errY := differ.Reference(want)
		if errX == nil && errY == nil && bytes.Equal(x, y) {
			return nil
		}
		// Overlong tags of unknown fields are kept, and the reference has made them short.
		again := r.fresh()
		if err := (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(x, again); err == nil && proto.Equal(again, want) {
			return nil
		}
		return fmt.Errorf("%s: %x, reference %x (%w)", what, x, y, errors.Join(errX, errY))
	}
	plain := r.fresh()
	if err := same("read", plain, plain.DecodeFlinkser(&d, s, enough)); err != nil {
		return err
	}
	for _, before := range []string{"", r.full} {
		if before != "" {
			if err := r.dirty.ReuseFlinkser(&d, before, enough); err != nil {
				return fmt.Errorf("all fields: %w", err)
			}
		}
		if err := same("reused", r.dirty, r.dirty.ReuseFlinkser(&d, s, enough)); err != nil {
			return err
		}
	}
	if _, ok := plain.(groupCode); ok {
		const end = 5000<<3 | uint64(protowire.EndGroupType)
		tag := string(protowire.AppendVarint(nil, end))
		m := r.fresh()
		n, err := m.(groupCode).DecodeGroupFlinkser(&d, s+tag+"behind", enough, end)
		if wantErr == nil {
			if n != len(s)+len(tag) {
				return fmt.Errorf("as a group: read %d bytes of %d (%w)", n, len(s)+len(tag), err)
			}
			if err := same("as a group", m, err); err != nil {
				return err
			}
		}
		if _, err := r.fresh().(groupCode).DecodeGroupFlinkser(&d, s, enough, end); err == nil {
			return errors.New("a group without an end was read")
		}
	}
	if wantErr == nil {
		return r.limited(s)
	}
	return nil
}

// limited reads s, which is valid, with low limits of depth and of elements: it fails for that
// or not at all.
func (r *reading) limited(s string) error {
	all := wire.NewDecoder(0)
	all.AllowPartial = true
	for n := range 4 {
		few := all.Counting(n)
		for what, way := range map[string]func() error{
			"depth": func() error { return r.fresh().DecodeFlinkser(&all, s, n-1) },
			"depth, reused": func() error {
				return r.dirty.ReuseFlinkser(&all, s, n-1)
			},
			"elements":         func() error { return r.fresh().DecodeFlinkser(few, s, enough) },
			"elements, reused": func() error { return r.dirty.ReuseFlinkser(all.Counting(n), s, enough) },
			"elements, emptied": func() error {
				m := r.fresh()
				return m.ReuseFlinkser(all.Counting(n), s, enough)
			},
		} {
			if err := way(); err != nil && !errors.Is(err, flinkser.ErrDepth) && !errors.Is(err, flinkser.ErrBudget) {
				return fmt.Errorf("limit %d of %s: %w", n, what, err)
			}
		}
	}
	return nil
}

// TestReadBranches reads every field of every message alone, right and wrong, and twice in a
// row. With the variable of TestDifferential set, it compares in all the ways of that test, too.
func TestReadBranches(t *testing.T) {
	thorough := os.Getenv(envTime) != ""
	codecs := newCodecs(t)
	inputs := 0
	for _, mt := range goldenTypes() {
		r := &reading{mt: mt, dirty: newCoded(t, mt)}
		full := mt.New()
		fields := mt.Descriptor().Fields()
		for i := range fields.Len() {
			fill(full, fields.Get(i))
		}
		b, err := differ.Reference(full.Interface())
		if err != nil {
			t.Fatal(err)
		}
		r.full = string(b)
		c := codecs.Compare(newRand(1), mt)
		try := func(what any, b []byte) {
			inputs++
			if err := r.try(b); err != nil {
				t.Errorf("%v: %x: %v", what, b, err)
			}
			if thorough && inputs%10 == 0 {
				if err := c.Payload(b, true); err != nil {
					t.Errorf("%v: %v", what, err)
				}
			}
		}
		for _, b := range [][]byte{{}, {0}, {0x80}, {7}, {0x0c}, bytes.Repeat([]byte{0xff}, 11), {0xf8, 0xff, 0xff, 0x80, 0, 1}, unknownBytes(40), b} {
			try(mt.Descriptor().FullName(), b)
		}
		for i := range fields.Len() {
			fd := fields.Get(i)
			for _, f := range fragments(fd) {
				try(fd.FullName(), f)
				try(fd.FullName(), concat(f, f))
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("differential inputs: %d", inputs)
}

// wireType returns the wire type of one value of fd.
func wireType(fd protoreflect.FieldDescriptor) protowire.Type {
	switch fd.Kind() {
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind:
		return protowire.BytesType
	case protoreflect.GroupKind:
		return protowire.StartGroupType
	}
	return elementType(fd)
}
