package flinkser

import (
	"reflect"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/flinkser/flinkser/runtime/snapshot"
	"github.com/flinkser/flinkser/runtime/wire"
)

// WithJavaClass gives snapshots of the serializer the binary name of the Java class, such as "shop.v1.OrderProtos$Order".
// The default is the one that protoc gives it, see snapshot.JavaClassName. It has no effect on messages.
func WithJavaClass(name string) Option {
	return func(s *settings) error {
		if name == "" {
			return &OptionError{Option: "WithJavaClass", Want: "a name"}
		}
		s.javaClass = name
		return nil
	}
}

// WithAllJSONNames makes the descriptors in snapshots of the serializer have the JSON name of every field. That is
// how Java classes are that were generated from a descriptor set or an image, as by buf's remote plugins. It has
// no effect on messages.
func WithAllJSONNames() Option {
	return func(s *settings) error { s.keepJSONNames = true; return nil }
}

// WithRestorePolicy sets the policy under which Restore compares the schemas. The default is snapshot.Strict.
func WithRestorePolicy(p snapshot.Policy) Option {
	return func(s *settings) error {
		if p != snapshot.Strict && p != snapshot.Wire {
			return &OptionError{Option: "WithRestorePolicy", Value: int64(p), Want: "snapshot.Strict or snapshot.Wire"}
		}
		s.restore.Policy = p
		return nil
	}
}

// WithRename tells Restore that a message or enum has had the full name old and has new in the newer schema. It may be
// given for any number of types.
func WithRename(old, new protoreflect.FullName) Option {
	return func(s *settings) error {
		if !old.IsValid() || !new.IsValid() {
			return &OptionError{Option: "WithRename", Want: "two full names"}
		}
		if s.restore.Renames == nil {
			s.restore.Renames = make(map[protoreflect.FullName]protoreflect.FullName)
		}
		s.restore.Renames[old] = new
		return nil
	}
}

// WithRollback tells Restore that the snapshot was written with a newer schema than that of M: what M's schema has and
// the newer one has reserved is no obstacle then, and neither are fields that only the newer one has.
func WithRollback() Option {
	return func(s *settings) error { s.restore.Direction = snapshot.Rollback; return nil }
}

// Restore returns a serializer for state that was written with the schema and the settings of a snapshot, after it has
// checked that the schema of M may read that state. Limits and the deterministic mode are those of the
// snapshot where the options name none; limits that the options name must not be lower. A saved recursion
// limit beyond what a stack bears is lowered for the work, and kept for the serializer's own Snapshot.
//
// The error is a *snapshot.IncompatibleError with the verdict, a *snapshot.Error where M has no snapshot, or one of
// New. WithRestorePolicy, WithRename and WithRollback say how schemas are compared; to see the verdict of what is accepted,
// call snapshot.Check or RestoreAll.
func Restore[M proto.Message](saved *snapshot.Snapshot, opts ...Option) (*Serializer[M], error) {
	s, _, err := RestoreAll[M]([]*snapshot.Snapshot{saved}, opts...)
	return s, err
}

// Snapshot returns the schema of M and the settings of the serializer in the form in which Flink keeps them beside
// stored values. The error is a *snapshot.Error; for an interface M it is a snapshot.ErrNoDescriptor, since
// only a type has a schema.
func (s *Serializer[M]) Snapshot() (*snapshot.Snapshot, error) {
	m := *new(M)
	if proto.Message(m) == nil || isUntyped(m) {
		return snapshot.Of(nil, snapshot.Settings{})
	}
	settings := s.Settings()
	settings.JSONNames = s.codecJSONNames(m)
	return snapshot.Of(m, settings)
}

// Settings returns what a snapshot of the serializer says besides the schema.
func (s *Serializer[M]) Settings() snapshot.Settings {
	recursion := s.limits.RecursionLimit
	if s.savedRecursionLimit > 0 {
		recursion = s.savedRecursionLimit
	}
	return snapshot.Settings{
		JavaClass:      s.javaClass,
		Deterministic:  s.deterministic,
		MaxMessageSize: s.limits.MaxMessageBytes,
		RecursionLimit: recursion,
		KeepJSONNames:  s.keepJSONNames,
	}
}

// codecJSONNames returns the fields whose JSON name is written although it is the default one, as far as the codecs
// tell that were given, and those that generated code calls. Messages that have their code themselves are asked by
// package snapshot.
func (c *codec) codecJSONNames(m proto.Message) []protoreflect.FullName {
	var todo []wire.Called
	for typ, x := range c.codecs {
		if zero, ok := reflect.Zero(typ).Interface().(proto.Message); ok {
			todo = append(todo, wire.Called{Message: zero.ProtoReflect().Descriptor().FullName(), Codec: x.given})
		}
	}
	todo = append(todo, wire.CallsOf(m)...)
	var list []protoreflect.FullName
	for seen := map[protoreflect.FullName]bool{}; len(todo) > 0; todo = todo[1:] {
		called := todo[0]
		if seen[called.Message] {
			continue
		}
		seen[called.Message] = true
		todo = append(todo, wire.CallsOf(called.Codec)...)
		list = append(list, jsonNames(called)...)
	}
	return list
}

// jsonNames returns the names of the fields that a codec lists.
func jsonNames(called wire.Called) []protoreflect.FullName {
	x, ok := called.Codec.(interface{ JSONNames() []int32 })
	if !ok {
		return nil
	}
	typ, err := protoregistry.GlobalTypes.FindMessageByName(called.Message)
	if err != nil {
		return nil
	}
	var list []protoreflect.FullName
	for _, n := range x.JSONNames() {
		if fd := typ.Descriptor().Fields().ByNumber(protoreflect.FieldNumber(n)); fd != nil {
			list = append(list, fd.FullName())
		}
	}
	return list
}
