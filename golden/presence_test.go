package golden_test

import (
	"bytes"
	"math/bits"
	"reflect"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flinkser/flinkser/golden/opaque"
	"github.com/flinkser/flinkser/internal/differ"
	"github.com/flinkser/flinkser/internal/randpb"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// presenceBits returns the number of bits that are set in a struct of the opaque API, and
// whether it has any.
func presenceBits(m proto.Message) (set int, ok bool) {
	words := reflect.ValueOf(m).Elem().FieldByName("XXX_presence")
	if !words.IsValid() {
		return 0, false
	}
	for i := range words.Len() {
		set += bits.OnesCount32(uint32(words.Index(i).Uint()))
	}
	return set, true
}

// needsBit reports whether a field that is set has a bit, where the struct has bits.
func needsBit(fd protoreflect.FieldDescriptor) bool {
	lazy, ok := fd.(interface{ IsLazy() bool })
	switch {
	case fd.IsMap(), fd.ContainingOneof() != nil && !fd.ContainingOneof().IsSynthetic():
		return false
	case fd.Message() != nil:
		return ok && lazy.IsLazy()
	}
	return fd.HasPresence()
}

// TestPresence sets every field of every message alone, to something and to what it is when
// it is empty, and compares what the code takes to be set with ProtoReflect().Has: what it reads
// itself, what was set otherwise, its clones, and what it reads into a message that held
// all other fields. In the opaque API this is each presence bit.
func TestPresence(t *testing.T) {
	s := serializer(t, flinkser.WithPartial())
	reuse := serializer(t, flinkser.WithPartial(), flinkser.WithReuse())
	withBits, fields := 0, 0
	for _, mt := range goldenTypes() {
		md := mt.Descriptor()
		full := mt.New().Interface()
		for i := range md.Fields().Len() {
			fill(full.ProtoReflect(), md.Fields().Get(i))
		}
		if _, ok := presenceBits(full); ok {
			withBits++
		}
		for i := range md.Fields().Len() {
			fd := md.Fields().Get(i)
			set := mt.New().Interface()
			fill(set.ProtoReflect(), fd)
			fields++
			checkPresence(t, s, reuse, set, full, fd)
			if fd.Message() == nil && fd.HasPresence() {
				set.ProtoReflect().Set(fd, zero(fd))
				checkPresence(t, s, reuse, set, full, fd)
			}
		}
	}
	if fields < 1000 || withBits < 12 {
		t.Errorf("%d fields were set, %d structs have presence bits", fields, withBits)
	}
	t.Logf("%d fields, %d structs with presence bits", fields, withBits)
}

func checkPresence(t *testing.T, s, reuse *flinkser.Serializer[proto.Message], set, full proto.Message, fd protoreflect.FieldDescriptor) {
	t.Helper()
	only := func(what string, m proto.Message) {
		t.Helper()
		fields := fd.ContainingMessage().Fields()
		for i := range fields.Len() {
			if other := fields.Get(i); m.ProtoReflect().Has(other) != (other == fd) {
				t.Errorf("%s: %s alone is set, and %s: Has is %t", fd.FullName(), what, other.FullName(), other != fd)
			}
		}
		want := 0
		if needsBit(fd) {
			want = 1
		}
		if n, ok := presenceBits(m); ok && n != want {
			t.Errorf("%s: %s: %d presence bits, want %d", fd.FullName(), what, n, want)
		}
	}
	b, err := s.AppendPayload(nil, set)
	if err != nil {
		t.Errorf("%s: %v", fd.FullName(), err)
		return
	}
	if want, err := differ.Reference(set); err != nil || len(want) != len(b) {
		t.Errorf("%s: written as %x, reference %x (%v)", fd.FullName(), b, want, err)
	}
	read := set.ProtoReflect().New().Interface()
	if err := s.DecodePayload(b, read); err != nil {
		t.Errorf("%s: %v", fd.FullName(), err)
	}
	only("read", read)
	clone, err := s.Clone(set)
	if err != nil {
		t.Errorf("%s: %v", fd.FullName(), err)
	}
	only("cloned", clone)
	again := proto.Clone(full)
	if err := reuse.DecodePayload(b, again); err != nil {
		t.Errorf("%s: %v", fd.FullName(), err)
	}
	for _, m := range []proto.Message{read, clone, again} {
		if !proto.Equal(m, set) {
			t.Errorf("%s: %v, want %v", fd.FullName(), m, set)
		}
	}
}

// TestLazyReadByMany writes, sizes, clones and reads one message from several goroutines, while
// its lazy fields have not been decoded. The race detector watches.
func TestLazyReadByMany(t *testing.T) {
	s := serializer(t)
	ordered := serializer(t, flinkser.WithDeterministic())
	for seed := range uint64(20) {
		source := &opaque.Lazy{}
		randpb.Message(newRand(seed), source, randpb.Options{Depth: 4, Unknown: true})
		if seed == 0 {
			source = lazyTree(4)
		}
		payload, err := proto.Marshal(source)
		if err != nil {
			t.Fatal(err)
		}
		want, err := ordered.AppendPayload(nil, source)
		if err != nil {
			t.Fatal(err)
		}
		shared := &opaque.Lazy{}
		if err := proto.Unmarshal(payload, shared); err != nil {
			t.Fatal(err)
		}
		if seed == 0 {
			if reflect.ValueOf(shared).Elem().FieldByName("XXX_lazyUnmarshalInfo").IsZero() {
				t.Fatal("google.golang.org/protobuf has left nothing undecoded")
			}
		}
		var ready, done sync.WaitGroup
		ready.Add(1)
		for n := range 8 {
			done.Go(func() {
				ready.Wait()
				switch n % 4 {
				case 0:
					if b, err := ordered.AppendPayload(nil, shared); err != nil || !differ.SameBytes(shared.ProtoReflect().Descriptor(), b, want) {
						t.Errorf("written as %x, want %x (%v)", b, want, err)
					}
				case 1:
					if size, err := s.Size(shared); err != nil || size != len(want) {
						t.Errorf("size %d, want %d (%v)", size, len(want), err)
					}
				case 2:
					if clone, err := s.Clone(shared); err != nil || !proto.Equal(clone, source) {
						t.Errorf("the clone is %v, want %v (%v)", clone, source, err)
					}
				case 3:
					if got, err := proto.Marshal(shared); err != nil || len(got) != len(payload) {
						t.Errorf("the reference writes %x, want %x (%v)", got, payload, err)
					}
				}
			})
		}
		ready.Done()
		done.Wait()
		if b, err := ordered.AppendPayload(nil, shared); err != nil || !bytes.Equal(b, want) {
			t.Errorf("then written as %x, want %x (%v)", b, want, err)
		}
	}
}

// lazyTree returns a message with lazy fields of all shapes on every level.
func lazyTree(depth int) *opaque.Lazy {
	leaf := opaque.Leaf_builder{Number: proto.Int32(int32(depth)), Text: proto.String("leaf")}.Build()
	b := opaque.Lazy_builder{Before: proto.Int32(1), Leaf: leaf, Now: leaf, Chosen: leaf, After: proto.Int32(2)}
	if depth > 0 {
		b.One = lazyTree(depth - 1)
		b.Many = []*opaque.Lazy{lazyTree(depth - 1), {}}
	}
	return b.Build()
}
