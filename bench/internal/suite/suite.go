// Package suite holds the workloads and operations of the benchmarks, the form in which a library
// takes part in them, the gate that it has to pass, and the program that measures it.
//
// A way to use a library is a lane. A family of lanes is a package of its own, linked into a
// program of its own, so that a process that measures a lane holds no other library.
package suite

import (
	"fmt"
	"slices"
)

// The operations, in the order of reports. Each handles one record a call, its frame included.
const (
	Serialize             = "serialize"             // into a buffer that is large enough and used again
	Deserialize           = "deserialize"           // into a new message
	ObjectCopy            = "objectCopy"            // a new message that shares nothing with the old one
	StreamCopy            = "streamCopy"            // from one stream to another
	DeserializeReuse      = "deserializeReuse"      // into the message of the record before
	ObjectCopyReuse       = "objectCopyReuse"       // onto the copy before
	SerializeSameInstance = "serializeSameInstance" // the same record again and again
	BuildAndSerialize     = "buildAndSerialize"     // a message made from the logical value
	DecodeAndRead         = "decodeAndRead"         // all fields looked at, so that lazy readers pay
)

// Operations returns the operations in the order of reports.
func Operations() []string {
	return []string{
		Serialize, Deserialize, ObjectCopy, StreamCopy, DeserializeReuse, ObjectCopyReuse,
		SerializeSameInstance, BuildAndSerialize, DecodeAndRead,
	}
}

// BufferBytes is the size of the buffer that records are serialized into: twice what the largest
// one takes.
const BufferBytes = 128 << 10

// Type is what one library does with logical records of type L, which it holds as messages of
// type M. None of the functions is called by several goroutines at once. A function that is nil
// takes its operations out, for which Unsupported must give a reason.
type Type[L, M any] struct {
	// Build makes a message from a logical value. It may share strings and bytes with it.
	Build func(*L) (M, error)

	// Value is the opposite, for the gate. It may not share memory with the message.
	Value func(M) (*L, error)

	// Append appends one framed record, or one element of the library's own stream. dst has
	// room for it.
	Append func(dst []byte, m M) ([]byte, error)

	// Decode reads a record into a new message. What follows the record is an error.
	Decode func(frame []byte) (M, error)

	// Reuse reads a record into a message that may be overwritten.
	Reuse func(frame []byte, m M) (M, error)

	// Clone returns a deep copy. Of a message that cannot change, it is the message itself.
	Clone func(M) (M, error)

	// CloneInto returns a deep copy of src, and may use dst for it.
	CloneInto func(dst, src M) (M, error)

	// CopyStream appends the first record of a stream to dst, without decoding it where the
	// format allows that, and returns what follows it. The stream is what Append has written,
	// record by record.
	CopyStream func(dst, stream []byte) (out, rest []byte, err error)

	// Read touches every field once.
	Read func(M) uint64

	// Mutate changes a message in place, for the gate: what it points to, where there is something.
	// In a Record that is the name of the child, the values, the attributes and the first byte
	// of the payload, in a Post the first attachment, like and comment, in a Batch the first
	// schema URL and trace ID, in a Wide F1 and F2. Messages that cannot change need none.
	Mutate func(M)

	// Unsupported gives the reason for each operation that the lane leaves out.
	Unsupported map[string]string

	// Protobuf says that frames are a length of 4 bytes, most significant first, and the
	// payload in the wire format of schema/bench.proto. The gate knows those bytes.
	Protobuf bool

	// AnyOrder says that fields are written in a random order, so that the gate knows the length
	// of a frame alone, and what can be read from it.
	AnyOrder bool

	// Faulty reports whether the library is known to get a value wrong. The gate leaves it out if it is
	// none of those that are measured, and the lane has to say so in Faults.
	Faulty func(*L) bool
}

// Checks says what a lane looks at while it reads, and in part while it writes. The gate tries the
// first two, and Unknown, on lanes of the protobuf format.
type Checks struct {
	UTF8     bool // strings are valid UTF-8, on writing and reading
	Depth    bool // there are not too many levels
	Size     bool // the length of a record is limited
	Required bool // required fields are set
	Unknown  bool // not a check: unknown fields are kept and written again
}

// Lane is one way to use one library.
type Lane struct {
	Name    string
	Role    string // native, baseline, protobuf peer, other format, analogue
	Library string // its module, or what it is where it has none
	Version string // of the module; empty: as in go.mod of the benchmarks

	Checks      Checks
	SharesInput bool // messages hold parts of the bytes that they were read from
	OptIn       bool // a mode that a user has to ask for
	Immutable   bool // messages cannot change, so that a copy is the message itself

	// Deterministic names the lane that this one is a supplement of: the same with sorted maps, so
	// that the bytes are those of the check values. Its results bear the other one's name.
	Deterministic string

	// Faults says what the library gets wrong, although the gate lets it pass.
	Faults string

	// Core says that the lane is measured when nothing else is asked for.
	Core bool

	Workloads   map[string]Bound
	Unsupported map[string]string // workload: why the lane leaves it out
}

// Safe reports whether users get the lane by default, with memory of its own.
func (l Lane) Safe() bool { return !l.SharesInput && !l.OptIn }

// Bound is a library bound to the records of a workload. Bind makes it.
type Bound struct {
	gate      func(*Lane) (Sizes, error)
	operation func(op string) (*Runner, error)
	supported func(op string) (reason string, ok bool, err error)
}

// Sizes are those of the frames of a workload, in bytes.
type Sizes struct {
	Records  int
	Mean     float64
	Min, Max int
}

// Runner does an operation on records.
type Runner struct {
	Records int // that it takes turns with

	// Run handles that many records, from the first to the last one and over again.
	Run func(records int) error
}

// Bind binds a library to records. Neither function is called before something is asked of the
// result, so that a process holds what it measures and nothing else.
func Bind[L, M any](library func() (Type[L, M], error), records func() []L) Bound {
	return Bound{
		gate: func(l *Lane) (Sizes, error) {
			t, err := library()
			if err != nil {
				return Sizes{}, err
			}
			return check(l, &t, records())
		},
		operation: func(op string) (*Runner, error) {
			t, err := library()
			if err != nil {
				return nil, err
			}
			if _, ok, err := t.supports(op); err != nil || !ok {
				return nil, fmt.Errorf("%s is not supported: %w", op, err)
			}
			return t.operation(op, records())
		},
		supported: func(op string) (string, bool, error) {
			t, err := library()
			if err != nil {
				return "", false, err
			}
			return t.supports(op)
		},
	}
}

// Gate checks that the lane does what it says on every record, and returns the sizes of the
// frames. It fails on the first wrong value.
func (b Bound) Gate(l *Lane) (Sizes, error) { return b.gate(l) }

// Operation returns what runs an operation. Everything that is not part of it has been done.
func (b Bound) Operation(op string) (*Runner, error) { return b.operation(op) }

// Supported reports whether there is an operation, and the reason where there is not.
func (b Bound) Supported(op string) (reason string, ok bool, err error) { return b.supported(op) }

// supports reports whether the library has an operation. To leave one out without a reason is an
// error, and so is a reason for what is there.
func (t *Type[L, M]) supports(op string) (reason string, ok bool, err error) {
	if !slices.Contains(Operations(), op) {
		return "", false, fmt.Errorf("no operation %q; there are %q", op, Operations())
	}
	if t.Build == nil || t.Value == nil || t.Append == nil || t.Decode == nil {
		return "", false, fmt.Errorf("a lane needs Build, Value, Append and Decode")
	}
	missing := map[string]bool{
		ObjectCopy: t.Clone == nil, StreamCopy: t.CopyStream == nil, DeserializeReuse: t.Reuse == nil,
		ObjectCopyReuse: t.CloneInto == nil, DecodeAndRead: t.Read == nil,
	}[op]
	reason = t.Unsupported[op]
	if missing && reason == "" {
		return "", false, fmt.Errorf("%s is left out without a reason", op)
	}
	return reason, reason == "", nil
}
