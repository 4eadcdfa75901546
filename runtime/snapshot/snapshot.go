package snapshot

import (
	"crypto/sha256"
	"math"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/flinkser/flinkser/internal/fingerprint"
)

// Defaults of Settings, and what a snapshot holds at most.
const (
	DefaultMaxMessageSize = 64 << 20
	DefaultRecursionLimit = 100
	MaxDescriptorBytes    = 64 << 20 // of the descriptors of a snapshot, whatever MaxMessageSize is
)

// Settings are what a snapshot says besides the schema. The zero value is the default.
type Settings struct {
	// JavaClass is the binary name of the Java class, such as "shop.v1.OrderProtos$Order".
	// The default is the one that protoc gives it, see JavaClassName. Where the Java classes were
	// generated with other java_ options than those in the descriptor, as by buf in managed mode,
	// the name has to be given.
	JavaClass string
	// Dynamic says that the values are dynamic messages, which have no Java class. Their snapshots are in a form of
	// their own, which Java does not read, and are never compatible with those of generated messages.
	Dynamic bool
	// Deterministic says that the serializer sorts map entries.
	Deterministic bool
	// MaxMessageSize is the largest payload in bytes: 1 to 2147483647, 0 for 67108864.
	MaxMessageSize int
	// RecursionLimit is the depth of nesting that is accepted: 1 to 2147483647, 0 for 100.
	RecursionLimit int

	// KeepJSONNames keeps the JSON name of every field as the descriptor has it. Java classes
	// that protoc generated hold only those which the .proto file writes, which is the default;
	// those that were generated from a descriptor set or an image, as by buf's remote plugins,
	// hold all. It is not part of a snapshot: one that was read says false.
	KeepJSONNames bool
	// JSONNames are the full names of fields whose JSON name the .proto file writes although it
	// is the default one, beyond those that descriptors with source info and generated code tell.
	JSONNames []protoreflect.FullName
}

// resolve fills in the defaults.
func (s Settings) resolve() (Settings, error) {
	for _, limit := range []struct {
		name     string
		value    *int
		standard int
	}{
		{"MaxMessageSize", &s.MaxMessageSize, DefaultMaxMessageSize},
		{"RecursionLimit", &s.RecursionLimit, DefaultRecursionLimit},
	} {
		if *limit.value < 0 || *limit.value > math.MaxInt32 {
			return s, &SettingError{Setting: limit.name, Value: *limit.value}
		}
		if *limit.value == 0 {
			*limit.value = limit.standard
		}
	}
	return s, nil
}

// Snapshot is what a serializer's snapshot says: the schema and the settings of the values that
// were written. It does not change and may be used by any number of goroutines at once. The zero
// value and nil are no snapshots: their methods return zero values, and writing them fails.
type Snapshot struct {
	settings   Settings
	files      []*descriptorpb.FileDescriptorProto // normalised, each after its imports
	setUnknown []byte                              // unknown fields of the set around the files
	encoded    []byte                              // the set
	digest     [sha256.Size]byte                   // of encoded
	root       protoreflect.MessageDescriptor      // linked from files alone; nil in the zero value
	strange    bool                                // a declaration has what protoreflect does not show
}

// JavaClass returns the binary name of the Java class.
func (s *Snapshot) JavaClass() string {
	if !s.valid() {
		return ""
	}
	return s.settings.JavaClass
}

// Dynamic reports whether the values are dynamic messages.
func (s *Snapshot) Dynamic() bool { return s.valid() && s.settings.Dynamic }

// MessageName returns the full name of the message.
func (s *Snapshot) MessageName() protoreflect.FullName {
	if !s.valid() {
		return ""
	}
	return s.root.FullName()
}

// Deterministic reports whether map entries are sorted.
func (s *Snapshot) Deterministic() bool { return s.valid() && s.settings.Deterministic }

// MaxMessageSize returns the largest payload in bytes.
func (s *Snapshot) MaxMessageSize() int {
	if !s.valid() {
		return 0
	}
	return s.settings.MaxMessageSize
}

// RecursionLimit returns the depth of nesting that is accepted.
func (s *Snapshot) RecursionLimit() int {
	if !s.valid() {
		return 0
	}
	return s.settings.RecursionLimit
}

// Digest returns the SHA-256 of the descriptor bytes, which is the last part of a snapshot: equal
// for equal declarations and options in all files of the schema.
func (s *Snapshot) Digest() [sha256.Size]byte {
	if !s.valid() {
		return [sha256.Size]byte{}
	}
	return s.digest
}

// Fingerprint returns the fingerprint of the schema, which generated code has as a constant: equal
// for all schemas whose payloads are read and written alike, however they are spelled.
func (s *Snapshot) Fingerprint() [sha256.Size]byte {
	if !s.valid() {
		return [sha256.Size]byte{}
	}
	return fingerprint.Of(s.root)
}

// Files returns a copy of the descriptors of the snapshot: the file of the root and all that it
// imports, each after its imports.
func (s *Snapshot) Files() *descriptorpb.FileDescriptorSet {
	if !s.valid() {
		return nil
	}
	set := &descriptorpb.FileDescriptorSet{File: make([]*descriptorpb.FileDescriptorProto, len(s.files))}
	for i, f := range s.files {
		set.File[i] = proto.CloneOf(f)
	}
	set.ProtoReflect().SetUnknown(append([]byte(nil), s.setUnknown...))
	return set
}

// Descriptor returns the message as the files of the snapshot alone describe it: it has nothing to do
// with a message of that name in the program.
func (s *Snapshot) Descriptor() protoreflect.MessageDescriptor {
	if !s.valid() {
		return nil
	}
	return s.root
}

func (s *Snapshot) valid() bool { return s != nil && s.root != nil }

// Of returns the snapshot of a serializer for messages like m, generated or dynamic.
func Of(m proto.Message, s Settings) (*Snapshot, error) {
	if m == nil {
		return nil, failed(opMake, ErrNoDescriptor)
	}
	return OfDescriptor(m.ProtoReflect().Descriptor(), s)
}

// OfDescriptor returns the snapshot of a serializer for messages of md. The descriptors are those that
// the Java class has which protoc generates from the same .proto files.
func OfDescriptor(md protoreflect.MessageDescriptor, s Settings) (*Snapshot, error) {
	if md == nil {
		return nil, failed(opMake, ErrNoDescriptor)
	}
	s, err := s.resolve()
	if err != nil {
		return nil, failed(opMake, err)
	}
	files, err := javaFiles(md.ParentFile(), s)
	if err != nil {
		return nil, failed(opMake, err)
	}
	return build(files, nil, md.FullName(), s)
}

// OfFiles returns the snapshot of a serializer for the message root of a set of descriptors, which are taken
// as they are but for their order and for source info. The set has to hold the file of the root and
// all that it imports, and nothing else.
func OfFiles(set *descriptorpb.FileDescriptorSet, root protoreflect.FullName, s Settings) (*Snapshot, error) {
	s, err := s.resolve()
	if err != nil {
		return nil, failed(opMake, err)
	}
	raw, err := marshal(set)
	if err != nil {
		return nil, failed(opMake, because(ErrDescriptorSet, "%w", err))
	}
	if set, err = parseSet(raw); err != nil {
		return nil, failed(opMake, err)
	}
	return build(set.GetFile(), set.ProtoReflect().GetUnknown(), root, s)
}

// build makes a snapshot of files in canonical form, which become its own. What cannot be written is
// not made.
func build(files []*descriptorpb.FileDescriptorProto, setUnknown []byte, root protoreflect.FullName, settings Settings) (*Snapshot, error) {
	s, err := link(files, setUnknown, root)
	if err != nil {
		return nil, failed(opMake, err)
	}
	if settings.Dynamic {
		settings.JavaClass = ""
	} else if settings.JavaClass == "" {
		if settings.JavaClass, err = JavaClassName(s.root); err != nil {
			return nil, failed(opMake, err)
		}
	}
	s.settings = settings.saved()
	if _, err := s.check(); err != nil {
		return nil, failed(opMake, err)
	}
	return s, nil
}

// saved returns what a snapshot keeps of the settings.
func (s Settings) saved() Settings {
	s.KeepJSONNames, s.JSONNames = false, nil
	return s
}
