package flinkser

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/flinkser/flinkser/runtime/snapshot"
	"github.com/flinkser/flinkser/runtime/wire"
)

// Reasons for refusing a message or its bytes; test for them with errors.Is.
var (
	// ErrTruncated: the input ends inside a field, a payload or a frame prefix. Errors of
	// a Reader that wrap it wrap io.ErrUnexpectedEOF too.
	ErrTruncated = wire.ErrTruncated
	// ErrOverflow: a varint has more than ten bytes or more than 64 bits.
	ErrOverflow = wire.ErrOverflow
	// ErrMalformed: a field number outside 1 to 536870911, a reserved wire type, or an
	// end-group tag without its start.
	ErrMalformed = wire.ErrMalformed
	// ErrDepth: messages, map entries or groups are nested deeper than the recursion
	// limit. A Go value that contains itself gives it, too.
	ErrDepth = wire.ErrDepth
	// ErrTooLarge: a payload is larger than the message size limit.
	ErrTooLarge = wire.ErrTooLarge
	// ErrInvalidUTF8: a string field that must hold UTF-8 does not.
	ErrInvalidUTF8 = wire.ErrInvalidUTF8
	// ErrBudget: a payload has more elements than the element budget allows.
	ErrBudget = wire.ErrBudget
	// ErrUninitialized: a required field is not set.
	ErrUninitialized = wire.ErrUninitialized
	// ErrNilMessage: there is no message to decode into.
	ErrNilMessage = wire.ErrNilMessage
	// ErrUnsupported: the message type cannot be handled: it is in message set wire
	// format, and the program is built without the tag protolegacy.
	ErrUnsupported = wire.ErrUnsupported
	// ErrNotGenerated: RequireGenerated was asked for, and there are message types
	// without generated code.
	ErrNotGenerated = errors.New("message types without generated code")
	// ErrIncompatible: the schema of a serializer may not restore the state of a snapshot. The
	// error is a *snapshot.IncompatibleError, which has the whole verdict.
	ErrIncompatible = snapshot.ErrIncompatible

	errNotMade = errors.New("flinkser: a Serializer, Reader or Writer that was not made with its New function")
)

// DecodeError says why a payload was refused: Message is the full name of the root message,
// Field the path to the field, as in `items[3].name`, Offset the byte of the payload at
// which that starts, FrameOffset the byte of a Reader's stream at which its frame starts,
// and Err one of the reasons above. The frame was read completely, so that reading can go
// on with the next one.
type DecodeError = wire.DecodeError

// EncodeError says why a message was not written: Message, Field and Err are those of a
// DecodeError. Field is empty where the whole message is too large.
type EncodeError = wire.EncodeError

// FrameError says why a frame was refused before its payload was looked at. Where the
// next frame begins is not known then.
type FrameError struct {
	// Offset is the byte in the stream, or in the slice given, at which the frame starts.
	Offset int64
	// Length is the payload length that the prefix announces, or -1 where the prefix
	// itself is incomplete.
	Length int64
	// Err is ErrTruncated, ErrTooLarge, or an error of the reader underneath.
	Err error
}

// Error describes the failure in one line.
func (e *FrameError) Error() string {
	s := "flinkser: frame at offset " + strconv.FormatInt(e.Offset, 10)
	if e.Length >= 0 {
		s += " of " + strconv.FormatInt(e.Length, 10) + " bytes"
	}
	return s + ": " + e.Err.Error()
}

// Unwrap returns the reason, and io.ErrUnexpectedEOF beside ErrTruncated.
func (e *FrameError) Unwrap() []error {
	if errors.Is(e.Err, ErrTruncated) {
		return []error{e.Err, io.ErrUnexpectedEOF}
	}
	return []error{e.Err}
}

// OptionError says which setting is out of its range, or cannot be combined with another.
type OptionError struct {
	Option string // name of the option or of the field of Limits
	Value  int64
	Want   string // the range, or ""
	With   string // the option that excludes this one, or ""
}

// Error describes the failure in one line.
func (e *OptionError) Error() string {
	switch {
	case e.Option == "WithCodec":
		return "flinkser: WithCodec wants " + e.Want
	case e.With != "":
		return "flinkser: " + e.Option + " cannot be combined with " + e.With
	}
	return "flinkser: " + e.Option + " is " + strconv.FormatInt(e.Value, 10) + ", want " + e.Want
}

// NotGeneratedError lists the message types that RequireGenerated found without
// generated code, in the order of their names. It wraps ErrNotGenerated.
type NotGeneratedError struct {
	Types []string
}

// Error lists the types.
func (e *NotGeneratedError) Error() string {
	return "flinkser: " + ErrNotGenerated.Error() + ": " + strings.Join(e.Types, ", ")
}

// Unwrap returns ErrNotGenerated.
func (e *NotGeneratedError) Unwrap() error { return ErrNotGenerated }
