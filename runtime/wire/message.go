package wire

import "google.golang.org/protobuf/proto"

// Message is what every generated message has. Package flinkser exports it under
// the same name. Only generated code implements it: the runtime relies on what
// is said here.
type Message interface {
	proto.Message

	// ResetFlinkser makes the message empty. Unlike Reset it leaves what protoreflect
	// keeps in a message to be set again by the next call that needs it.
	ResetFlinkser()

	// SizeFlinkser returns the exact length of the payload in bytes, or FailDepth or
	// FailSize. It looks at no string's content.
	SizeFlinkser(e *Encoder, depth int) int

	// AppendFlinkser writes the payload to b from index i on and returns b, or what it
	// has grown to, with the index behind the payload; a negative index is a Fail code.
	// len(b) must be cap(b); bytes from i on may be overwritten even on failure.
	// A nil message has an empty payload.
	AppendFlinkser(e *Encoder, b []byte, i, depth int) ([]byte, int)

	// DecodeFlinkser merges payload s into the message. The error is a *DecodeError that
	// has still to pass through Finish.
	DecodeFlinkser(d *Decoder, s string, depth int) error

	// ReuseFlinkser replaces the content of the message by payload s and keeps using the
	// strings, slices, maps and messages that it holds. The message must own all of
	// them alone.
	ReuseFlinkser(d *Decoder, s string, depth int) error

	// CloneFlinkser returns a deep copy. It has no guard of its own: a value with a
	// cycle must be refused first, which SizeFlinkser does.
	CloneFlinkser() Message

	// SchemaFlinkser returns the fingerprint of the schema the code was generated from.
	// It does not need a message: a nil pointer will do.
	SchemaFlinkser() [32]byte
}

// GroupDecoder is what generated messages have that may stand in a group. Only generated
// code implements it.
type GroupDecoder interface {
	proto.Message

	// DecodeGroupFlinkser is DecodeFlinkser for a group: it merges the payload at the start
	// of s, up to and including the tag end, into the message and returns the index behind
	// that. Where end is 0, the payload ends with s.
	DecodeGroupFlinkser(d *Decoder, s string, depth int, end uint64) (int, error)
}

// Requirer is what generated messages have that may hold a required field: one of their
// own, one of a message in them, or one in an extension. Only generated code implements
// it. A message without it that was read by generated code lacks nothing.
type Requirer interface {
	// RequiredFlinkser returns nil when every required field of the message, and of all
	// messages in it, is set; otherwise a *DecodeError that has still to pass through
	// Finish. A nil message lacks its required fields.
	RequiredFlinkser() error
}

// JSONNamer is what generated messages have whose .proto file writes the JSON name of a field although it is
// the default one. A codec for a message of another module has the method too, and there it is named
// JSONNames. The package snapshot asks for it, because the descriptors of Java classes have
// such a name and no other default one.
type JSONNamer interface {
	// JSONNamesFlinkser returns the numbers of these fields. It does not need a message: a nil
	// pointer will do.
	JSONNamesFlinkser() []int32
}
