package wire

import (
	"reflect"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// The functions of this file take any message. One with generated code is handled by
// that, any other through protoreflect with the same rules, guards and order. They may
// be called by several goroutines at once, as long as nobody changes the message.

// SizeMessage returns the exact length of m's payload in bytes, or FailDepth, FailSize
// or FailUnsupported.
func SizeMessage(e *Encoder, depth int, m proto.Message) int {
	if g, ok := m.(Message); ok {
		return g.SizeFlinkser(e, depth)
	}
	r := reflected(m)
	if r == nil {
		return 0
	}
	w := newWriter(e)
	n := w.size(tableOf(r.Descriptor()), depth, r)
	w.free()
	return n
}

// AppendMessage writes m's payload to b from index i on and returns b, or what it has
// grown to, and the index behind the payload; a negative index is a Fail code. A nil
// message has an empty payload. How much room is left afterwards is not said.
func AppendMessage(e *Encoder, b []byte, i, depth int, m proto.Message) ([]byte, int) {
	if g, ok := m.(Message); ok {
		return g.AppendFlinkser(e, b, i, depth)
	}
	r := reflected(m)
	if r == nil {
		return b, i
	}
	w := newWriter(e)
	b, i = w.append(tableOf(r.Descriptor()), b, i, depth, r)
	w.free()
	return b, i
}

// DecodeMessage merges payload s into m. The error is a *DecodeError that has still to
// pass through Finish. Required fields are not looked at: see CheckRequired.
func DecodeMessage(d *Decoder, s string, depth int, m proto.Message) error {
	if g, ok := m.(Message); ok {
		meet(g)
		return g.DecodeFlinkser(d, s, depth)
	}
	r := reflected(m)
	if r == nil || !r.IsValid() {
		return &DecodeError{Err: ErrNilMessage}
	}
	_, err := tableOf(r.Descriptor()).decode(d, s, depth, r, 0)
	return err
}

// DecodeGroup merges into m a group whose payload is at the start of s, up to and including
// the tag end, and returns the index behind that. Where end is 0, the payload ends with s.
// The error is that of DecodeMessage.
func DecodeGroup(d *Decoder, s string, depth int, end uint64, m proto.Message) (int, error) {
	if g, ok := m.(GroupDecoder); ok {
		meet(g)
		return g.DecodeGroupFlinkser(d, s, depth, end)
	}
	r := reflected(m)
	if r == nil || !r.IsValid() {
		return 0, &DecodeError{Err: ErrNilMessage}
	}
	return tableOf(r.Descriptor()).decode(d, s, depth, r, end)
}

// ReuseMessage replaces the content of m by payload s. Messages without generated code
// are reset: what they hold is not used again.
func ReuseMessage(d *Decoder, s string, depth int, m proto.Message) error {
	if g, ok := m.(Message); ok {
		meet(g)
		return g.ReuseFlinkser(d, s, depth)
	}
	if r := reflected(m); r == nil || !r.IsValid() {
		return &DecodeError{Err: ErrNilMessage}
	}
	proto.Reset(m)
	return DecodeMessage(d, s, depth, m)
}

// CloneMessage returns a deep copy of m. Unlike proto.Clone it keeps a negative zero in a
// field with implicit presence. The copy of a nil message is a nil message of its type.
// A value with a cycle must be refused first, which SizeMessage does.
func CloneMessage(m proto.Message) proto.Message {
	if g, ok := m.(Message); ok {
		return g.CloneFlinkser()
	}
	r := reflected(m)
	if r == nil || !r.IsValid() {
		return m
	}
	clone := proto.Clone(m)
	tableOf(r.Descriptor()).restoreZeros(clone.ProtoReflect(), r)
	return clone
}

// CheckRequired returns nil when every required field of m, and of all messages in it,
// is set; otherwise a *DecodeError that has still to pass through Finish. The read of a
// root message ends with it unless Decoder.AllowPartial is set: a required field may
// come with a later piece of a message, so no earlier place is right.
func CheckRequired(m proto.Message) error {
	if q, ok := m.(Requirer); ok {
		return q.RequiredFlinkser()
	}
	r := reflected(m)
	if r == nil {
		return nil
	}
	return tableOf(r.Descriptor()).checkRequired(r)
}

// Diagnose finds out why m could not be written. It writes m again, through protoreflect
// only, up to the first failure, and returns an *EncodeError with its place, or nil where
// everything can be written. It takes the time and memory of an append that fails.
func Diagnose(e *Encoder, m proto.Message, depth int) error {
	r := reflected(m)
	if r == nil {
		return nil
	}
	own := e.leaving()
	w := newWriter(own)
	defer w.free()
	w.plain, w.traced = true, true
	_, i := w.append(tableOf(r.Descriptor()), make([]byte, growMin), PrefixBytes, depth, r)
	if i >= 0 && uint(i-PrefixBytes)+uint(own.gaps.lack) > uint(e.max) {
		i = FailSize
	}
	if i >= 0 {
		return nil
	}
	if i == FailSize {
		w.path = nil // the whole message is too large, not the field at which that was noticed
	}
	return &EncodeError{
		Message: string(r.Descriptor().FullName()),
		Field:   joinPath(w.path),
		Err:     Reason(i),
	}
}

// reflected returns the reflective view of m, or nil where there is none: m is nil, or
// a nil pointer that is its own view, as that to a dynamic message.
func reflected(m proto.Message) protoreflect.Message {
	if m == nil {
		return nil
	}
	if _, ok := m.(protoreflect.Message); ok {
		if v := reflect.ValueOf(m); v.Kind() == reflect.Pointer && v.IsNil() {
			return nil
		}
	}
	return m.ProtoReflect()
}
