package wire

import (
	"encoding/binary"
	"math"
	"unsafe"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/runtime/protoimpl"
)

// A message with the option message_set_wire_format has no fields but extensions that are
// messages. Each stands in a group:
//
//	repeated group Item = 1 {
//		required int32 type_id = 2;   // number of the extension
//		required bytes message = 3;
//	}
//
// google.golang.org/protobuf reads and writes that only if it was built with the tag
// protolegacy. Otherwise all functions here refuse it. An item that is no known extension
// is kept in the unknown fields as one with the number type_id, as if this were an ordinary
// message.

// Tags of a message set, and the number of bytes that those of an item take.
const (
	itemTag     = 1<<3 | typeStartGroup
	itemEnd     = 1<<3 | typeEndGroup
	itemType    = 2<<3 | typeVarint
	itemMessage = 3<<3 | typeBytes
	itemTags    = 4
)

// itemRoom is the room for an item up to the length of its message.
const itemRoom = 3 + 2*packedMax

// isMessageSet reports whether messages of a type are in message set wire format.
func isMessageSet(md protoreflect.MessageDescriptor) bool {
	set, ok := md.(interface{ IsMessageSet() bool })
	return ok && set.IsMessageSet()
}

// SizeMessageSet is SizeExtensions for a message in message set wire format.
func SizeMessageSet(e *Encoder, depth int, x protoimpl.ExtensionFields) int {
	w := newWriter(e)
	from, to := w.collectExtensions(x, 0, math.MaxInt32+1)
	n := w.sizeMessageSet(depth, from, to, nil)
	w.free()
	return n
}

// AppendMessageSet is AppendExtensions for a message in message set wire format: it writes
// all extension fields.
func AppendMessageSet(e *Encoder, b []byte, i, depth int, x protoimpl.ExtensionFields) ([]byte, int) {
	w := newWriter(e)
	from, to := w.collectExtensions(x, 0, math.MaxInt32+1)
	b, i = w.appendMessageSet(b, i, depth, from, to)
	w.free()
	return b, i
}

// sizeMessageSet is sizeFields for a message in message set wire format, which has unknown
// fields too.
func (w *writer) sizeMessageSet(depth, from, to int, unknown []byte) int {
	if !protoLegacy {
		return FailUnsupported
	}
	total := SizeMessageSetUnknown(unknown)
	if total < 0 {
		return total
	}
	for k := from; k < to && total <= w.e.max; k++ {
		f, v := w.fields[k].field, w.fields[k].value
		if !f.isItem() {
			return FailUnsupported
		}
		n := w.sizeMessage(depth-1, f, v.Message())
		if n < 0 {
			return n
		}
		total += itemTags + SizeVarint(uint64(f.number)) + SizeBytes(n)
	}
	if total > w.e.max {
		return FailSize
	}
	w.drop(from)
	return total
}

// appendMessageSet is appendFields for a message in message set wire format.
func (w *writer) appendMessageSet(b []byte, i, depth, from, to int) ([]byte, int) {
	if !protoLegacy {
		return b, FailUnsupported
	}
	sortFields(w.fields[from:])
	for k := from; k < to; k++ {
		f := w.fields[k].field
		if b, i = w.appendItem(b, i, depth-1, f, w.fields[k].value); i < 0 {
			w.at(f, -1, nil)
			return b, i
		}
	}
	w.drop(from)
	return b, i
}

// appendItem writes the item of an extension.
func (w *writer) appendItem(b []byte, i, depth int, f *field, v protoreflect.Value) ([]byte, int) {
	if !f.isItem() {
		return b, FailUnsupported
	}
	if b, i = startItem(w.e, b, i, uint64(f.number)); i < 0 {
		return b, i
	}
	at := i
	if b, i = w.appendMessage(b, at+1, depth, f, v.Message()); i < 0 {
		return b, i
	}
	if b, i, _ = w.e.Seal(b, at, 1, i, depth); i < 0 {
		return b, i
	}
	return endItem(w.e, b, i)
}

// isItem reports whether the extension field may be one of a message set.
func (f *field) isItem() bool { return f.shape == singular && f.kind == protoreflect.MessageKind }

// startItem writes an item up to the length of its message, for which it makes room.
func startItem(e *Encoder, b []byte, i int, number uint64) ([]byte, int) {
	if len(b)-i < itemRoom {
		if b, i = e.Grow(b, i, itemRoom); i < 0 {
			return b, i
		}
	}
	b[i], b[i+1] = itemTag, itemType
	i = PutVarint(b, i+2, number)
	b[i] = itemMessage
	return b, i + 1
}

// endItem writes the end of an item.
func endItem(e *Encoder, b []byte, i int) ([]byte, int) {
	if len(b)-i < 1 {
		if b, i = e.Grow(b, i, 1); i < 0 {
			return b, i
		}
	}
	b[i] = itemEnd
	return b, i + 1
}

// SizeMessageSetUnknown returns the length of the unknown fields of a message in message
// set wire format, which are written as items, or FailMalformed where they cannot be.
func SizeMessageSetUnknown(unknown []byte) int {
	total := 0
	for s := view(unknown); s != ""; {
		number, length, end := unknownItem(s)
		if end < 0 {
			return end
		}
		total += itemTags + SizeVarint(number) + end - length
		s = s[end:]
	}
	return total
}

// AppendMessageSetUnknown writes the unknown fields of a message in message set wire format
// as items. They must be length-delimited, as MessageSetItem makes them: others are
// FailMalformed.
func AppendMessageSetUnknown(e *Encoder, b []byte, i int, unknown []byte) ([]byte, int) {
	for s := view(unknown); s != ""; {
		number, length, end := unknownItem(s)
		if end < 0 {
			return b, end
		}
		if b, i = startItem(e, b, i, number); i < 0 {
			return b, i
		}
		if len(b)-i < end-length {
			if b, i = e.Grow(b, i, end-length); i < 0 {
				return b, i
			}
		}
		i += copy(b[i:], s[length:end])
		if b, i = endItem(e, b, i); i < 0 {
			return b, i
		}
		s = s[end:]
	}
	return b, i
}

// unknownItem reads the unknown field at the start of s. It returns the index of its length
// and that behind it, or a Fail code instead of the latter.
func unknownItem(s string) (number uint64, length, end int) {
	tag, length := Varint(s, 0)
	if length < 0 || tag&7 != typeBytes || !looseNumber(tag) {
		return 0, 0, FailMalformed
	}
	if _, end = Length(s, length); end < 0 {
		return 0, 0, FailMalformed
	}
	return tag >> 3, length, end
}

// view returns b as a string, without a copy.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// MessageSetItem is Extension for a message in message set wire format: it reads the field
// with the tag s[at:i], value tag. An item with a known extension of m is set in m, one with
// another is appended to unknown. Anything else is dropped, as google.golang.org/protobuf
// does.
//
//go:noinline
func (d *Decoder) MessageSetItem(m proto.Message, unknown *[]byte, s string, at, i int, tag uint64, depth int) (int, error) {
	if !protoLegacy {
		return 0, Fail("", at, FailUnsupported)
	}
	return d.decodeItem(m.ProtoReflect(), unknown, s, at, i, tag, depth)
}

func (d *Decoder) decodeItem(m protoreflect.Message, unknown *[]byte, s string, at, i int, tag uint64, depth int) (int, error) {
	if tag != itemTag {
		if i = d.drop(s, i, tag, depth); i < 0 {
			return 0, Fail("", at, i)
		}
		return i, nil
	}
	x, next, err := d.readItem(s, i, depth)
	switch {
	case err != nil:
		return 0, err
	case x.number == 0:
		return next, nil
	}
	f := extension(m.Descriptor(), x.number)
	if f != nil && f.isItem() {
		err := f.decodePayload(d, x.payload, depth-1, m.Mutable(f.desc).Message())
		return next, In(err, f.name, x.base)
	}
	if unknown != nil {
		*unknown = binary.AppendUvarint(*unknown, x.number<<3|typeBytes)
		*unknown = append(append(*unknown, x.length...), x.payload...)
	}
	return next, nil
}

// item is what an item of a message set holds.
type item struct {
	number  uint64
	length  string // of the payload, as it was written
	payload string
	base    int // index of the payload, or of the first piece of it
}

// readItem reads an item whose first tag ends at index i, up to and including its end tag.
// The last number counts. Pieces of the message are joined.
func (d *Decoder) readItem(s string, i, depth int) (x item, next int, err error) {
	x.length = "\x00"
	pieces := 0
	var joined []byte
	for {
		at := i
		var tag uint64
		if tag, i = Varint(s, i); i < 0 {
			return x, 0, Fail("", at, i)
		}
		switch tag {
		case itemEnd:
			if pieces > 1 {
				x.payload = view(joined)
				x.length = string(binary.AppendUvarint(nil, uint64(len(joined))))
			}
			return x, i, nil
		case itemType:
			if x.number, i = Varint(s, i); i >= 0 && x.number-1 >= math.MaxInt32 {
				i = FailMalformed
			}
		case itemMessage:
			start, end := Length(s, i)
			if end < 0 {
				return x, 0, Fail("", at, end)
			}
			if pieces++; pieces == 1 {
				x.length, x.payload, x.base = s[i:start], s[start:end], start
			} else {
				if pieces == 2 {
					joined = []byte(x.payload)
				}
				joined = append(joined, s[start:end]...)
			}
			i = end
		default:
			i = d.drop(s, i, tag, depth-1)
		}
		if i < 0 {
			return x, 0, Fail("", at, i)
		}
	}
}
