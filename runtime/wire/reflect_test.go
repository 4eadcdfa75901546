package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/typepb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/flinkser/flinkser/golden/cases"
	"github.com/flinkser/flinkser/internal/randpb"
	"github.com/flinkser/flinkser/runtime/internal/extpb"
	"github.com/flinkser/flinkser/runtime/wire"
)

const (
	maxBytes = 64 << 20
	// The limits of google.golang.org/protobuf.
	referenceDepth  = 9999
	referenceGroups = 10001
)

// encode writes m with the limits of google.golang.org/protobuf and checks on the way that
// size and diagnosis agree with what is written.
func encode(m proto.Message, depth int, deterministic bool) ([]byte, error) {
	e := wire.NewEncoder(maxBytes)
	e.Deterministic = deterministic
	b, i := wire.AppendMessage(&e, nil, 0, depth, m)
	err := wire.Diagnose(&e, m, depth)
	if i < 0 {
		if !errors.Is(err, wire.Reason(i)) {
			return nil, fmt.Errorf("append: %v, diagnosis: %w", wire.Reason(i), err)
		}
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("written, but diagnosed: %v", err)
	}
	if n := wire.SizeMessage(&e, depth, m); n != i {
		return nil, fmt.Errorf("size %d, but %d bytes were written", n, i)
	}
	if deterministic {
		plain, n := wire.AppendPlain(&e, nil, 0, depth, m)
		if n != i || !alike(m, plain[:n], b[:i]) {
			return nil, fmt.Errorf("generated code writes %x, protoreflect %x", b[:i], plain[:max(n, 0)])
		}
	}
	return b[:i], nil
}

// decode reads a root message.
func decode(d wire.Decoder, s string, depth int, m proto.Message) error {
	err := wire.DecodeMessage(&d, s, depth, m)
	if err == nil && !d.AllowPartial {
		err = wire.CheckRequired(m)
	}
	return wire.Finish(err, string(m.ProtoReflect().Descriptor().FullName()))
}

// types returns an empty message of each type that the tests compare the codecs on.
func types(t testing.TB) []proto.Message {
	return []proto.Message{
		dynamic(t, "t3.All"), dynamic(t, "t3.Rec"), dynamic(t, "t2.Msg"), dynamic(t, "t2.Req"), dynamic(t, "t2.G"), dynamic(t, "t2.NeedsGroup"),
		dynamic(t, "e.M"), dynamic(t, "k3.K"), dynamic(t, "k3.Keys"), dynamic(t, "k2.K"), dynamic(t, "k2.Keys"),
		new(cases.All), new(cases.Rec), new(cases.Empty),
		new(structpb.Struct), new(descriptorpb.FileDescriptorProto), new(descriptorpb.UninterpretedOption), new(descriptorpb.MessageOptions),
		new(anypb.Any), new(timestamppb.Timestamp), new(typepb.Type), new(wrapperspb.FloatValue),
		new(extpb.Host), new(extpb.Plain), dynamicpb.NewMessage(new(extpb.Plain).ProtoReflect().Descriptor()),
	}
}

func fresh(m proto.Message) proto.Message { return m.ProtoReflect().New().Interface() }

// reference returns the bytes of m as google.golang.org/protobuf writes them.
func reference(t testing.TB, m proto.Message) []byte {
	t.Helper()
	b, err := proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(m)
	if err != nil {
		t.Fatalf("reference: %v", err)
	}
	return b
}

// same reports whether two messages have the same content, bit for bit but for signaling
// NaNs.
func same(t testing.TB, a, b proto.Message) bool {
	t.Helper()
	shortenTags(a.ProtoReflect())
	shortenTags(b.ProtoReflect())
	x, y := reference(t, a), reference(t, b)
	return alike(a, x, y)
}

// alike reports whether two encodings of a message like m are equal but for the signaling
// bit of a NaN in a float field.
func alike(m proto.Message, a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	q := quiet(m, a)
	return q != nil && bytes.Equal(q, quiet(m, b))
}

// quiet makes the signaling NaNs in the bytes of m quiet, as protoreflect does. It returns
// nil for bytes that it cannot read.
func quiet(m proto.Message, b []byte) []byte {
	d := dynamicpb.NewMessage(m.ProtoReflect().Descriptor())
	if err := (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(b, d); err != nil {
		return nil
	}
	b, err := proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(d)
	if err != nil {
		return nil
	}
	return b
}

func isMessageSet(md protoreflect.MessageDescriptor) bool {
	set, ok := md.(interface{ IsMessageSet() bool })
	return ok && set.IsMessageSet()
}

// shortenTags gives the unknown fields of m the shortest tags, as google.golang.org/protobuf
// does when it reads them into a generated message.
func shortenTags(m protoreflect.Message) {
	if u := m.GetUnknown(); len(u) > 0 {
		var short []byte
		for len(u) > 0 {
			num, typ, n := protowire.ConsumeTag(u)
			size := protowire.ConsumeFieldValue(num, typ, u[n:])
			short = protowire.AppendTag(short, num, typ)
			if isMessageSet(m.Descriptor()) { // in a dynamic message the length is shortened, too
				content, _ := protowire.ConsumeBytes(u[n:])
				short = protowire.AppendBytes(short, content)
			} else {
				short = append(short, u[n:n+size]...)
			}
			u = u[n+size:]
		}
		m.SetUnknown(short)
	}
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.IsMap() && fd.MapValue().Message() != nil:
			v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
				shortenTags(v.Message())
				return true
			})
		case fd.IsMap() || fd.Message() == nil:
		case fd.IsList():
			for i := range v.List().Len() {
				shortenTags(v.List().Get(i).Message())
			}
		default:
			shortenTags(v.Message())
		}
		return true
	})
}

// checkOrder checks that the known fields of b, and of the messages in it, come in the order
// of their numbers and before the unknown ones.
func checkOrder(md protoreflect.MessageDescriptor, b []byte, m protoreflect.Message) error {
	if isMessageSet(md) { // its fields have no order but that of their items
		return nil
	}
	b = b[:len(b)-len(m.GetUnknown())]
	last := protowire.Number(0)
	for len(b) > 0 {
		num, _, n := protowire.ConsumeField(b)
		if n < 0 || num < last {
			return fmt.Errorf("%s: field %d after %d", md.FullName(), num, last)
		}
		last, b = num, b[n:]
	}
	return nil
}

var errPanic = errors.New("google.golang.org/protobuf panics")

// unmarshal is proto.Unmarshal, which panics when the entry of a map in a dynamic message
// has a key followed by one of the wrong wire type.
func unmarshal(b []byte, m proto.Message) (err error) {
	defer func() {
		if recover() != nil {
			err = errPanic
		}
	}()
	return proto.Unmarshal(b, m)
}

// compare reads b as a message like typ with both codecs and checks that they agree.
func compare(t testing.TB, typ proto.Message, b []byte) {
	t.Helper()
	name := typ.ProtoReflect().Descriptor().FullName()
	want, got := fresh(typ), fresh(typ)
	wantErr := unmarshal(b, want)
	err := decode(wire.NewDecoder(referenceGroups), string(b), referenceDepth, got)
	if errors.Is(wantErr, errPanic) {
		return
	}
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%s %x: error %v, reference %v", name, b, err, wantErr)
	}
	if err != nil {
		var failed *wire.DecodeError
		if !errors.As(err, &failed) || failed.Offset < 0 || failed.Offset > len(b) || failed.Message != string(name) {
			t.Fatalf("%s %x: error %#v", name, b, err)
		}
		return
	}
	out, err := encode(got, referenceDepth, false)
	if err != nil {
		t.Fatalf("%s %x: %v", name, b, err)
	}
	if n := proto.Size(got); n != len(out) {
		t.Fatalf("%s %x: %d bytes, reference %d", name, b, len(out), n)
	}
	if err := checkOrder(got.ProtoReflect().Descriptor(), out, got.ProtoReflect()); err != nil {
		t.Fatalf("%s %x: %x: %v", name, b, out, err)
	}
	again := fresh(typ)
	if err := proto.Unmarshal(out, again); err != nil {
		t.Fatalf("%s %x: %x: reference: %v", name, b, out, err)
	}
	if !same(t, got, again) {
		t.Fatalf("%s %x: %x does not hold what was read", name, b, out)
	}
	first, err := encode(got, referenceDepth, true)
	if err != nil {
		t.Fatalf("%s %x: %v", name, b, err)
	}
	if second, err := encode(again, referenceDepth, true); err != nil || !bytes.Equal(first, second) {
		t.Fatalf("%s %x: two deterministic results: %x and %x (%v)", name, b, first, second, err)
	}
	if !same(t, want, got) {
		t.Fatalf("%s %x:\n%v\nreference:\n%v", name, b, got, want)
	}
	aliased := wire.NewDecoder(referenceGroups)
	aliased.Alias = true
	if err := decode(aliased, string(b), referenceDepth, again); err != nil {
		t.Fatalf("%s %x: aliasing into a used message: %v", name, b, err)
	}
	clone := wire.CloneMessage(got)
	if !bytes.Equal(reference(t, clone), reference(t, got)) {
		t.Fatalf("%s %x: clone %v", name, b, clone)
	}
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 3)) }

func random(r *rand.Rand, typ proto.Message) proto.Message {
	m := fresh(typ)
	randpb.Message(r, m, randpb.Options{Depth: r.IntN(5), Unknown: true, Extensions: true})
	return m
}

func TestReflectDifferential(t *testing.T) {
	rounds := uint64(50)
	if testing.Short() {
		rounds = 20
	}
	for _, typ := range types(t) {
		t.Run(string(typ.ProtoReflect().Descriptor().FullName()), func(t *testing.T) {
			t.Parallel()
			for seed := range rounds {
				r := newRand(seed)
				m := random(r, typ)
				b := reference(t, m)
				compare(t, typ, b)
				out, err := encode(m, referenceDepth, true)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				compare(t, typ, out)
				for range 8 {
					compare(t, typ, randpb.Mutate(r, b))
				}
			}
		})
	}
}

func TestReflectPrefixes(t *testing.T) {
	for _, typ := range types(t) {
		for seed := range uint64(3) {
			b := reference(t, random(newRand(seed), typ))
			b = b[:min(len(b), 600)]
			for n := range b {
				compare(t, typ, b[:n])
			}
		}
	}
}

func FuzzReflect(f *testing.F) {
	all := types(f)
	for i, typ := range all {
		for seed := range uint64(2) {
			f.Add(byte(i), reference(f, random(newRand(seed), typ)))
		}
	}
	f.Fuzz(func(t *testing.T, i byte, b []byte) {
		compare(t, all[int(i)%len(all)], b)
	})
}
