// Package dynamic writes and reads messages of a type that is known from its descriptor alone: dynamic messages,
// and any other proto.Message with that descriptor. Frames, limits, errors and the order of fields are
// those of generated code, which package flinkser describes.
//
// It is for programs that handle schemas which they were not built with: tools, gateways, stores. Generated code
// is several times faster.
package dynamic

import (
	"fmt"
	"sync"
	"sync/atomic"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/snapshot"
)

// Serializer writes and reads messages of one descriptor. It does not change and may be used by any number of
// goroutines at once. New makes one.
type Serializer struct {
	md       protoreflect.MessageDescriptor
	s        *flinkser.Serializer[proto.Message]
	saved    *snapshot.Snapshot // of md, with the settings
	accepted sync.Map           // other descriptors, and whether they are of the same schema
	others   atomic.Int64       // how many
}

// maxOthers is the number of descriptors whose comparison is remembered.
const maxOthers = 1000

// TypeError is returned for a message of another type than the serializer's.
type TypeError struct {
	Want, Got protoreflect.FullName // Got is empty for nil, and for a dynamic message that no descriptor was given
	// SameName says that the names are equal and the schemas are not.
	SameName bool
}

func (e *TypeError) Error() string {
	if e.SameName {
		return fmt.Sprintf("flinkser: a message %s of another schema", e.Got)
	}
	if e.Got == "" {
		return fmt.Sprintf("flinkser: a message without a type, want %s", e.Want)
	}
	return fmt.Sprintf("flinkser: a message %s, want %s", e.Got, e.Want)
}

// New returns a serializer for messages of md, which may not be nil: dynamic ones, and generated ones whose descriptor it
// is or says the same, JSON names and options included. A generated message of the program and the descriptor of a snapshot
// that Go code has written differ there, so it gets a *TypeError. The options are those of flinkser.New; with RequireGenerated
// dynamic messages are refused when they are written or read. The errors are those of flinkser.New, and a *snapshot.Error,
// which says that md's files do not make up a schema that can be saved.
func New(md protoreflect.MessageDescriptor, opts ...flinkser.Option) (*Serializer, error) {
	s, err := flinkser.New[proto.Message](opts...)
	if err != nil {
		return nil, err
	}
	made := &Serializer{md: md, s: s}
	if made.saved, err = snapshot.OfDescriptor(md, made.settings()); err != nil {
		return nil, err
	}
	return made, nil
}

// settings are those of the serializer's snapshot.
func (s *Serializer) settings() snapshot.Settings {
	settings := s.s.Settings()
	settings.Dynamic, settings.KeepJSONNames = true, true
	return settings
}

// Restore is New after a check that the schema md may read the state of a snapshot of dynamic messages. Limits and the deterministic
// mode are those of the snapshot where the options name none. The error is a *snapshot.IncompatibleError with
// the verdict, or one of New. check says how the schemas are compared; its zero value is the strict policy.
func Restore(saved *snapshot.Snapshot, md protoreflect.MessageDescriptor, check snapshot.Options, opts ...flinkser.Option) (*Serializer, error) {
	defaults := []flinkser.Option{}
	if saved.MaxMessageSize() > 0 {
		defaults = append(defaults, flinkser.WithMaxMessageSize(saved.MaxMessageSize()), flinkser.WithRecursionLimit(min(saved.RecursionLimit(), flinkser.MaxRecursionLimit)))
	}
	if saved.Deterministic() {
		defaults = append(defaults, flinkser.WithDeterministic())
	}
	s, err := New(md, append(defaults, opts...)...)
	if err != nil {
		return nil, err
	}
	if saved.RecursionLimit() > flinkser.MaxRecursionLimit && s.s.Settings().RecursionLimit == flinkser.MaxRecursionLimit {
		// No stack bears the saved limit. It is lowered for the work, and kept as the serializer's own.
		settings := s.settings()
		settings.RecursionLimit = saved.RecursionLimit()
		if s.saved, err = snapshot.OfDescriptor(md, settings); err != nil {
			return nil, err
		}
	}
	old, new := saved, s.saved
	if check.Direction == snapshot.Rollback {
		old, new = new, old
	}
	if err := snapshot.Check(old, new, check).Err(); err != nil {
		return nil, err
	}
	return s, nil
}

// NewMessage returns an empty dynamic message of the serializer's type.
func (s *Serializer) NewMessage() *dynamicpb.Message { return dynamicpb.NewMessage(s.md) }

// Descriptor returns the descriptor that the serializer was made with.
func (s *Serializer) Descriptor() protoreflect.MessageDescriptor { return s.md }

// Append appends the frame of m to dst: its length in 4 bytes, then its payload. On error, which is a *TypeError or
// a *flinkser.EncodeError, dst is returned as it was.
func (s *Serializer) Append(dst []byte, m proto.Message) ([]byte, error) {
	if err := s.check(m); err != nil {
		return dst, err
	}
	return s.s.Append(dst, m)
}

// AppendPayload is Append without the length.
func (s *Serializer) AppendPayload(dst []byte, m proto.Message) ([]byte, error) {
	if err := s.check(m); err != nil {
		return dst, err
	}
	return s.s.AppendPayload(dst, m)
}

// Decode replaces the content of m by that of the frame at the start of b, and returns the bytes behind it. The
// error is a *TypeError, a *flinkser.FrameError or a *flinkser.DecodeError.
func (s *Serializer) Decode(b []byte, m proto.Message) (rest []byte, err error) {
	if err := s.check(m); err != nil {
		return b, err
	}
	return s.s.Decode(b, m)
}

// DecodePayload replaces the content of m by that of a payload.
func (s *Serializer) DecodePayload(b []byte, m proto.Message) error {
	if err := s.check(m); err != nil {
		return err
	}
	return s.s.DecodePayload(b, m)
}

// Size returns the size of m's payload in bytes.
func (s *Serializer) Size(m proto.Message) (int, error) {
	if err := s.check(m); err != nil {
		return 0, err
	}
	return s.s.Size(m)
}

// Clone returns a copy of m that shares nothing with it.
func (s *Serializer) Clone(m proto.Message) (proto.Message, error) {
	if err := s.check(m); err != nil {
		return nil, err
	}
	return s.s.Clone(m)
}

// Snapshot returns the schema and the settings of the serializer, in the form of snapshots of dynamic messages: JSON
// names are as the descriptor has them. It never fails.
func (s *Serializer) Snapshot() *snapshot.Snapshot { return s.saved }

// check refuses messages of another type. A type is the same if its descriptor is, or if its schema has the same
// descriptors: programs may link one schema more than once.
func (s *Serializer) check(m proto.Message) error {
	if m == nil {
		return &TypeError{Want: s.md.FullName()}
	}
	// Neither a nil dynamic message nor its zero value has a descriptor.
	if d, ok := m.(*dynamicpb.Message); ok && (d == nil || d.Descriptor() == nil) {
		return &TypeError{Want: s.md.FullName()}
	}
	md := m.ProtoReflect().Descriptor()
	if md == s.md {
		return nil
	}
	if md.FullName() != s.md.FullName() {
		return &TypeError{Want: s.md.FullName(), Got: md.FullName()}
	}
	same, ok := s.accepted.Load(md)
	if !ok {
		other, err := snapshot.OfDescriptor(md, s.settings())
		same = err == nil && other.Digest() == s.saved.Digest()
		// A program that makes descriptors without end must not fill the memory.
		if s.others.Add(1) <= maxOthers {
			s.accepted.Store(md, same)
		}
	}
	if !same.(bool) {
		return &TypeError{Want: s.md.FullName(), Got: md.FullName(), SameName: true}
	}
	return nil
}
