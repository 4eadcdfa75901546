package flinkser

import (
	"encoding/binary"
	"reflect"
	"slices"
	"sync"
	"unsafe"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/flinkser/flinkser/runtime/wire"
)

// Serializer writes and reads messages of type M, as frames and as payloads, under the
// limits it was made with. It does not change and may be used by any number of
// goroutines at once. New makes one; the zero value refuses everything.
type Serializer[M proto.Message] struct {
	codec
	external  wire.Codec[M] // for M, where one was given
	generated Message       // a nil M as the interface, where M is a pointer type with generated code
	requirer  bool          // generated is a wire.Requirer
	checked   *sync.Map     // message types that RequireGenerated has accepted, where M is an interface
}

// New returns a serializer. M is the pointer type of a generated message, such as
// *orderpb.Order; it may also be proto.Message, for messages of any type. The error is an
// *OptionError or a *NotGeneratedError.
func New[M proto.Message](opts ...Option) (*Serializer[M], error) {
	set, err := apply(opts)
	if err != nil {
		return nil, err
	}
	return newSerializer[M](set)
}

func newSerializer[M proto.Message](set settings) (*Serializer[M], error) {
	c, err := newCodec(set)
	if err != nil {
		return nil, err
	}
	s := &Serializer[M]{codec: c}
	if err := c.limits.fitsStack(*new(M)); err != nil {
		return nil, err
	}
	if reflect.TypeFor[M]().Kind() == reflect.Pointer {
		s.generated, _ = any(*new(M)).(Message)
		_, s.requirer = s.generated.(wire.Requirer)
		if x := c.codecs[reflect.TypeFor[M]()]; x != nil {
			s.external, s.generated, s.requirer = x.given.(wire.Codec[M]), nil, x.requirer
		}
	}
	if set.requireGenerated {
		if reflect.TypeFor[M]().Kind() == reflect.Interface {
			s.checked = new(sync.Map)
		} else if err := c.requireCode(*new(M)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Limits returns the limits that are in force.
func (s *Serializer[M]) Limits() Limits { return s.limits }

// Append appends the frame of m to dst and returns the extended slice. Like the
// function append it writes into the memory of dst where there is room, and takes new
// memory otherwise. A nil message has an empty payload, or is an ErrUninitialized
// where fields are required. On error it returns dst as it was; the memory behind its end
// may have changed. The error is an *EncodeError; where M is an interface it may also be
// a *NotGeneratedError or an *OptionError, which New returns for other types.
func (s *Serializer[M]) Append(dst []byte, m M) ([]byte, error) {
	if s.generated != nil {
		room := s.room(dst, wire.PrefixBytes)
		b, i := s.asMessage(m).AppendFlinkser(&s.enc, room, wire.PrefixBytes, s.limits.RecursionLimit)
		if !s.fits(i, wire.PrefixBytes) {
			return s.again(dst, b, i, wire.PrefixBytes, m)
		}
		putPrefix(b, i)
		return join(dst, b[:i]), nil
	}
	if err := s.allow(m); err != nil {
		return dst, err
	}
	out, err := s.payload(dst, m, wire.PrefixBytes)
	if err != nil {
		return dst, err
	}
	putPrefix(out[len(dst):], len(out)-len(dst))
	return out, nil
}

// putPrefix writes the prefix of a frame that is end bytes long.
func putPrefix(frame []byte, end int) {
	binary.BigEndian.PutUint32(frame, uint32(end-wire.PrefixBytes))
}

// AppendPayload is Append without the prefix, for carriers that keep records apart
// themselves.
func (s *Serializer[M]) AppendPayload(dst []byte, m M) ([]byte, error) {
	if s.generated != nil {
		b, i := s.asMessage(m).AppendFlinkser(&s.enc, s.room(dst, 0), 0, s.limits.RecursionLimit)
		if !s.fits(i, 0) {
			return s.again(dst, b, i, 0, m)
		}
		return join(dst, b[:i]), nil
	}
	if err := s.allow(m); err != nil {
		return dst, err
	}
	return s.payload(dst, m, 0)
}

// payload is append, by the codec for M where there is one.
func (s *Serializer[M]) payload(dst []byte, m M, prefix int) ([]byte, error) {
	if s.external != nil {
		return appendBy(&s.codec, s.external, dst, m, prefix)
	}
	return s.append(dst, m, prefix)
}

// asMessage is any(m).(Message) for an M with generated code. The type assertion would
// look up for every message what New has found out: only the pointer differs.
func (s *Serializer[M]) asMessage(m M) Message {
	g := s.generated
	(*[2]unsafe.Pointer)(unsafe.Pointer(&g))[1] = *(*unsafe.Pointer)(unsafe.Pointer(&m))
	return g
}

// Decode reads the frame at the start of b into m and returns the bytes behind it. It
// replaces what m held, unless WithMerge was asked for. Nothing of b is kept, unless
// WithAliasing was.
//
// A *FrameError means that b does not start with a whole frame within the size limit;
// rest is b then. A *DecodeError means that the payload was refused; rest is what
// follows the frame, so that the caller may skip the record, and m is in an undefined,
// but valid state. Where M is an interface the error may also be a *NotGeneratedError or
// an *OptionError, with the same rest.
func (s *Serializer[M]) Decode(b []byte, m M) (rest []byte, err error) {
	n := 0
	if len(b) >= wire.PrefixBytes {
		n = int(binary.BigEndian.Uint32(b))
	}
	if len(b) < wire.PrefixBytes || uint(n) > uint(min(len(b)-wire.PrefixBytes, s.limits.MaxMessageBytes)) {
		return b, frameFault(b, s.limits.MaxMessageBytes)
	}
	end := wire.PrefixBytes + n
	payload := b[wire.PrefixBytes:end]
	if s.generated != nil {
		return b[end:], s.decodeGenerated(payload, s.asMessage(m), s.requirer)
	}
	return b[end:], s.DecodePayload(payload, m)
}

// frameFault returns the error of a slice that does not start with a frame.
func frameFault(b []byte, maxBytes int) error {
	if len(b) < wire.PrefixBytes {
		return &FrameError{Length: -1, Err: ErrTruncated}
	}
	n := int64(binary.BigEndian.Uint32(b))
	if n > int64(maxBytes) {
		return &FrameError{Length: n, Err: ErrTooLarge}
	}
	return &FrameError{Length: n, Err: ErrTruncated}
}

// DecodePayload is Decode for a payload without a prefix, which is all of b. The errors
// are those of Decode but for *FrameError.
func (s *Serializer[M]) DecodePayload(b []byte, m M) error {
	if s.generated != nil {
		return s.decodeGenerated(b, s.asMessage(m), s.requirer)
	}
	if s.external != nil {
		return decodeBy(&s.codec, s.external, b, m, s.requirer)
	}
	if err := s.allow(m); err != nil {
		return err
	}
	return s.decode(b, m)
}

// Size returns the length of the payload of m in bytes, or an *EncodeError where m is
// too large or too deep to be written. It does not look at the content of strings.
func (s *Serializer[M]) Size(m M) (int, error) {
	if err := s.allow(m); err != nil {
		return 0, err
	}
	if err := s.limits.fitsStack(m); err != nil {
		return 0, err
	}
	var n int
	if x := s.codecOf(m); x != nil {
		n = x.Size(&s.enc, s.limits.RecursionLimit, m)
	} else {
		n = wire.SizeMessage(&s.enc, s.limits.RecursionLimit, m)
	}
	if n < 0 {
		return 0, s.explain(m, n)
	}
	return n, nil
}

// Clone returns a deep copy of m, unknown fields included, or an *EncodeError where m is
// too large or too deep to be written. A nil message gives nil.
func (s *Serializer[M]) Clone(m M) (M, error) {
	if isNil(m) {
		return m, nil
	}
	if _, err := s.Size(m); err != nil {
		return *new(M), err
	}
	if x := s.codecOf(m); x != nil {
		return x.Clone(m).(M), nil
	}
	return wire.CloneMessage(m).(M), nil
}

// allow refuses messages that RequireGenerated is about, where their type is known only
// now.
func (s *Serializer[M]) allow(m M) error {
	if s.checked == nil || proto.Message(m) == nil {
		return nil
	}
	if isUntyped(m) {
		return s.requireCode(m)
	}
	typ := m.ProtoReflect().Type()
	if _, ok := s.checked.Load(typ); ok {
		return nil
	}
	if err := s.requireCode(m); err != nil {
		return err
	}
	s.checked.Store(typ, true)
	return nil
}

// requireCode looks for message types without generated code among all types that m can hold.
func (c *codec) requireCode(m proto.Message) error {
	if isUntyped(m) {
		return &NotGeneratedError{Types: []string{reflect.TypeOf(m).String()}}
	}
	root := reached{desc: m.ProtoReflect().Descriptor()}
	if x := c.codecOf(m); x != nil {
		root.code = x.given
	} else if g, ok := m.(Message); ok {
		root.code = g
	}
	// A type may be handled by its own code in one place and by a codec in another, which
	// calls other code: it is looked at once with each.
	type key struct {
		name protoreflect.FullName
		code reflect.Type
	}
	seen := map[key]bool{}
	var missing []string
	for todo := []reached{root}; len(todo) > 0; {
		r := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		k := key{r.desc.FullName(), reflect.TypeOf(r.code)}
		if seen[k] {
			continue
		}
		seen[k] = true
		if r.code == nil {
			missing = append(missing, string(k.name))
		}
		todo = r.fields(todo)
	}
	if len(missing) == 0 {
		return nil
	}
	slices.Sort(missing)
	return &NotGeneratedError{Types: missing}
}

// reached is a message type that a message can hold, and the code that handles it: a message, a
// codec, or nil.
type reached struct {
	desc protoreflect.MessageDescriptor
	code any
}

// fields appends the types of the fields of r, and of the values of its maps, to list.
func (r reached) fields(list []reached) []reached {
	called := map[protoreflect.FullName]any{}
	for _, c := range wire.CallsOf(r.code) {
		called[c.Message] = c.Codec
	}
	for i := range r.desc.Fields().Len() {
		fd := r.desc.Fields().Get(i)
		if fd.IsMap() {
			fd = fd.MapValue()
		}
		desc := fd.Message()
		if desc == nil {
			continue
		}
		code := called[desc.FullName()]
		if code == nil {
			code = linkedCode(desc.FullName())
		}
		list = append(list, reached{desc, code})
	}
	return list
}

// linkedCode returns a message of the linked Go type of a message, where it has generated
// code, or nil.
func linkedCode(name protoreflect.FullName) any {
	typ, err := protoregistry.GlobalTypes.FindMessageByName(name)
	if err != nil {
		return nil
	}
	if g, ok := typ.Zero().Interface().(Message); ok {
		return g
	}
	return nil
}
