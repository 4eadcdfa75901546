package wire

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Reasons for refusing a message or its bytes. Errors of this module wrap one
// of them; test with errors.Is.
var (
	// ErrTruncated: the input ends inside a field, a payload or a frame prefix.
	ErrTruncated = errors.New("input is truncated")
	// ErrOverflow: a varint has more than ten bytes or more than 64 bits.
	ErrOverflow = errors.New("varint overflows 64 bits")
	// ErrMalformed: a field number outside 1 to 536870911, a reserved wire type, or an
	// end-group tag without its start.
	ErrMalformed = errors.New("malformed field tag")
	// ErrDepth: messages, map entries or groups are nested deeper than the recursion limit.
	ErrDepth = errors.New("recursion limit exceeded")
	// ErrTooLarge: a payload is larger than the message size limit.
	ErrTooLarge = errors.New("message size limit exceeded")
	// ErrInvalidUTF8: a string field that must hold UTF-8 does not.
	ErrInvalidUTF8 = errors.New("string field holds invalid UTF-8")
	// ErrBudget: a payload has more messages, map entries and list elements than the element budget allows.
	ErrBudget = errors.New("element budget exceeded")
	// ErrUninitialized: a required field is not set.
	ErrUninitialized = errors.New("required field is not set")
	// ErrNilMessage: there is no message to decode into, or no type to work with.
	ErrNilMessage = errors.New("message is nil")
	// ErrUnsupported: the message type cannot be handled: it is in message set wire format,
	// and the program is built without the tag protolegacy.
	ErrUnsupported = errors.New("message type is not supported")
)

// Fail codes: what an encoding or decoding function returns instead of an
// index. They are negative so that one comparison finds them.
const (
	FailTruncated = -1 - iota
	FailOverflow
	FailMalformed
	FailDepth
	FailSize
	FailUTF8
	FailBudget
	FailRequired
	FailUnsupported
	FailRetry // not a failure yet: AppendDeep has to write the message
)

var sentinels = [...]error{
	-1 - FailTruncated:   ErrTruncated,
	-1 - FailOverflow:    ErrOverflow,
	-1 - FailMalformed:   ErrMalformed,
	-1 - FailDepth:       ErrDepth,
	-1 - FailSize:        ErrTooLarge,
	-1 - FailUTF8:        ErrInvalidUTF8,
	-1 - FailBudget:      ErrBudget,
	-1 - FailRequired:    ErrUninitialized,
	-1 - FailUnsupported: ErrUnsupported,
}

// Reason returns the error that a Fail code stands for. An index that is no
// code was past the end of the input, which is ErrTruncated.
func Reason(code int) error {
	if code >= 0 || -1-code >= len(sentinels) {
		return ErrTruncated
	}
	return sentinels[-1-code]
}

// DecodeError says why a payload was refused and where.
type DecodeError struct {
	// Message is the full name of the root message, as in "shop.v1.Order".
	Message string
	// Field is the path from the root to the field, as in `items[3].labels["a"].name`.
	// It is empty where the root message itself is at fault. The middle of a path of
	// more than 64 steps is left out.
	Field string
	// Offset is the byte in the payload at which the field at fault starts.
	Offset int
	// FrameOffset is the byte in the stream at which the frame starts, for errors of a
	// Reader; otherwise 0.
	FrameOffset int64
	// Err is the reason: one of the sentinel errors of this module.
	Err error

	path []step // innermost first, until Finish has made Field of it
}

// step is one element of a path: a field, and the element of it where it is a list or a map.
type step struct {
	field string
	index int // of a list element; -1 for others
	key   any // of a map entry; nil for others
}

// Error describes the failure in one line.
func (e *DecodeError) Error() string {
	return describe("decode", e.Message, e.Field) + ": offset " + strconv.Itoa(e.Offset) + ": " + e.Err.Error()
}

// Unwrap returns the reason.
func (e *DecodeError) Unwrap() error { return e.Err }

// EncodeError says why a message was not written and which field is at fault.
type EncodeError struct {
	// Message is the full name of the root message.
	Message string
	// Field is the path from the root to the field, in the form of DecodeError.Field. It is
	// empty where the message is too large, which is no single field's fault.
	Field string
	// Err is the reason: one of the sentinel errors of this module.
	Err error
}

// Error describes the failure in one line.
func (e *EncodeError) Error() string {
	return describe("encode", e.Message, e.Field) + ": " + e.Err.Error()
}

// Unwrap returns the reason.
func (e *EncodeError) Unwrap() error { return e.Err }

func describe(verb, message, field string) string {
	s := "flinkser: " + verb
	if message != "" {
		s += " " + message
	}
	if field != "" {
		s += ": field " + field
	}
	return s
}

// Fail starts the error of a field that begins at byte at of the message being
// read; code is a Fail code or an index past the end of the input. An empty
// field means the message itself.
//
//go:noinline
func Fail(field string, at, code int) error {
	e := &DecodeError{Offset: at, Err: Reason(code)}
	if field != "" {
		e.path = append(e.path, step{field: field, index: -1})
	}
	return e
}

// In adds the field around a failed message to err; base is the byte at which that
// message's payload begins in the message around it. An empty field adds no step to
// the path: the message is the value of a map entry, which InKey names.
//
//go:noinline
func In(err error, field string, base int) error {
	return within(err, step{field: field, index: -1}, base)
}

// InIndex is In for element n of a list.
//
//go:noinline
func InIndex(err error, field string, n, base int) error {
	return within(err, step{field: field, index: n}, base)
}

// InKey is In for the value of key in a map.
//
//go:noinline
func InKey(err error, field string, key any, base int) error {
	return within(err, step{field: field, index: -1, key: key}, base)
}

func within(err error, s step, base int) error {
	if e, ok := err.(*DecodeError); ok {
		if s.field != "" {
			e.path = append(e.path, s)
		}
		e.Offset += base
	}
	return err
}

// Finish completes an error of a decode at its root: it names the message and
// makes the path. Errors of other types are returned as they are.
func Finish(err error, message string) error {
	if e, ok := err.(*DecodeError); ok {
		e.Message = message
		e.Field = joinPath(e.path)
		e.path = nil
	}
	return err
}

// A path of a hostile message may have as many steps as the recursion limit
// allows; pathEnds of them are shown at each end.
const pathEnds = 32

func joinPath(path []step) string {
	var b strings.Builder
	for i := len(path) - 1; i >= 0; i-- {
		s := path[i]
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		if left := len(path) - 2*pathEnds; left > 0 && i == len(path)-1-pathEnds {
			fmt.Fprintf(&b, "(%d more)", left)
			i = pathEnds
			continue
		}
		b.WriteString(s.field)
		switch {
		case s.key != nil:
			writeKey(&b, s.key)
		case s.index >= 0:
			fmt.Fprintf(&b, "[%d]", s.index)
		}
	}
	return b.String()
}

func writeKey(b *strings.Builder, key any) {
	const longest = 64
	s, ok := key.(string)
	switch {
	case !ok:
		fmt.Fprintf(b, "[%v]", key)
	case len(s) > longest:
		fmt.Fprintf(b, "[%q...]", s[:longest])
	default:
		fmt.Fprintf(b, "[%q]", s)
	}
}
