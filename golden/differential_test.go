package golden_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/flinkser/flinkser/internal/corpus"
	"github.com/flinkser/flinkser/internal/protocheck"
	"github.com/flinkser/flinkser/internal/randpb"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// codecs are the serializers that are compared with google.golang.org/protobuf, all with
// its limits.
type codecs struct {
	plain, ordered, alias, reuse, reuseAlias, merge *flinkser.Serializer[proto.Message]
}

func newCodecs(t testing.TB) *codecs {
	limits := flinkser.WithLimits(flinkser.ProtobufLimits)
	return &codecs{
		plain:      serializer(t, limits),
		ordered:    serializer(t, limits, flinkser.WithDeterministic()),
		alias:      serializer(t, limits, flinkser.WithAliasing()),
		reuse:      serializer(t, limits, flinkser.WithReuse()),
		reuseAlias: serializer(t, limits, flinkser.WithReuse(), flinkser.WithAliasing()),
		merge:      serializer(t, limits, flinkser.WithMerge()),
	}
}

// comparison compares the codecs on one message type. It keeps messages between inputs, so
// that reuse meets whatever the earlier ones have left.
type comparison struct {
	*codecs
	rand       *rand.Rand
	typ        protoreflect.MessageType
	md         protoreflect.MessageDescriptor
	dirty      proto.Message // decoded into by reuse
	dirtyAlias proto.Message // decoded into by reuseAlias
	previous   []byte        // a valid payload
	inputs     int
}

func (c *codecs) compare(r *rand.Rand, typ protoreflect.MessageType) *comparison {
	return &comparison{
		codecs:     c,
		rand:       r,
		typ:        typ,
		md:         typ.Descriptor(),
		dirty:      typ.New().Interface(),
		dirtyAlias: typ.New().Interface(),
	}
}

func (c *comparison) fresh() proto.Message { return c.typ.New().Interface() }

// reference returns what google.golang.org/protobuf writes, NaNs bit for bit.
func reference(m proto.Message) ([]byte, error) {
	return proto.MarshalOptions{Deterministic: true}.Marshal(m)
}

// message checks what is written for m, and what is read of it. It returns the payload.
func (c *comparison) message(m proto.Message) ([]byte, error) {
	c.inputs++
	b, err := c.plain.AppendPayload(nil, m)
	if err != nil {
		return nil, fmt.Errorf("not written: %w", err)
	}
	if n := proto.Size(m); n != len(b) {
		return nil, fmt.Errorf("%d bytes, reference %d: %s", len(b), n, short(b))
	}
	if err := checkAscending(c.md, b); err != nil {
		return nil, fmt.Errorf("%w: %s", err, short(b))
	}
	read := c.fresh()
	if err := proto.Unmarshal(b, read); err != nil {
		return nil, fmt.Errorf("the reference refuses %s: %w", short(b), err)
	}
	if !proto.Equal(m, read) {
		return nil, fmt.Errorf("the reference reads %s as another message", short(b))
	}
	if diff := cmp.Diff(m, read, protocmp.Transform(), cmpopts.EquateNaNs()); diff != "" {
		return nil, fmt.Errorf("written and read by the reference (-written +read): %s", diff)
	}
	if err := c.written(m, b); err != nil {
		return nil, err
	}
	theirs, err := reference(m)
	if err != nil {
		return nil, fmt.Errorf("reference: %w", err)
	}
	for _, b := range [][]byte{theirs, b} {
		if err := c.payload(b, true); err != nil {
			return nil, err
		}
	}
	c.previous = b
	return b, nil
}

// written checks all other ways to write m, whose payload is b.
func (c *comparison) written(m proto.Message, b []byte) error {
	ordered, err := c.ordered.AppendPayload(nil, m)
	if err != nil {
		return fmt.Errorf("deterministic: not written: %w", err)
	}
	if want := canonical(nil, m.ProtoReflect()); !bytes.Equal(ordered, want) {
		if got, err := quiet(c.md, ordered); err != nil || !bytes.Equal(got, want) {
			return fmt.Errorf("deterministic bytes\n%s want\n%s", short(ordered), short(want))
		}
	}
	if len(b) != len(ordered) {
		return fmt.Errorf("%d bytes, deterministic %d", len(b), len(ordered))
	}
	if n, err := c.plain.Size(m); err != nil || n != len(b) {
		return fmt.Errorf("size %d (%v), written are %d bytes: %s", n, err, len(b), short(b))
	}

	// Into a slice with some room.
	have := c.rand.IntN(30)
	dst := make([]byte, have, have+c.rand.IntN(len(b)+1)+c.rand.IntN(2)*(len(b)+500))
	for i := range dst {
		dst[i] = byte(i) ^ 0xa5
	}
	out, err := c.ordered.Append(dst, m)
	if err != nil || len(out) != have+4+len(b) || !bytes.Equal(out[:have], dst) || !bytes.Equal(out[have+4:], ordered) {
		return fmt.Errorf("appended to %d bytes of %d: %s (%v)", have, cap(dst), short(out), err)
	}

	d := dynamicpb.NewMessage(c.md)
	proto.Merge(d, m)
	for _, m := range []proto.Message{d, hidden{m}} {
		got, err := c.ordered.AppendPayload(nil, m)
		if err != nil || !sameBytes(c.md, got, ordered) {
			return fmt.Errorf("%T: deterministic bytes\n%s want\n%s (%v)", m, short(got), short(ordered), err)
		}
		if n, err := c.plain.Size(m); err != nil || n != len(b) {
			return fmt.Errorf("%T: size %d (%v), want %d", m, n, err, len(b))
		}
	}
	return c.cloned(m, ordered)
}

// cloned checks that a clone of m is equal and shares nothing with it.
func (c *comparison) cloned(m proto.Message, ordered []byte) error {
	clone, err := c.plain.Clone(m)
	if err != nil {
		return fmt.Errorf("clone: %w", err)
	}
	got, err := c.ordered.AppendPayload(nil, clone)
	if err != nil || !bytes.Equal(got, ordered) {
		return fmt.Errorf("clone is\n%s want\n%s (%v)", short(got), short(ordered), err)
	}
	scramble(clone.ProtoReflect())
	if got, err = c.ordered.AppendPayload(nil, m); err != nil || !bytes.Equal(got, ordered) {
		return fmt.Errorf("changing a clone changed its original to\n%s from\n%s (%v)", short(got), short(ordered), err)
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

// payload checks what is read from b. Without everything, one of the ways to read is tried
// besides the ordinary one.
func (c *comparison) payload(b []byte, everything bool) error {
	err := c.tryPayload(b, everything)
	if err == nil {
		return nil
	}
	small, smallErr := c.shrink(b)
	if smallErr == nil {
		return fmt.Errorf("after other payloads, not alone: %w\nwhile reading %s", err, short(b))
	}
	return fmt.Errorf("%w\nwhile reading %s\nmade smaller from %s", smallErr, short(small), short(b))
}

// shrink returns a smaller payload that fails on its own, and how; no error where b does
// not.
func (c *comparison) shrink(b []byte) ([]byte, error) {
	try := func(b []byte) error { return c.compare(newRand(1), c.typ).tryPayload(b, true) }
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

func (c *comparison) tryPayload(b []byte, everything bool) error {
	c.inputs++
	want := c.fresh()
	wantErr := proto.Unmarshal(b, want)
	got := c.fresh()
	in := bytes.Clone(b)
	err := c.plain.DecodePayload(in, got)
	if !bytes.Equal(in, b) {
		return errors.New("reading changed the input")
	}
	for i := range in { // nothing may refer to it any more
		in[i] = 0xee
	}
	if (err == nil) != (wantErr == nil) {
		return fmt.Errorf("error %w, reference: %w", err, wantErr)
	}
	var ordered []byte
	if err != nil {
		if err := checkDecodeError(err, c.md, len(b)); err != nil {
			return err
		}
	} else if ordered, err = c.read(want, got); err != nil {
		return err
	}
	ways := []func(b, ordered []byte, err error) error{c.reused, c.reusedAlias, c.aliased, c.dynamic, c.hidden, c.merged}
	some := ways
	if !everything {
		some = ways[c.rand.IntN(len(ways)):][:1]
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

// checkDecodeError checks the form of an error for a payload of n bytes.
func checkDecodeError(err error, md protoreflect.MessageDescriptor, n int) error {
	var failed *flinkser.DecodeError
	if !errors.As(err, &failed) || failed.Message != string(md.FullName()) || failed.Offset < 0 || failed.Offset > n {
		return fmt.Errorf("error %#v", err)
	}
	for _, reason := range []error{flinkser.ErrTruncated, flinkser.ErrOverflow, flinkser.ErrMalformed, flinkser.ErrInvalidUTF8, flinkser.ErrDepth} {
		if errors.Is(err, reason) {
			return nil
		}
	}
	return fmt.Errorf("the reason is unexpected: %w", err)
}

// read compares got with want, which the reference has read from the same payload, and returns
// the deterministic bytes of got.
func (c *comparison) read(want, got proto.Message) ([]byte, error) {
	ordered, err := c.ordered.AppendPayload(nil, got)
	if err != nil {
		return nil, fmt.Errorf("not written: %w", err)
	}
	if canon := canonical(nil, got.ProtoReflect()); !bytes.Equal(ordered, canon) {
		if q, err := quiet(c.md, ordered); err != nil || !bytes.Equal(q, canon) {
			return nil, fmt.Errorf("deterministic bytes\n%s want\n%s", short(ordered), short(canon))
		}
	}
	// Unknown fields keep their tags as they came, and the reference gives them the shortest
	// form when it reads: it has to read twice.
	again := c.fresh()
	if err := proto.Unmarshal(ordered, again); err != nil {
		return nil, fmt.Errorf("the reference refuses what was written, %s: %w", short(ordered), err)
	}
	if !proto.Equal(want, again) {
		return nil, fmt.Errorf("got\n%v\nreference:\n%v", again, want)
	}
	x, errX := reference(want)
	y, errY := reference(again)
	if errX != nil || errY != nil || !bytes.Equal(x, y) && !(holdsForeign(c.md) && sameBytes(c.md, x, y)) {
		return nil, fmt.Errorf("got %s, reference %s (%v, %v)", short(y), short(x), errX, errY)
	}
	return ordered, nil
}

// agree checks that another way to read the same payload has the same result as the first.
func (c *comparison) agree(what string, m proto.Message, err error, ordered []byte, wantErr error) error {
	if err != nil || wantErr != nil {
		return sameError(what, err, wantErr)
	}
	got, err := c.ordered.AppendPayload(nil, m)
	if err != nil || !sameBytes(c.md, got, ordered) {
		return fmt.Errorf("%s: got\n%s want\n%s (%v)", what, short(got), short(ordered), err)
	}
	return nil
}

func sameError(what string, got, want error) error {
	var g, w *flinkser.DecodeError
	if errors.As(got, &g) && errors.As(want, &w) && g.Field == w.Field && g.Offset == w.Offset && g.Message == w.Message && errors.Is(g, w.Err) {
		return nil
	}
	return fmt.Errorf("%s: error %v, want %v", what, got, want)
}

func (c *comparison) reused(b, ordered []byte, wantErr error) error {
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
		if got := canonical(nil, c.dirty.ProtoReflect()); !sameBytes(c.md, got, ordered) {
			return fmt.Errorf("reuse: protoreflect sees\n%s want\n%s", short(got), short(ordered))
		}
	}
	return nil
}

func (c *comparison) reusedAlias(b, ordered []byte, wantErr error) error {
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

func (c *comparison) aliased(b, ordered []byte, wantErr error) error {
	in := bytes.Clone(b)
	m := c.fresh()
	err := c.alias.DecodePayload(in, m)
	if err := c.agree("aliasing", m, err, ordered, wantErr); err != nil || wantErr != nil {
		return err
	}
	clone, err := c.plain.Clone(m)
	if err != nil {
		return fmt.Errorf("aliasing: clone: %w", err)
	}
	return c.agree("aliasing, clone", clone, nil, ordered, nil)
}

func (c *comparison) dynamic(b, ordered []byte, wantErr error) error {
	m := dynamicpb.NewMessage(c.md)
	in := bytes.Clone(b)
	err := c.plain.DecodePayload(in, m)
	for i := range in {
		in[i] = 0xee
	}
	if err := c.agree("dynamic message", m, err, ordered, wantErr); err != nil || wantErr != nil {
		return err
	}
	clone, err := c.plain.Clone(m)
	if err != nil {
		return fmt.Errorf("dynamic message: clone: %w", err)
	}
	return c.agree("dynamic message, clone", clone, nil, ordered, nil)
}

func (c *comparison) hidden(b, ordered []byte, wantErr error) error {
	m := hidden{c.fresh()}
	err := c.plain.DecodePayload(bytes.Clone(b), m)
	return c.agree("protoreflect", m, err, ordered, wantErr)
}

// merged merges b into a message that holds the previous payload.
func (c *comparison) merged(b, _ []byte, wantErr error) error {
	want, got := c.fresh(), c.fresh()
	if err := proto.Unmarshal(c.previous, want); err != nil {
		return fmt.Errorf("merge: reference: %w", err)
	}
	if err := c.plain.DecodePayload(bytes.Clone(c.previous), got); err != nil {
		return fmt.Errorf("merge: previous payload: %w", err)
	}
	refErr := proto.UnmarshalOptions{Merge: true}.Unmarshal(b, want)
	err := c.merge.DecodePayload(bytes.Clone(b), got)
	if (err == nil) != (refErr == nil) {
		return fmt.Errorf("merge into %s: error %w, reference: %w", short(c.previous), err, refErr)
	}
	if err != nil || wantErr != nil {
		return nil
	}
	if _, err := c.read(want, got); err != nil {
		return fmt.Errorf("merge into %s: %w", short(c.previous), err)
	}
	return nil
}

// prefixes checks every prefix of b where it is short, and at most n of them otherwise.
func (c *comparison) prefixes(b []byte, n int) error {
	if len(b) <= n {
		for k := range b {
			if err := c.payload(b[:k], false); err != nil {
				return fmt.Errorf("prefix of %d bytes: %w", k, err)
			}
		}
		return nil
	}
	for range n {
		k := c.rand.IntN(len(b))
		if err := c.payload(b[:k], false); err != nil {
			return fmt.Errorf("prefix of %d bytes: %w", k, err)
		}
	}
	return nil
}

// round is what is done with one message type and one random source.
func (c *comparison) round() error {
	for range 3 {
		m := c.fresh()
		randpb.Message(c.rand, m, randpb.Options{Depth: c.rand.IntN(4), Unknown: c.rand.IntN(2) == 0})
		b, err := c.message(m)
		if err != nil {
			return err
		}
		if err := c.prefixes(b, 150); err != nil {
			return err
		}
		mutations := 60
		if len(b) > 4000 {
			mutations = 15
		}
		for range mutations {
			if err := c.payload(randpb.Mutate(c.rand, b), c.rand.IntN(8) == 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// Environment variables that change what TestDifferential does.
const (
	// How long it runs, as "10m"; the seed is then another one each time.
	envTime = "FLINKSER_DIFF_TIME"
	// The seed, and the one round to run, of a failure that was printed.
	envSeed, envRound = "FLINKSER_DIFF_SEED", "FLINKSER_DIFF_ROUND"
)

// TestDifferential compares the module with google.golang.org/protobuf on random messages of
// every golden type, on damaged payloads and on prefixes of valid ones. What the module
// does differently on purpose is in runtime/difference_test.go; anything else fails.
func TestDifferential(t *testing.T) {
	seed, length := uint64(1), 3*time.Second
	if v := os.Getenv(envTime); v != "" {
		var err error
		if length, err = time.ParseDuration(v); err != nil {
			t.Fatalf("%s: %v", envTime, err)
		}
		seed = rand.Uint64()
	}
	number := func(name string, v *uint64) bool {
		s := os.Getenv(name)
		if s == "" {
			return false
		}
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		*v = n
		return true
	}
	number(envSeed, &seed)

	types, codecs := goldenTypes(), newCodecs(t)
	var inputs atomic.Int64
	run := func(round uint64) error {
		typ := types[round%uint64(len(types))]
		c := codecs.compare(rand.New(rand.NewPCG(seed, round)), typ)
		err := c.round()
		inputs.Add(int64(c.inputs))
		if err != nil {
			return fmt.Errorf("%s=%d %s=%d: %s: %w", envSeed, seed, envRound, round, c.md.FullName(), err)
		}
		return nil
	}
	var only uint64
	if number(envRound, &only) {
		if err := run(only); err != nil {
			t.Error(err)
		}
		return
	}

	t.Logf("differential seed: %d", seed)
	deadline := time.Now().Add(length)
	var next atomic.Uint64
	var failures atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for failures.Load() < 5 {
				round := next.Add(1) - 1
				// Every type has its turn, however slow the machine is.
				if round >= uint64(len(types)) && time.Now().After(deadline) {
					return
				}
				if err := run(round); err != nil {
					failures.Add(1)
					t.Error(err)
				}
			}
		})
	}
	workers.Wait()
	t.Logf("differential rounds: %d over %d message types", next.Load(), len(types))
	t.Logf("differential inputs: %d", inputs.Load())
}

// TestPrefixes compares the two on every prefix of every case of the corpus and of a short
// message of every type.
func TestPrefixes(t *testing.T) {
	codecs := newCodecs(t)
	inputs := 0
	for i, typ := range goldenTypes() {
		c := codecs.compare(newRand(uint64(i)), typ)
		m := c.fresh()
		randpb.Message(c.rand, m, randpb.Options{Depth: 1, Unknown: true})
		b, err := reference(m)
		if err != nil {
			t.Fatal(err)
		}
		b = b[:min(len(b), 600)] // a prefix of a prefix is one
		if err := c.prefixes(b, len(b)); err != nil {
			t.Errorf("%s: %v", c.md.FullName(), err)
		}
		inputs += c.inputs
	}
	for i, k := range corpus.Cases() {
		c := codecs.compare(newRand(uint64(i)), typeOf(t, k.Message))
		for n := range len(k.In) + 1 {
			if err := c.payload(k.In[:n], true); err != nil {
				t.Errorf("case %s: %v", k.ID, err)
			}
		}
		inputs += c.inputs
	}
	t.Logf("differential inputs: %d", inputs)
}

// TestEveryFileIsCompared checks that the comparison knows every file that code is generated
// for here, so that a new one is not left out.
func TestEveryFileIsCompared(t *testing.T) {
	files, err := protocheck.Read(os.DirFS(".."), "golden")
	if err != nil {
		t.Fatal(err)
	}
	types := goldenTypes()
	seen := 0
	for path, text := range files {
		switch {
		case !bytes.Contains([]byte(text), []byte("\nmessage ")),
			path == "golden/suffix/f_windows.proto",                // its Go code is for Windows alone
			bytes.HasPrefix([]byte(path), []byte("golden/peers/")): // a module of its own
			continue
		}
		seen++
		if !slices.ContainsFunc(types, func(mt protoreflect.MessageType) bool { return mt.Descriptor().ParentFile().Path() == path }) {
			t.Errorf("no message of %s is compared: import its Go package in this test", path)
		}
	}
	if seen < 20 {
		t.Errorf("only %d files were found", seen)
	}
	for _, mt := range types {
		if _, ok := mt.Zero().Interface().(flinkser.Message); !ok {
			t.Errorf("%s has no generated code", mt.Descriptor().FullName())
		}
	}
}

// FuzzDifferential does what TestDifferential does, with payloads that the fuzzer makes. The
// number selects the message type.
func FuzzDifferential(f *testing.F) {
	types, codecs := goldenTypes(), newCodecs(f)
	for _, k := range corpus.Cases() {
		i := slices.IndexFunc(types, func(mt protoreflect.MessageType) bool { return string(mt.Descriptor().FullName()) == k.Message })
		if i < 0 {
			f.Fatalf("case %s: no type %s", k.ID, k.Message)
		}
		f.Add(uint16(i), k.In)
	}
	r := newRand(2)
	for i, typ := range types {
		m := typ.New().Interface()
		randpb.Message(r, m, randpb.Options{Depth: 2, Unknown: true})
		b, err := reference(m)
		if err != nil {
			f.Fatal(err)
		}
		if len(b) <= 300 { // long seeds slow the fuzzer down and find no more
			f.Add(uint16(i), b)
		}
	}
	f.Fuzz(func(t *testing.T, i uint16, b []byte) {
		c := codecs.compare(newRand(uint64(len(b))), types[int(i)%len(types)])
		// The second time, reuse meets what the first has left.
		for range 2 {
			if err := c.payload(b, true); err != nil {
				t.Fatalf("%s: %v", c.md.FullName(), err)
			}
			if proto.Unmarshal(b, c.fresh()) == nil {
				c.previous = b
			}
		}
	})
}
