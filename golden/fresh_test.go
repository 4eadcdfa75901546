package golden_test

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	otel "github.com/flinkser/flinkser/golden/otel"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// This file is about messages that are made with the wrapper of a oneof member beside them: golden/otel
// has some, and the codec for structpb.Value makes them within lists.

// TestFreshOrder reads values whose oneof members come in every order, more than once, behind other
// fields, and with tags that are longer than need be.
func TestFreshOrder(t *testing.T) {
	text := func(s string) []byte {
		return protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), s)
	}
	yes := protowire.AppendVarint(protowire.AppendTag(nil, 2, protowire.VarintType), 1)
	list := protowire.AppendBytes(protowire.AppendTag(nil, 5, protowire.BytesType), nil)
	unknown := protowire.AppendVarint(protowire.AppendTag(nil, 100, protowire.VarintType), 1)
	wrong := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 1) // the wire type of another field
	long := append([]byte{0x8a, 0x00}, text("long")[1:]...)
	parts := [][]byte{text("a"), text(""), yes, list, unknown, wrong, long}
	values := [][]byte{nil}
	for _, a := range parts {
		values = append(values, a)
		for _, b := range parts {
			values = append(values, slices.Concat(a, b), slices.Concat(a, b, a))
		}
	}
	s := serializer(t)
	for _, v := range values {
		value := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), v) // ArrayValue.values
		pair := protowire.AppendBytes(protowire.AppendTag(nil, 2, protowire.BytesType), v)  // KeyValue.value
		for _, tt := range []struct {
			b []byte
			m proto.Message
		}{
			{value, &otel.ArrayValue{}},
			{slices.Concat(value, value), &otel.ArrayValue{}},
			{pair, &otel.KeyValue{}},
			{slices.Concat(pair, pair), &otel.KeyValue{}}, // the second is read into the first
		} {
			want := tt.m.ProtoReflect().New().Interface()
			if err := proto.Unmarshal(tt.b, want); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second time into a message that holds something
				if err := s.DecodePayload(tt.b, tt.m); err != nil || !proto.Equal(tt.m, want) {
					t.Errorf("%T from %x: %v, want %v (%v)", tt.m, tt.b, tt.m, want, err)
				}
			}
		}
	}
}

// TestFreshMerge reads into messages that share the wrapper of a oneof member with others, which
// must not see the change.
func TestFreshMerge(t *testing.T) {
	s := serializer(t, append(externalOptions(), flinkser.WithMerge())...)
	for _, old := range []string{"", "old"} {
		shared := &otel.AnyValue_StringValue{StringValue: old}
		m, other := &otel.KeyValue{Value: &otel.AnyValue{Value: shared}}, &otel.AnyValue{Value: shared}
		sharedValue := &structpb.Value_StringValue{StringValue: old}
		v, otherValue := &structpb.Value{Kind: sharedValue}, &structpb.Value{Kind: sharedValue}
		for _, tt := range []struct{ from, into, other proto.Message }{
			{&otel.KeyValue{Value: &otel.AnyValue{Value: &otel.AnyValue_StringValue{StringValue: "new"}}}, m, other},
			{structpb.NewStringValue("new"), v, otherValue},
		} {
			before := proto.Clone(tt.other)
			b, err := proto.Marshal(tt.from)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.DecodePayload(b, tt.into); err != nil || !proto.Equal(tt.into, tt.from) {
				t.Errorf("merged into %q: %v, want %v (%v)", old, tt.into, tt.from, err)
			}
			if !proto.Equal(tt.other, before) {
				t.Errorf("a message that shares the member is now %v, was %v", tt.other, before)
			}
		}
	}
}

// TestFreshAllocations counts: the list, and for each value one block of memory.
func TestFreshAllocations(t *testing.T) {
	const n = 50
	array, list := &otel.ArrayValue{}, &structpb.ListValue{}
	for i := range n {
		array.Values = append(array.Values, &otel.AnyValue{Value: &otel.AnyValue_IntValue{IntValue: int64(i)}})
		list.Values = append(list.Values, structpb.NewNumberValue(float64(i)))
	}
	s := serializer(t, externalOptions()...)
	for _, m := range []proto.Message{array, list} {
		b, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		into := m.ProtoReflect().New().Interface()
		if got := testing.AllocsPerRun(20, func() {
			if err := s.DecodePayload(b, into); err != nil {
				t.Fatal(err)
			}
		}); got != n+1 || !proto.Equal(into, m) {
			t.Errorf("%T: %v allocations for %d values", m, got, n)
		}
	}
}
