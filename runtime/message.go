package flinkser

import (
	"sync"
	"unsafe"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flinkser/flinkser/runtime/wire"
)

// Message is what every message with generated code has. Only generated code
// implements it.
type Message = wire.Message

// IsAtLeastVersion1 is named by generated code, so that it does not compile with a
// runtime that is older than the form of the code.
const IsAtLeastVersion1 = true

// defaults is the codec of Marshal and Unmarshal.
var defaults = func() codec {
	c, err := newCodec(settings{})
	if err != nil {
		panic(err) // the zero Limits are valid
	}
	return c
}()

// Marshal returns the payload of m, under the default limits. The bytes belong to the
// caller and are never nil. A nil message has an empty payload, or is an ErrUninitialized where fields are
// required. Any proto.Message will do; generated code is used where there is some. The
// error is an *EncodeError.
func Marshal(m proto.Message) ([]byte, error) { return defaults.marshal(m) }

// Unmarshal replaces the content of m by payload b, under the default limits. It keeps
// no part of b. The error is a *DecodeError, and m is then in an undefined, but valid
// state. It may be called from several goroutines for different messages.
func Unmarshal(b []byte, m proto.Message) error { return defaults.decode(b, m) }

// scratch holds buffers for Marshal, which encodes into one of them and returns a copy
// of the right size.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

// scratchMax is the largest buffer that is kept.
const scratchMax = 1 << 20

func (c *codec) marshal(m proto.Message) ([]byte, error) {
	buf := scratch.Get().(*[]byte)
	b, err := c.append((*buf)[:0], m, 0)
	if err != nil {
		scratch.Put(buf)
		return nil, err
	}
	out := make([]byte, len(b))
	copy(out, b)
	if cap(b) <= scratchMax {
		*buf = b
	}
	scratch.Put(buf)
	return out, nil
}

// append appends prefix bytes, which the caller fills in, and the payload of m to dst.
func (c *codec) append(dst []byte, m proto.Message, prefix int) ([]byte, error) {
	if err := c.limits.fitsStack(m); err != nil {
		return dst, err
	}
	b, i := wire.AppendMessage(&c.enc, c.room(dst, prefix), prefix, c.limits.RecursionLimit, m)
	if !c.fits(i, prefix) {
		return c.again(dst, b, i, prefix, m)
	}
	return join(dst, b[:i]), nil
}

// room returns the memory behind dst, or new memory where that does not even hold
// the prefix.
func (c *codec) room(dst []byte, prefix int) []byte {
	if b := dst[len(dst):cap(dst)]; len(b) >= prefix {
		return b
	}
	return make([]byte, newRoom)
}

// newRoom is enough for most small messages.
const newRoom = 128

// fits reports whether a message was written, up to index i, and not too large.
func (c *codec) fits(i, prefix int) bool {
	return uint(i-prefix) <= uint(c.limits.MaxMessageBytes) // a Fail code is a huge uint
}

// again ends an append into b that does not fit. i is the index or code that it returned;
// after FailRetry it is done once more, in the way for deep messages.
func (c *codec) again(dst, b []byte, i, prefix int, m proto.Message) ([]byte, error) {
	if i == wire.FailRetry {
		b, i = wire.AppendDeep(&c.enc, b, prefix, c.limits.RecursionLimit, m)
	}
	if !c.fits(i, prefix) {
		return dst, c.explain(m, i)
	}
	if prefix == wire.PrefixBytes {
		putPrefix(b, i)
	}
	return join(dst, b[:i]), nil
}

// join returns dst with b behind it. As a rule b is there already.
func join(dst, b []byte) []byte {
	switch {
	case unsafe.SliceData(b) == unsafe.SliceData(dst[len(dst):cap(dst)]):
		return dst[:len(dst)+len(b)]
	case len(dst) == 0:
		return b
	default:
		return append(dst, b...)
	}
}

// explain returns the error of an append that failed with this code, or that wrote more
// than the limit. A second walk finds the place of the fault, which the first one does
// not keep track of.
func (c *codec) explain(m proto.Message, code int) error {
	if c.limits.RecursionLimit == 0 {
		return errNotMade
	}
	if code >= 0 || code == wire.FailSize {
		return &EncodeError{Message: fullName(m), Err: ErrTooLarge}
	}
	if err := wire.Diagnose(&c.enc, m, c.limits.RecursionLimit); err != nil {
		return err
	}
	return &EncodeError{Message: fullName(m), Err: wire.Reason(code)}
}

func fullName(m proto.Message) string {
	if m == nil || isUntyped(m) {
		return ""
	}
	return string(m.ProtoReflect().Descriptor().FullName())
}

// isUntyped reports whether m is a nil pointer that does not know its message type, as
// that to a dynamic message.
func isUntyped(m proto.Message) bool {
	_, ok := m.(protoreflect.Message)
	return ok && isNil(m)
}

// isNil reports whether m is nil or holds a nil pointer.
func isNil(m proto.Message) bool {
	// The second word of an interface is the pointer that it holds.
	return m == nil || (*[2]unsafe.Pointer)(unsafe.Pointer(&m))[1] == nil
}

// decode reads payload b into m as the settings say.
func (c *codec) decode(b []byte, m proto.Message) error {
	if err := c.limits.fitsStack(m); err != nil {
		return err
	}
	if g, ok := m.(Message); ok {
		_, requirer := m.(wire.Requirer)
		return c.decodeGenerated(b, g, requirer)
	}
	d, err := c.decoder(b, m)
	if err != nil {
		return err
	}
	if !c.merge {
		proto.Reset(m)
	}
	err = wire.DecodeMessage(d, view(b), c.limits.RecursionLimit, m)
	if err == nil && !c.partial {
		err = wire.CheckRequired(m)
	}
	if err != nil {
		return wire.Finish(err, fullName(m))
	}
	return nil
}

// decodeGenerated is decode for a message with generated code; requirer says whether it is
// a wire.Requirer.
func (c *codec) decodeGenerated(b []byte, m Message, requirer bool) error {
	d := &c.dec
	if len(b) > c.plain || isNil(m) {
		var err error
		if d, err = c.decoder(b, m); err != nil {
			return err
		}
	}
	var err error
	switch {
	case c.reuse:
		err = m.ReuseFlinkser(d, view(b), c.limits.RecursionLimit)
	case c.merge:
		err = m.DecodeFlinkser(d, view(b), c.limits.RecursionLimit)
	default:
		m.ResetFlinkser()
		err = m.DecodeFlinkser(d, view(b), c.limits.RecursionLimit)
	}
	// A message that is none may hold others without generated code, or with newer code,
	// that have required fields.
	if err == nil && (requirer || wire.MetRequired() || c.merge) && !c.partial {
		err = wire.CheckRequired(m)
	}
	if err != nil {
		return wire.Finish(err, fullName(m))
	}
	return nil
}

// decoder returns the decoder for payload b, or why b cannot be read into m.
func (c *codec) decoder(b []byte, m proto.Message) (*wire.Decoder, error) {
	switch {
	case c.limits.RecursionLimit == 0:
		return nil, errNotMade
	case isNil(m):
		return nil, &DecodeError{Message: fullName(m), Err: ErrNilMessage}
	case len(b) > c.limits.MaxMessageBytes:
		return nil, &DecodeError{Message: fullName(m), Err: ErrTooLarge}
	case len(b) > c.plain:
		return c.dec.Counting(c.limits.budget(len(b))), nil
	}
	return &c.dec, nil
}

// view returns b as a string, without a copy.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
