package wire

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Codec is the code for messages of type M in another Go package than theirs, as a rule because
// they are of another module. Only generated code implements it. Its methods are those of
// Message, with the message as their last parameter; it reaches what a struct does not export
// through the functions of this file.
type Codec[M proto.Message] interface {
	Reset(m M)
	Size(e *Encoder, depth int, m M) int
	Append(e *Encoder, b []byte, i, depth int, m M) ([]byte, int)
	Decode(d *Decoder, s string, depth int, m M) error
	Reuse(d *Decoder, s string, depth int, m M) error
	Clone(m M) M
	Schema() [32]byte
}

// Caller is what a generated message has whose code calls codecs. A codec whose code calls
// others has the method too, and there it is named Calls.
type Caller interface {
	CallsFlinkser() []Called
}

// Called is a codec that generated code calls by itself, without asking the message for code.
type Called struct {
	Message protoreflect.FullName // that it is for
	Codec   any
}

// Calls returns the Called for a codec.
func Calls[M proto.Message](c Codec[M]) Called {
	return Called{Message: (*new(M)).ProtoReflect().Descriptor().FullName(), Codec: c}
}

// CallsOf returns the codecs that code, which is a message or a codec, calls.
func CallsOf(code any) []Called {
	switch c := code.(type) {
	case Caller:
		return c.CallsFlinkser()
	case interface{ Calls() []Called }:
		return c.Calls()
	}
	return nil
}

// MayLack reports whether messages of a type, or messages in them, can lack a required field.
func MayLack(md protoreflect.MessageDescriptor) bool { return tableOf(md).reach()&reachesRequired != 0 }

// AddUnknown appends b, whole fields, to the unknown fields of m. It keeps b.
//
//go:noinline
func AddUnknown(m proto.Message, b []byte) {
	r := m.ProtoReflect()
	if old := r.GetUnknown(); len(old) > 0 {
		b = append(old, b...)
	}
	r.SetUnknown(b)
}

// ClearUnknown removes the unknown fields of m.
func ClearUnknown(m proto.Message) {
	if r := m.ProtoReflect(); len(r.GetUnknown()) > 0 {
		r.SetUnknown(nil)
	}
}

// CloneUnknown gives to, a message of the same type, a copy of the unknown fields of from.
func CloneUnknown(to, from proto.Message) {
	if u := from.ProtoReflect().GetUnknown(); len(u) > 0 {
		to.ProtoReflect().SetUnknown(CloneList(u))
	}
}

// SizeOthers is SizeExtensions for m, and the length of its unknown fields.
func SizeOthers(e *Encoder, depth int, m proto.Message) int {
	r := m.ProtoReflect()
	w := newWriter(e)
	from, to := w.collectExtensionsOf(r, 0, maxNumber+1)
	n := w.sizeFields(depth, from, to, len(r.GetUnknown()))
	w.free()
	return n
}

// AppendExtensionsOf is AppendExtensions for m.
func AppendExtensionsOf(e *Encoder, b []byte, i, depth int, m proto.Message, from, to int32) ([]byte, int) {
	w := newWriter(e)
	first, last := w.collectExtensionsOf(m.ProtoReflect(), int64(from), int64(to))
	b, i = w.appendFields(b, i, depth, first, last)
	w.free()
	return b, i
}

// collectExtensionsOf is collectExtensions for m.
func (w *writer) collectExtensionsOf(m protoreflect.Message, low, high int64) (from, to int) {
	from = len(w.fields)
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		if number := int64(fd.Number()); fd.IsExtension() && number >= low && number < high {
			w.fields = append(w.fields, set{extensionField(fd), v})
		}
		return true
	})
	return from, len(w.fields)
}

// ClearExtensions removes the extension fields of m.
func ClearExtensions(m proto.Message) {
	r := m.ProtoReflect()
	r.Range(func(fd protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		if fd.IsExtension() {
			r.Clear(fd)
		}
		return true
	})
}
