// Package extpb has messages with extensions, groups and required fields for the tests of
// packages flinkser and wire. Host has what protoc-gen-flinkser generates, written by hand and as short as
// that can be, and counts its calls.
package extpb

import (
	"math"
	"sync/atomic"

	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/runtime/wire"
)

// Calls counts the calls of the methods of Host that may be reached from elsewhere.
var Calls struct{ Size, Append, Decode, Group, Required atomic.Int64 }

var _ interface {
	wire.Message
	wire.GroupDecoder
	wire.Requirer
} = (*Host)(nil)

const (
	tagBefore = 1 << 3
	tagGroup  = 10<<3 | 3
	tagGroups = 11<<3 | 3
	tagSelf   = 20<<3 | 2
	tagPlain  = 21<<3 | 2
	tagAfter  = 300 << 3
	tagNeed   = 301<<3 | 2
)

// ResetFlinkser implements wire.Message.
func (x *Host) ResetFlinkser() { proto.Reset(x) }

// SizeFlinkser implements wire.Message.
func (x *Host) SizeFlinkser(e *wire.Encoder, depth int) int {
	Calls.Size.Add(1)
	if depth < 0 {
		return wire.FailDepth
	}
	if x == nil {
		return 0
	}
	n := len(x.unknownFields)
	add := func(more int) bool {
		if more < 0 {
			n = more
		} else if n += more; n > e.MaxBytes() {
			n = wire.FailSize
		}
		return n >= 0
	}
	number := func(tag uint64, v *int32) bool {
		return v == nil || add(wire.SizeVarint(tag)+wire.SizeVarint(uint64(*v)))
	}
	message := func(tag uint64, m proto.Message) bool {
		size := wire.SizeMessage(e, depth-1, m)
		switch {
		case size < 0:
			return add(size)
		case tag&7 == 3:
			return add(2*wire.SizeVarint(tag) + size)
		}
		return add(wire.SizeVarint(tag) + wire.SizeBytes(size))
	}
	ok := number(tagBefore, x.Before) && number(tagAfter, x.After) && (x.Group == nil || message(tagGroup, x.Group))
	for k := 0; ok && k < len(x.Groups); k++ {
		ok = message(tagGroups, x.Groups[k])
	}
	if ok && (x.Self == nil || message(tagSelf, x.Self)) && (x.Plain == nil || message(tagPlain, x.Plain)) && (x.Need == nil || message(tagNeed, x.Need)) {
		add(wire.SizeExtensions(e, depth, x.extensionFields))
	}
	return n
}

// AppendFlinkser implements wire.Message.
func (x *Host) AppendFlinkser(e *wire.Encoder, b []byte, i, depth int) ([]byte, int) {
	Calls.Append.Add(1)
	if depth < 0 {
		return b, wire.FailDepth
	}
	if x == nil {
		return b, i
	}
	b, i = appendNumber(e, b, i, tagBefore, x.Before)
	b, i = x.appendExtensions(e, b, i, depth, 2, 10)
	if x.Group != nil {
		b, i = appendMessage(e, b, i, depth-1, tagGroup, x.Group)
	}
	for _, g := range x.Groups {
		b, i = appendMessage(e, b, i, depth-1, tagGroups, g)
	}
	b, i = x.appendExtensions(e, b, i, depth, 12, 20)
	if x.Self != nil {
		b, i = appendMessage(e, b, i, depth-1, tagSelf, x.Self)
	}
	if x.Plain != nil {
		b, i = appendMessage(e, b, i, depth-1, tagPlain, x.Plain)
	}
	b, i = x.appendExtensions(e, b, i, depth, 30, 200)
	b, i = appendNumber(e, b, i, tagAfter, x.After)
	if x.Need != nil {
		b, i = appendMessage(e, b, i, depth-1, tagNeed, x.Need)
	}
	b, i = x.appendExtensions(e, b, i, depth, 1000, math.MaxInt32)
	return appendBytes(e, b, i, x.unknownFields)
}

func (x *Host) appendExtensions(e *wire.Encoder, b []byte, i, depth int, from, to int32) ([]byte, int) {
	if i < 0 {
		return b, i
	}
	return wire.AppendExtensions(e, b, i, depth, x.extensionFields, from, to)
}

func appendNumber(e *wire.Encoder, b []byte, i int, tag uint64, v *int32) ([]byte, int) {
	if v == nil || i < 0 {
		return b, i
	}
	if b, i = e.Grow(b, i, 20); i < 0 {
		return b, i
	}
	return b, wire.PutVarint(b, wire.PutVarint(b, i, tag), uint64(*v))
}

func appendMessage(e *wire.Encoder, b []byte, i, depth int, tag uint64, m proto.Message) ([]byte, int) {
	if i < 0 {
		return b, i
	}
	if b, i = e.Grow(b, i, 20); i < 0 {
		return b, i
	}
	i = wire.PutVarint(b, i, tag)
	if tag&7 == 3 {
		if b, i = wire.AppendMessage(e, b, i, depth, m); i < 0 {
			return b, i
		}
		if b, i = e.Grow(b, i, 10); i < 0 {
			return b, i
		}
		return b, wire.PutVarint(b, i, tag+1)
	}
	at := i
	if b, i = wire.AppendMessage(e, b, at+1, depth, m); i < 0 {
		return b, i
	}
	b, i, _ = e.Seal(b, at, 1, i, depth)
	return b, i
}

func appendBytes(e *wire.Encoder, b []byte, i int, raw []byte) ([]byte, int) {
	if i < 0 {
		return b, i
	}
	if b, i = e.Grow(b, i, len(raw)); i < 0 {
		return b, i
	}
	return b, i + copy(b[i:], raw)
}

// DecodeFlinkser implements wire.Message.
func (x *Host) DecodeFlinkser(d *wire.Decoder, s string, depth int) error {
	Calls.Decode.Add(1)
	_, err := x.DecodeGroupFlinkser(d, s, depth, 0)
	return err
}

// DecodeGroupFlinkser implements wire.GroupDecoder.
func (x *Host) DecodeGroupFlinkser(d *wire.Decoder, s string, depth int, end uint64) (int, error) {
	if end != 0 {
		Calls.Group.Add(1)
	}
	if !d.Enter(depth) {
		return 0, d.Refuse(depth)
	}
	for i := 0; i < len(s); {
		at := i
		var tag uint64
		if tag, i = wire.Varint(s, i); i < 0 {
			return 0, wire.Fail("", at, i)
		}
		var err error
		switch tag {
		case tagBefore:
			x.Before, i, err = number("before", s, at, i)
		case tagAfter:
			x.After, i, err = number("after", s, at, i)
		case tagGroup:
			if x.Group == nil {
				x.Group = new(Host)
			}
			i, err = group(d, s, i, depth-1, tag, "group", -1, x.Group)
		case tagGroups:
			x.Groups = append(x.Groups, new(Host))
			n := len(x.Groups) - 1
			i, err = group(d, s, i, depth-1, tag, "groups", n, x.Groups[n])
		case tagSelf:
			if x.Self == nil {
				x.Self = new(Host)
			}
			i, err = message(d, s, at, i, depth-1, "self", x.Self)
		case tagPlain:
			if x.Plain == nil {
				x.Plain = new(Plain)
			}
			i, err = message(d, s, at, i, depth-1, "plain", x.Plain)
		case tagNeed:
			if x.Need == nil {
				x.Need = new(Need)
			}
			i, err = message(d, s, at, i, depth-1, "need", x.Need)
		default:
			if tag == end && end != 0 {
				return i, nil
			}
			i, err = d.Extension(x, &x.unknownFields, s, at, i, tag, depth)
		}
		if err != nil {
			return 0, err
		}
	}
	if end != 0 {
		return 0, wire.Fail("", len(s), wire.FailTruncated)
	}
	return len(s), nil
}

func number(field, s string, at, i int) (*int32, int, error) {
	v, i := wire.Varint(s, i)
	if i < 0 {
		return nil, 0, wire.Fail(field, at, i)
	}
	return proto.Int32(int32(v)), i, nil
}

func group(d *wire.Decoder, s string, i, depth int, tag uint64, field string, n int, m proto.Message) (int, error) {
	read, err := wire.DecodeGroup(d, s[i:], depth, tag+1, m)
	if err != nil && n >= 0 {
		return 0, wire.InIndex(err, field, n, i)
	}
	return i + read, wire.In(err, field, i)
}

func message(d *wire.Decoder, s string, at, i, depth int, field string, m proto.Message) (int, error) {
	start, end := wire.Length(s, i)
	if end < 0 {
		return 0, wire.Fail(field, at, end)
	}
	return end, wire.In(wire.DecodeMessage(d, s[start:end], depth, m), field, start)
}

// ReuseFlinkser implements wire.Message.
func (x *Host) ReuseFlinkser(d *wire.Decoder, s string, depth int) error {
	x.ResetFlinkser()
	return x.DecodeFlinkser(d, s, depth)
}

// CloneFlinkser implements wire.Message.
func (x *Host) CloneFlinkser() wire.Message {
	if x == nil {
		return x
	}
	c := new(Host)
	if x.Before != nil {
		c.Before = proto.Int32(*x.Before)
	}
	if x.After != nil {
		c.After = proto.Int32(*x.After)
	}
	if x.Group != nil {
		c.Group = wire.CloneMessage(x.Group).(*Host)
	}
	for _, g := range x.Groups {
		c.Groups = append(c.Groups, wire.CloneMessage(g).(*Host))
	}
	if x.Self != nil {
		c.Self = wire.CloneMessage(x.Self).(*Host)
	}
	if x.Plain != nil {
		c.Plain = wire.CloneMessage(x.Plain).(*Plain)
	}
	if x.Need != nil {
		c.Need = wire.CloneMessage(x.Need).(*Need)
	}
	if len(x.extensionFields) > 0 {
		wire.CloneExtensions(c, x)
	}
	c.unknownFields = append(c.unknownFields, x.unknownFields...)
	return c
}

// SchemaFlinkser implements wire.Message.
func (x *Host) SchemaFlinkser() [32]byte { return [32]byte{} }

// RequiredFlinkser implements wire.Requirer.
func (x *Host) RequiredFlinkser() error {
	Calls.Required.Add(1)
	if x == nil {
		return nil
	}
	if x.Group != nil {
		if err := x.Group.RequiredFlinkser(); err != nil {
			return wire.In(err, "group", 0)
		}
	}
	for n, g := range x.Groups {
		if err := g.RequiredFlinkser(); err != nil {
			return wire.InIndex(err, "groups", n, 0)
		}
	}
	if x.Self != nil {
		if err := x.Self.RequiredFlinkser(); err != nil {
			return wire.In(err, "self", 0)
		}
	}
	if x.Plain != nil {
		if err := wire.CheckRequired(x.Plain); err != nil {
			return wire.In(err, "plain", 0)
		}
	}
	if x.Need != nil {
		if err := wire.CheckRequired(x.Need); err != nil {
			return wire.In(err, "need", 0)
		}
	}
	return wire.CheckRequiredExtensions(x.extensionFields)
}

// SizeOfExtensions is wire.SizeExtensions for the extension fields of the message.
func (x *Host) SizeOfExtensions(e *wire.Encoder, depth int) int {
	return wire.SizeExtensions(e, depth, x.extensionFields)
}

// AppendOfExtensions is wire.AppendExtensions for the extension fields of the message.
func (x *Host) AppendOfExtensions(e *wire.Encoder, b []byte, i, depth int, from, to int32) ([]byte, int) {
	return wire.AppendExtensions(e, b, i, depth, x.extensionFields, from, to)
}
