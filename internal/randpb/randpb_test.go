package randpb

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/structpb"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func TestMessage(t *testing.T) {
	seen := make(map[protoreflect.FieldNumber]bool)
	unknown := 0
	for seed := range uint64(200) {
		m := new(descriptorpb.FileDescriptorProto)
		Message(newRand(seed), m, Options{Depth: 4, Unknown: true, Extensions: true})
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := proto.Unmarshal(b, new(descriptorpb.FileDescriptorProto)); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		again := new(descriptorpb.FileDescriptorProto)
		Message(newRand(seed), again, Options{Depth: 4, Unknown: true, Extensions: true})
		if !proto.Equal(m, again) {
			t.Fatalf("seed %d gives two messages", seed)
		}
		m.ProtoReflect().Range(func(fd protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
			seen[fd.Number()] = true
			return true
		})
		unknown += len(m.ProtoReflect().GetUnknown())
	}
	if want := new(descriptorpb.FileDescriptorProto).ProtoReflect().Descriptor().Fields().Len(); len(seen) != want {
		t.Errorf("%d of %d fields were set in 200 messages", len(seen), want)
	}
	if unknown == 0 {
		t.Error("no unknown fields in 200 messages")
	}
}

func TestMutate(t *testing.T) {
	m := new(structpb.Struct)
	Message(newRand(1), m, Options{Depth: 6})
	b, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	before := bytes.Clone(b)
	changed, valid := 0, 0
	for seed := range uint64(1000) {
		out := Mutate(newRand(seed), b)
		if !bytes.Equal(out, b) {
			changed++
		}
		if proto.Unmarshal(out, new(structpb.Struct)) == nil {
			valid++
		}
		if !bytes.Equal(out, Mutate(newRand(seed), b)) {
			t.Fatalf("seed %d gives two results", seed)
		}
	}
	if !bytes.Equal(b, before) {
		t.Error("the payload was changed in place")
	}
	// Both kinds of result are needed in numbers.
	if changed < 800 || valid < 200 || valid > 900 {
		t.Errorf("of 1000: %d changed, %d valid", changed, valid)
	}
	Mutate(newRand(1), nil)
}
