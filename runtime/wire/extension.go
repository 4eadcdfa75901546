package wire

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/runtime/protoimpl"
)

// The functions of this file are for extension fields, of which generated code only knows
// the numbers that they may have. What is in them depends on the program: it is handled
// through protoreflect up to messages with generated code.

// SizeExtensions returns the exact length in bytes of the extension fields x of a message,
// or FailDepth, FailSize or FailUnsupported. depth is that of the message.
func SizeExtensions(e *Encoder, depth int, x protoimpl.ExtensionFields) int {
	if len(x) == 0 {
		return 0
	}
	w := newWriter(e)
	from, to := w.collectExtensions(x, 0, maxNumber+1)
	n := w.sizeFields(depth, from, to, 0)
	w.free()
	return n
}

// AppendExtensions writes those of the extension fields x of a message whose number is at
// least from and less than to, in the order of their numbers. Everything else is as for
// AppendMessage, but depth is that of the message.
func AppendExtensions(e *Encoder, b []byte, i, depth int, x protoimpl.ExtensionFields, from, to int32) ([]byte, int) {
	if len(x) == 0 {
		return b, i
	}
	w := newWriter(e)
	first, last := w.collectExtensions(x, int64(from), int64(to))
	b, i = w.appendFields(b, i, depth, first, last)
	w.free()
	return b, i
}

// collectExtensions is collect for the extension fields x whose number is at least low and
// less than high. An empty list is no field that is set.
func (w *writer) collectExtensions(x protoimpl.ExtensionFields, low, high int64) (from, to int) {
	from = len(w.fields)
	for number, field := range x {
		if int64(number) < low || int64(number) >= high || !field.IsSet() {
			continue
		}
		f, v := extensionField(field.Type().TypeDescriptor()), field.Value()
		if f.shape != listed || v.List().Len() > 0 {
			w.fields = append(w.fields, set{f, v})
		}
	}
	return from, len(w.fields)
}

// Extension reads the field with the tag s[at:i], value tag, of a message with extension
// ranges that has no such field itself. Where the program knows it as an extension of m, it
// is set in m, else its bytes are appended to unknown as Decoder.Unknown does. It returns
// the index behind the field. The error is that of DecodeMessage.
//
//go:noinline
func (d *Decoder) Extension(m proto.Message, unknown *[]byte, s string, at, i int, tag uint64, depth int) (int, error) {
	r := m.ProtoReflect()
	f := extension(r.Descriptor(), tag>>3)
	if f == nil || f.accepts>>(tag&7)&1 == 0 {
		return d.keep(unknown, s, at, i, tag, depth)
	}
	var held protoreflect.Value
	if f.shape != singular {
		held = r.Mutable(f.desc)
	}
	return f.decode(d, s, at, i, tag, depth, r, held)
}

// CloneExtensions sets the extension fields of from in to, a message of the same type
// without any, as deep copies.
func CloneExtensions(to, from proto.Message) {
	r := to.ProtoReflect()
	from.ProtoReflect().Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case !fd.IsExtension():
		case fd.IsList():
			list := r.Mutable(fd).List()
			for n := range v.List().Len() {
				list.Append(cloneValue(v.List().Get(n)))
			}
		case fd.Message() != nil && !v.Message().IsValid():
			r.Mutable(fd) // present, so that it is written as an empty message
		default:
			r.Set(fd, cloneValue(v))
		}
		return true
	})
}

// cloneValue returns a deep copy of a value that is no list and no map.
func cloneValue(v protoreflect.Value) protoreflect.Value {
	switch x := v.Interface().(type) {
	case protoreflect.Message:
		return protoreflect.ValueOfMessage(CloneMessage(x.Interface()).ProtoReflect())
	case []byte:
		return protoreflect.ValueOfBytes(append([]byte{}, x...))
	}
	return v
}

// CheckRequiredExtensions is CheckRequired for the extension fields x of a message.
func CheckRequiredExtensions(x protoimpl.ExtensionFields) error {
	for _, field := range x {
		if !field.IsSet() {
			continue
		}
		f := extensionField(field.Type().TypeDescriptor())
		if !f.holdsMessages() {
			continue
		}
		if err := f.checkRequired(field.Value()); err != nil {
			return err
		}
	}
	return nil
}
