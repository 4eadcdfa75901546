// Package differ compares the module with google.golang.org/protobuf on messages and
// payloads of any type. Whatever is answered differently, and is not among the differences
// that the documentation lists, is an error.
package differ

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/flinkser/flinkser/internal/randpb"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// Codecs are the serializers that are compared with google.golang.org/protobuf, all with
// its limits.
type Codecs struct {
	// What is compared with is refused for a missing required field by plain alone.
	plain, ordered, alias, reuse, reuseAlias, merge, partial *flinkser.Serializer[proto.Message]
}

// New returns the serializers, which have the options given besides; an error is one of this
// package.
func New(more ...flinkser.Option) (*Codecs, error) {
	var failed error
	serializer := func(opts ...flinkser.Option) *flinkser.Serializer[proto.Message] {
		opts = append(opts, flinkser.WithLimits(flinkser.ProtobufLimits))
		s, err := flinkser.New[proto.Message](append(opts, more...)...)
		failed = errors.Join(failed, err)
		return s
	}
	c := &Codecs{
		plain:      serializer(),
		ordered:    serializer(flinkser.WithDeterministic(), flinkser.WithPartial()),
		alias:      serializer(flinkser.WithAliasing()),
		reuse:      serializer(flinkser.WithReuse()),
		reuseAlias: serializer(flinkser.WithReuse(), flinkser.WithAliasing()),
		merge:      serializer(flinkser.WithMerge()),
		partial:    serializer(flinkser.WithPartial()),
	}
	return c, failed
}

// Comparison compares the codecs on one message type. It keeps messages between inputs, so
// that reuse meets whatever the earlier ones have left.
type Comparison struct {
	*Codecs
	Rand       *rand.Rand
	Type       protoreflect.MessageType
	Inputs     int    // compared so far
	Overlooked int    // of the inputs: lacks a required field, which the reference overlooks
	Previous   []byte // a valid payload
	md         protoreflect.MessageDescriptor
	dirty      proto.Message // decoded into by reuse
	dirtyAlias proto.Message // decoded into by reuseAlias
	required   bool          // a message can lack a required field
	foreign    bool          // floats may pass through protoreflect
}

// Compare returns a comparison for messages of a type.
func (c *Codecs) Compare(r *rand.Rand, typ protoreflect.MessageType) *Comparison {
	return &Comparison{
		Codecs:     c,
		Rand:       r,
		Type:       typ,
		md:         typ.Descriptor(),
		dirty:      typ.New().Interface(),
		dirtyAlias: typ.New().Interface(),
		required:   reaches(typ.Descriptor(), func(md protoreflect.MessageDescriptor) bool { return md.RequiredNumbers().Len() > 0 }),
		foreign:    reaches(typ.Descriptor(), isForeign),
	}
}

func (c *Comparison) fresh() proto.Message { return c.Type.New().Interface() }

// Reference returns what google.golang.org/protobuf writes, NaNs bit for bit. Required fields
// may be missing.
func Reference(m proto.Message) ([]byte, error) {
	return proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(m)
}

// unmarshal reads b with google.golang.org/protobuf. Required fields may be missing.
func unmarshal(b []byte, m proto.Message) error {
	return proto.UnmarshalOptions{AllowPartial: true}.Unmarshal(b, m)
}

// Hidden is a message whose generated code cannot be seen, so that it is handled through
// protoreflect.
type Hidden struct{ proto.Message }

// Message checks what is written for m, and what is read of it. It returns the payload.
func (c *Comparison) Message(m proto.Message) ([]byte, error) {
	c.Inputs++
	writer := c.plain
	complete := !c.required || initialized(m.ProtoReflect()) == nil
	if !complete {
		if err := c.incomplete(m); err != nil {
			return nil, err
		}
		writer = c.partial
	}
	b, err := writer.AppendPayload(nil, m)
	if err != nil {
		return nil, fmt.Errorf("not written: %w", err)
	}
	if n := proto.Size(m); n != len(b) {
		return nil, fmt.Errorf("%d bytes, reference %d: %s", len(b), n, Short(b))
	}
	if err := CheckAscending(c.md, b); err != nil {
		return nil, fmt.Errorf("%w: %s", err, Short(b))
	}
	read := c.fresh()
	if err := unmarshal(b, read); err != nil {
		return nil, fmt.Errorf("the reference refuses %s: %w", Short(b), err)
	}
	if !proto.Equal(m, read) {
		return nil, fmt.Errorf("the reference reads %s as another message", Short(b))
	}
	if diff := cmp.Diff(m, read, protocmp.Transform(), cmpopts.EquateNaNs()); diff != "" {
		return nil, fmt.Errorf("written and read by the reference (-written +read): %s", diff)
	}
	if err := c.written(m, b); err != nil {
		return nil, err
	}
	theirs, err := Reference(m)
	if err != nil {
		return nil, fmt.Errorf("reference: %w", err)
	}
	for _, b := range [][]byte{theirs, b} {
		if err := c.Payload(b, true); err != nil {
			return nil, err
		}
	}
	if complete {
		c.Previous = b
	}
	return b, nil
}

// incomplete checks that m, which lacks a required field, is refused.
func (c *Comparison) incomplete(m proto.Message) error {
	for _, m := range []proto.Message{m, Hidden{m}} {
		var failed *flinkser.EncodeError
		b, err := c.plain.AppendPayload(nil, m)
		if !errors.As(err, &failed) || !errors.Is(err, flinkser.ErrUninitialized) || failed.Message != string(c.md.FullName()) || len(b) != 0 {
			return fmt.Errorf("%T: written without a required field: %s (%w)", m, Short(b), err)
		}
	}
	return nil
}

// written checks all other ways to write m, whose payload is b.
func (c *Comparison) written(m proto.Message, b []byte) error {
	ordered, err := c.ordered.AppendPayload(nil, m)
	if err != nil {
		return fmt.Errorf("deterministic: not written: %w", err)
	}
	if want := Canonical(nil, m.ProtoReflect()); !bytes.Equal(ordered, want) {
		if got, err := quiet(c.md, ordered); err != nil || !bytes.Equal(got, want) {
			return fmt.Errorf("deterministic bytes\n%s want\n%s", Short(ordered), Short(want))
		}
	}
	if len(b) != len(ordered) {
		return fmt.Errorf("%d bytes, deterministic %d", len(b), len(ordered))
	}
	if n, err := c.partial.Size(m); err != nil || n != len(b) {
		return fmt.Errorf("size %d (%v), written are %d bytes: %s", n, err, len(b), Short(b))
	}

	// Into a slice with some room.
	have := c.Rand.IntN(30)
	dst := make([]byte, have, have+c.Rand.IntN(len(b)+1)+c.Rand.IntN(2)*(len(b)+500))
	for i := range dst {
		dst[i] = byte(i) ^ 0xa5
	}
	out, err := c.ordered.Append(dst, m)
	if err != nil || len(out) != have+4+len(b) || !bytes.Equal(out[:have], dst) || !bytes.Equal(out[have+4:], ordered) {
		return fmt.Errorf("appended to %d bytes of %d: %s (%v)", have, cap(dst), Short(out), err)
	}

	// Not by proto.Merge, which drops negative zeros in messages that an extension holds.
	d := dynamicpb.NewMessage(c.md)
	if err := (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(ordered, d); err != nil {
		return fmt.Errorf("the reference refuses %s: %w", Short(ordered), err)
	}
	for _, m := range []proto.Message{d, Hidden{m}} {
		got, err := c.ordered.AppendPayload(nil, m)
		if err != nil || !SameBytes(c.md, got, ordered) {
			return fmt.Errorf("%T: deterministic bytes\n%s want\n%s (%v)", m, Short(got), Short(ordered), err)
		}
		if n, err := c.partial.Size(m); err != nil || n != len(b) {
			return fmt.Errorf("%T: size %d (%v), want %d", m, n, err, len(b))
		}
	}
	return c.cloned(m, ordered)
}

// cloned checks that a clone of m is equal and shares nothing with it.
func (c *Comparison) cloned(m proto.Message, ordered []byte) error {
	clone, err := c.partial.Clone(m)
	if err != nil {
		return fmt.Errorf("clone: %w", err)
	}
	got, err := c.ordered.AppendPayload(nil, clone)
	if err != nil || !bytes.Equal(got, ordered) {
		return fmt.Errorf("clone is\n%s want\n%s (%v)", Short(got), Short(ordered), err)
	}
	scramble(clone.ProtoReflect())
	if got, err = c.ordered.AppendPayload(nil, m); err != nil || !bytes.Equal(got, ordered) {
		return fmt.Errorf("changing a clone changed its original to\n%s from\n%s (%v)", Short(got), Short(ordered), err)
	}
	return nil
}

// scramble changes all memory that m holds.
func scramble(m protoreflect.Message) {
	flip := func(b []byte) {
		for i := range b {
			b[i] ^= 0x55
		}
	}
	change := func(v protoreflect.Value) {
		switch x := v.Interface().(type) {
		case []byte:
			flip(x)
		case protoreflect.Message:
			scramble(x)
		}
	}
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.IsList():
			list := v.List()
			for i := range list.Len() {
				change(list.Get(i))
			}
			if list.Len() > 1 {
				list.Set(0, list.Get(list.Len()-1))
			}
			list.Append(list.NewElement())
		case fd.IsMap():
			entries := v.Map()
			var keys []protoreflect.MapKey
			entries.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
				change(v)
				keys = append(keys, k)
				return true
			})
			for _, k := range keys {
				entries.Clear(k)
			}
		case fd.HasPresence() && fd.Message() == nil && fd.Kind() != protoreflect.BytesKind:
			// In place: a pointer that two messages share shows the change in both.
			m.Set(fd, fd.Default())
		default:
			change(v)
		}
		return true
	})
	flip(m.GetUnknown())
}

// Payload checks what is read from b. Without everything, one of the ways to read is tried
// besides the ordinary one.
func (c *Comparison) Payload(b []byte, everything bool) error {
	err := c.tryPayload(b, everything)
	if err == nil {
		return nil
	}
	small, smallErr := c.shrink(b)
	if smallErr == nil {
		return fmt.Errorf("after other payloads, not alone: %w\nwhile reading %s", err, Short(b))
	}
	return fmt.Errorf("%w\nwhile reading %s\nmade smaller from %s", smallErr, Short(small), Short(b))
}

// shrink returns a smaller payload that fails on its own, and how; no error where b does
// not.
func (c *Comparison) shrink(b []byte) ([]byte, error) {
	try := func(b []byte) error { return c.Compare(rand.New(rand.NewPCG(1, 7)), c.Type).tryPayload(b, true) }
	err := try(b)
	if err == nil {
		return b, nil
	}
	for size := len(b); size > 0; size /= 2 {
		for at := 0; at+size <= len(b); {
			less := slices.Concat(b[:at], b[at+size:])
			if lessErr := try(less); lessErr != nil {
				b, err = less, lessErr
			} else {
				at++
			}
		}
	}
	return b, err
}

func (c *Comparison) tryPayload(b []byte, everything bool) error {
	c.Inputs++
	want := c.fresh()
	wantErr := c.verdict(want, proto.Unmarshal(b, want))
	got := c.fresh()
	in := bytes.Clone(b)
	err := c.plain.DecodePayload(in, got)
	if !bytes.Equal(in, b) {
		return errors.New("reading changed the input")
	}
	for i := range in { // nothing may refer to it any more
		in[i] = 0xee
	}
	wantErr = c.overlooked(err, wantErr, b)
	if (err == nil) != (wantErr == nil) {
		return fmt.Errorf("error %w, reference: %w", err, wantErr)
	}
	var ordered []byte
	if err != nil {
		if err := c.refused(b, err); err != nil {
			return err
		}
	} else {
		var differs error // not err, which the ways below are told
		if ordered, differs = c.read(want, got); differs != nil {
			return differs
		}
	}
	ways := []func(b, ordered []byte, err error) error{c.reused, c.reusedAlias, c.aliased, c.dynamic, c.hidden, c.merged, c.theirs}
	some := ways
	if !everything {
		some = ways[c.Rand.IntN(len(ways)):][:1]
	}
	for _, way := range some {
		if err := way(b, ordered, err); err != nil {
			return err
		}
	}
	if everything && err == nil {
		if diff := cmp.Diff(want, got, protocmp.Transform(), cmpopts.EquateNaNs()); diff != "" && proto.Equal(want, got) {
			return fmt.Errorf("(-reference +got): %s", diff)
		}
		return c.cloned(got, ordered)
	}
	return nil
}

// overlooked returns wantErr, or where the reference has not seen that a required field is
// missing the error that it gives for dynamic messages: the fast form of it does not look
// for any in members of a oneof but the first, which is a difference that is listed. err is
// what the module says after reading the payloads one into the other.
func (c *Comparison) overlooked(err, wantErr error, payloads ...[]byte) error {
	if wantErr != nil || !errors.Is(err, flinkser.ErrUninitialized) {
		return wantErr
	}
	m := dynamicpb.NewMessage(c.md)
	for _, b := range payloads {
		wantErr = proto.UnmarshalOptions{Merge: true}.Unmarshal(b, m)
	}
	return wantErr
}

// refused checks the refusal of b with err: the reference gives the same reason where that is
// a required field, and agrees on what was read until then.
func (c *Comparison) refused(b []byte, err error) error {
	if err := checkDecodeError(err, c.md, len(b)); err != nil {
		return err
	}
	want, got := c.fresh(), c.fresh()
	wantErr := unmarshal(b, want)
	if (wantErr == nil) != errors.Is(err, flinkser.ErrUninitialized) {
		return fmt.Errorf("error %w, reference without a check of required fields: %w", err, wantErr)
	}
	if err := c.partial.DecodePayload(bytes.Clone(b), got); (err == nil) != (wantErr == nil) {
		return fmt.Errorf("partial: error %w, reference: %w", err, wantErr)
	}
	if wantErr != nil {
		return nil
	}
	if _, err := c.read(want, got); err != nil {
		return fmt.Errorf("partial: %w", err)
	}
	return nil
}

// verdict returns the error of the reference for what it has read into m, or one of its own:
// proto.Unmarshal overlooks that a message in a oneof lacks a required field, unless it is
// the first member, and in some recursive types. Both codecs of the module overlook none.
func (c *Comparison) verdict(m proto.Message, err error) error {
	if err != nil || !c.required {
		return err
	}
	if err = initialized(m.ProtoReflect()); err != nil {
		c.Overlooked++
	}
	return err
}

// checkDecodeError checks the form of an error for a payload of n bytes.
func checkDecodeError(err error, md protoreflect.MessageDescriptor, n int) error {
	var failed *flinkser.DecodeError
	if !errors.As(err, &failed) || failed.Message != string(md.FullName()) || failed.Offset < 0 || failed.Offset > n {
		return fmt.Errorf("error %#v", err)
	}
	for _, reason := range []error{flinkser.ErrTruncated, flinkser.ErrOverflow, flinkser.ErrMalformed, flinkser.ErrInvalidUTF8, flinkser.ErrDepth, flinkser.ErrUninitialized} {
		if errors.Is(err, reason) {
			return nil
		}
	}
	return fmt.Errorf("the reason is unexpected: %w", err)
}

// read compares got with want, which the reference has read from the same payload, and returns
// the deterministic bytes of got.
func (c *Comparison) read(want, got proto.Message) ([]byte, error) {
	ordered, err := c.ordered.AppendPayload(nil, got)
	if err != nil {
		return nil, fmt.Errorf("not written: %w", err)
	}
	if canon := Canonical(nil, got.ProtoReflect()); !bytes.Equal(ordered, canon) {
		if q, err := quiet(c.md, ordered); err != nil || !bytes.Equal(q, canon) {
			return nil, fmt.Errorf("deterministic bytes\n%s want\n%s", Short(ordered), Short(canon))
		}
	}
	// Unknown fields keep their tags as they came, and the reference gives them the shortest
	// form when it reads: it has to read twice.
	again := c.fresh()
	if err := unmarshal(ordered, again); err != nil {
		return nil, fmt.Errorf("the reference refuses what was written, %s: %w", Short(ordered), err)
	}
	if !proto.Equal(want, again) {
		return nil, fmt.Errorf("got\n%v\nreference:\n%v", again, want)
	}
	x, errX := Reference(want)
	y, errY := Reference(again)
	if errX != nil || errY != nil || !bytes.Equal(x, y) && !(c.foreign && SameBytes(c.md, x, y)) {
		return nil, fmt.Errorf("got %s, reference %s (%v, %v)", Short(y), Short(x), errX, errY)
	}
	return ordered, nil
}

// agree checks that another way to read the same payload has the same result as the first.
func (c *Comparison) agree(what string, m proto.Message, err error, ordered []byte, wantErr error) error {
	if err != nil || wantErr != nil {
		return sameError(what, err, wantErr)
	}
	got, err := c.ordered.AppendPayload(nil, m)
	if err != nil || !SameBytes(c.md, got, ordered) {
		return fmt.Errorf("%s: got\n%s want\n%s (%v)", what, Short(got), Short(ordered), err)
	}
	return nil
}

func sameError(what string, got, want error) error {
	if errors.Is(got, flinkser.ErrUninitialized) && errors.Is(want, flinkser.ErrUninitialized) {
		return nil // which of several fields that are missing is named is not said
	}
	var g, w *flinkser.DecodeError
	if errors.As(got, &g) && errors.As(want, &w) && g.Field == w.Field && g.Offset == w.Offset && g.Message == w.Message && errors.Is(g, w.Err) {
		return nil
	}
	return fmt.Errorf("%s: error %v, want %v", what, got, want)
}

func (c *Comparison) reused(b, ordered []byte, wantErr error) error {
	in := bytes.Clone(b)
	err := c.reuse.DecodePayload(in, c.dirty)
	for i := range in {
		in[i] = 0xee
	}
	if err := c.agree("reuse", c.dirty, err, ordered, wantErr); err != nil {
		return err
	}
	if err == nil && wantErr == nil {
		// What is left of the old content must not show in any way.
		if got := Canonical(nil, c.dirty.ProtoReflect()); !SameBytes(c.md, got, ordered) {
			return fmt.Errorf("reuse: protoreflect sees\n%s want\n%s", Short(got), Short(ordered))
		}
	}
	return nil
}

func (c *Comparison) reusedAlias(b, ordered []byte, wantErr error) error {
	in := bytes.Clone(b)
	err := c.reuseAlias.DecodePayload(in, c.dirtyAlias)
	if err := c.agree("reuse and aliasing", c.dirtyAlias, err, ordered, wantErr); err != nil {
		return err
	}
	// The memory of the next input must not be that of this one in disguise.
	if !bytes.Equal(in, b) {
		return errors.New("reuse and aliasing: the input has changed")
	}
	return nil
}

func (c *Comparison) aliased(b, ordered []byte, wantErr error) error {
	in := bytes.Clone(b)
	m := c.fresh()
	err := c.alias.DecodePayload(in, m)
	if err := c.agree("aliasing", m, err, ordered, wantErr); err != nil || wantErr != nil {
		return err
	}
	clone, err := c.partial.Clone(m)
	if err != nil {
		return fmt.Errorf("aliasing: clone: %w", err)
	}
	return c.agree("aliasing, clone", clone, nil, ordered, nil)
}

func (c *Comparison) dynamic(b, ordered []byte, wantErr error) error {
	m := dynamicpb.NewMessage(c.md)
	in := bytes.Clone(b)
	err := c.plain.DecodePayload(in, m)
	for i := range in {
		in[i] = 0xee
	}
	if err := c.agree("dynamic message", m, err, ordered, wantErr); err != nil || wantErr != nil {
		return err
	}
	clone, err := c.partial.Clone(m)
	if err != nil {
		return fmt.Errorf("dynamic message: clone: %w", err)
	}
	return c.agree("dynamic message, clone", clone, nil, ordered, nil)
}

func (c *Comparison) hidden(b, ordered []byte, wantErr error) error {
	m := Hidden{c.fresh()}
	err := c.plain.DecodePayload(bytes.Clone(b), m)
	return c.agree("protoreflect", m, err, ordered, wantErr)
}

// merged merges b into a message that holds the previous payload.
func (c *Comparison) merged(b, _ []byte, wantErr error) error {
	if c.required && c.Previous == nil {
		return nil // no complete message has been seen yet
	}
	want, got := c.fresh(), c.fresh()
	if err := (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(c.Previous, want); err != nil {
		return fmt.Errorf("merge: reference: %w", err)
	}
	if err := c.partial.DecodePayload(bytes.Clone(c.Previous), got); err != nil {
		return fmt.Errorf("merge: previous payload: %w", err)
	}
	refErr := c.verdict(want, proto.UnmarshalOptions{Merge: true}.Unmarshal(b, want))
	err := c.merge.DecodePayload(bytes.Clone(b), got)
	refErr = c.overlooked(err, refErr, c.Previous, b)
	if (err == nil) != (refErr == nil) {
		return fmt.Errorf("merge into %s: error %w, reference: %w", Short(c.Previous), err, refErr)
	}
	if err != nil || wantErr != nil {
		return nil
	}
	if _, err := c.read(want, got); err != nil {
		return fmt.Errorf("merge into %s: %w", Short(c.Previous), err)
	}
	return nil
}

// theirs writes a message that the reference has read: it may hold fields in a form that the
// module does not make, such as the bytes of a lazy one.
func (c *Comparison) theirs(b, ordered []byte, wantErr error) error {
	if wantErr != nil {
		return nil
	}
	m, again, want := c.fresh(), c.fresh(), c.fresh()
	if err := proto.Unmarshal(b, m); err != nil {
		return fmt.Errorf("read by the reference: %w", err)
	}
	size, err := c.plain.Size(m)
	if err != nil {
		return fmt.Errorf("read by the reference: size: %w", err)
	}
	out, err := c.plain.AppendPayload(nil, m)
	if err != nil || len(out) != size {
		return fmt.Errorf("read by the reference: %d bytes, size %d (%w): %s", len(out), size, err, Short(out))
	}
	if m, err = c.plain.Clone(m); err != nil {
		return fmt.Errorf("read by the reference: clone: %w", err)
	}
	cloned, err := c.plain.AppendPayload(nil, m)
	if err != nil {
		return fmt.Errorf("read by the reference: clone not written: %w", err)
	}
	if err := proto.Unmarshal(ordered, want); err != nil {
		return fmt.Errorf("read by the reference again: %w", err)
	}
	x, err := Reference(want)
	if err != nil {
		return fmt.Errorf("reference: %w", err)
	}
	for _, out := range [][]byte{out, cloned} {
		if err := proto.Unmarshal(out, again); err != nil {
			return fmt.Errorf("read by the reference and written: the reference refuses %s: %w", Short(out), err)
		}
		y, err := Reference(again)
		if err != nil || !bytes.Equal(x, y) && !(c.foreign && SameBytes(c.md, x, y)) {
			return fmt.Errorf("read by the reference and written: got %s, reference %s (%w)", Short(y), Short(x), err)
		}
	}
	return nil
}

// Prefixes checks every prefix of b where it is short, and at most n of them otherwise.
func (c *Comparison) Prefixes(b []byte, n int) error {
	prefix := func(k int) error {
		if err := c.Payload(b[:k], false); err != nil {
			return fmt.Errorf("prefix of %d bytes: %w", k, err)
		}
		return nil
	}
	if len(b) <= n {
		for k := range b {
			if err := prefix(k); err != nil {
				return err
			}
		}
		return nil
	}
	for range n {
		if err := prefix(c.Rand.IntN(len(b))); err != nil {
			return err
		}
	}
	return nil
}

// EveryPrefix compares an empty message, and every prefix of a message without others in it.
func (c *Comparison) EveryPrefix() error {
	if !c.required {
		if _, err := c.Message(c.fresh()); err != nil {
			return err
		}
	}
	m := c.fresh()
	randpb.Message(c.Rand, m, randpb.Options{Depth: 1, Unknown: true, Extensions: true})
	b, err := Reference(m)
	if err != nil {
		return fmt.Errorf("reference: %w", err)
	}
	b = b[:min(len(b), 300)] // a prefix of a prefix is one
	return c.Prefixes(b, len(b))
}

// Effort says how much a round does.
type Effort struct {
	Messages  int
	Prefixes  int // of each message, at most
	Mutations int // of each message; a quarter of them of one that is long
}

// Round compares random messages, and prefixes and mutations of their payloads.
func (c *Comparison) Round(e Effort) error {
	for range e.Messages {
		m := c.fresh()
		randpb.Message(c.Rand, m, randpb.Options{
			Depth:       c.Rand.IntN(4),
			Unknown:     c.Rand.IntN(2) == 0,
			Extensions:  c.Rand.IntN(4) > 0,
			Partial:     c.required && c.Rand.IntN(3) == 0,
			InvalidUTF8: c.Rand.IntN(4) == 0,
		})
		b, err := c.Message(m)
		if err != nil {
			return err
		}
		if err := c.Prefixes(b, e.Prefixes); err != nil {
			return err
		}
		mutations := e.Mutations
		if len(b) > 4000 {
			mutations /= 4
		}
		for range mutations {
			if err := c.Payload(randpb.Mutate(c.Rand, b), c.Rand.IntN(8) == 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// Short shows a payload in an error, whole where it has a sensible length.
func Short(b []byte) string {
	const most = 4000
	if len(b) <= most {
		return fmt.Sprintf("%x", b)
	}
	return fmt.Sprintf("%x... (%d bytes)", b[:most], len(b))
}
