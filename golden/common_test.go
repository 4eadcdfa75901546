package golden_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/flinkser/flinkser/golden/external"
	otel "github.com/flinkser/flinkser/golden/otel"
	"github.com/flinkser/flinkser/golden/wellknown"
	"github.com/flinkser/flinkser/internal/differ"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// otelSHA256 is that of golden/otel/common.proto.
const otelSHA256 = "620560f3ad4c45d606f8a9c455f2b98089f0d511c5859c3eadd3ee630ae0d4d8"

// commonSample is a message of a type that many schemas share.
type commonSample struct {
	name string
	m    proto.Message
}

func commonSamples() []commonSample {
	var list []commonSample
	add := func(name string, m proto.Message) { list = append(list, commonSample{name, m}) }
	for _, samples := range []func(func(string, proto.Message)){structSamples, anySamples, timeSamples, maskSamples, wrapperSamples, otelSamples} {
		samples(add)
	}
	return list
}

// negativeZero is not a constant of Go.
var negativeZero = math.Copysign(0, -1)

func number(v float64) *structpb.Value { return structpb.NewNumberValue(v) }

func structOf(fields map[string]*structpb.Value) *structpb.Struct {
	return &structpb.Struct{Fields: fields}
}

func structSamples(add func(string, proto.Message)) {
	null := structpb.NewNullValue()
	unset := &structpb.Value{}
	list := &structpb.ListValue{Values: []*structpb.Value{null, number(1), structpb.NewStringValue("a"), structpb.NewBoolValue(false), unset}}
	add("Struct/empty", &structpb.Struct{})
	add("Struct/empty map", structOf(map[string]*structpb.Value{}))
	add("Struct/a value of each kind", structOf(map[string]*structpb.Value{
		"": null, "number": number(-1.5), "text": structpb.NewStringValue("é😀"), "yes": structpb.NewBoolValue(true),
		"list": structpb.NewListValue(list), "struct": structpb.NewStructValue(structOf(map[string]*structpb.Value{"inner": null})), "unset": unset,
	}))
	deep := structOf(nil)
	for i := range 20 {
		deep = structOf(map[string]*structpb.Value{fmt.Sprint(i): structpb.NewStructValue(deep)})
	}
	add("Struct/20 deep", deep)
	wide := map[string]*structpb.Value{}
	for i := range 100 {
		wide[fmt.Sprintf("key %d \U0001f600\uff5e", i)] = number(float64(i))
	}
	add("Struct/100 keys", structOf(wide))
	add("Value/unset", unset)
	add("Value/null", null)
	add("Value/unknown null", &structpb.Value{Kind: &structpb.Value_NullValue{NullValue: 7}})
	add("Value/zero", number(0))
	add("Value/negative zero", number(negativeZero))
	add("Value/NaN", number(math.NaN()))
	add("Value/infinity", number(math.Inf(1)))
	add("Value/negative infinity", number(math.Inf(-1)))
	add("Value/smallest", number(math.SmallestNonzeroFloat64))
	add("Value/empty text", structpb.NewStringValue(""))
	add("Value/text", structpb.NewStringValue("日本語"))
	add("Value/false", structpb.NewBoolValue(false))
	add("Value/true", structpb.NewBoolValue(true))
	add("Value/empty struct", structpb.NewStructValue(&structpb.Struct{}))
	add("Value/empty list", structpb.NewListValue(&structpb.ListValue{}))
	add("Value/list in list", structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{structpb.NewListValue(list), structpb.NewListValue(list)}}))
	add("ListValue/empty", &structpb.ListValue{})
	add("ListValue/of each kind", list)
	add("ListValue/numbers", &structpb.ListValue{Values: []*structpb.Value{number(math.NaN()), number(math.Inf(1)), number(negativeZero), number(math.MaxFloat64)}})
	add("ListValue/unset", &structpb.ListValue{Values: []*structpb.Value{unset, unset}})
}

func anySamples(add func(string, proto.Message)) {
	add("Any/empty", &anypb.Any{})
	add("Any/nobody knows the type", &anypb.Any{TypeUrl: "type.example.com/no.such.Type", Value: []byte{0x08, 0x01}})
	add("Any/no payload of anything", &anypb.Any{TypeUrl: "type.googleapis.com/google.protobuf.Timestamp", Value: []byte{0xff}})
	add("Any/bytes alone", &anypb.Any{Value: []byte{0, 0xff, 0x80}})
	inner, err := anypb.New(&timestamppb.Timestamp{Seconds: 1})
	if err != nil {
		panic(err) // a valid message
	}
	outer, err := anypb.New(inner)
	if err != nil {
		panic(err)
	}
	add("Any/in Any", outer)
}

func timeSamples(add func(string, proto.Message)) {
	add("Timestamp/zero", &timestamppb.Timestamp{})
	add("Timestamp/now", &timestamppb.Timestamp{Seconds: 1_700_000_000, Nanos: 999_999_999})
	add("Timestamp/before 1970", &timestamppb.Timestamp{Seconds: -1, Nanos: 1})
	add("Timestamp/smallest", &timestamppb.Timestamp{Seconds: math.MinInt64, Nanos: math.MinInt32})
	add("Timestamp/largest", &timestamppb.Timestamp{Seconds: math.MaxInt64, Nanos: math.MaxInt32})
	add("Duration/zero", &durationpb.Duration{})
	add("Duration/signs differ", &durationpb.Duration{Seconds: 1, Nanos: -1})
	add("Duration/smallest", &durationpb.Duration{Seconds: math.MinInt64, Nanos: math.MinInt32})
	add("Duration/largest", &durationpb.Duration{Seconds: math.MaxInt64, Nanos: math.MaxInt32})
}

func maskSamples(add func(string, proto.Message)) {
	add("FieldMask/empty", &fieldmaskpb.FieldMask{})
	add("FieldMask/paths", &fieldmaskpb.FieldMask{Paths: []string{"a", "b.c", "b.c", "camelCase.snake_case"}})
	add("FieldMask/no paths at all", &fieldmaskpb.FieldMask{Paths: []string{"", "..", "a,b", "é \x00", "*"}})
}

func wrapperSamples(add func(string, proto.Message)) {
	add("DoubleValue/default", wrapperspb.Double(0))
	add("DoubleValue/negative zero", wrapperspb.Double(negativeZero))
	add("DoubleValue/NaN", wrapperspb.Double(math.NaN()))
	add("DoubleValue/largest", wrapperspb.Double(math.MaxFloat64))
	add("FloatValue/default", wrapperspb.Float(0))
	add("FloatValue/negative zero", wrapperspb.Float(float32(negativeZero)))
	add("FloatValue/smallest", wrapperspb.Float(math.SmallestNonzeroFloat32))
	add("FloatValue/infinity", wrapperspb.Float(float32(math.Inf(-1))))
	add("Int64Value/default", wrapperspb.Int64(0))
	add("Int64Value/smallest", wrapperspb.Int64(math.MinInt64))
	add("Int64Value/largest", wrapperspb.Int64(math.MaxInt64))
	add("UInt64Value/default", wrapperspb.UInt64(0))
	add("UInt64Value/largest", wrapperspb.UInt64(math.MaxUint64))
	add("Int32Value/default", wrapperspb.Int32(0))
	add("Int32Value/smallest", wrapperspb.Int32(math.MinInt32))
	add("Int32Value/largest", wrapperspb.Int32(math.MaxInt32))
	add("UInt32Value/default", wrapperspb.UInt32(0))
	add("UInt32Value/largest", wrapperspb.UInt32(math.MaxUint32))
	add("BoolValue/default", wrapperspb.Bool(false))
	add("BoolValue/true", wrapperspb.Bool(true))
	add("StringValue/default", wrapperspb.String(""))
	add("StringValue/text", wrapperspb.String("\x00é😀"))
	add("BytesValue/default", wrapperspb.Bytes([]byte{}))
	add("BytesValue/bytes", wrapperspb.Bytes([]byte{0, 0xff, 0x80}))
}

func otelSamples(add func(string, proto.Message)) {
	text := func(s string) *otel.AnyValue {
		return &otel.AnyValue{Value: &otel.AnyValue_StringValue{StringValue: s}}
	}
	array := &otel.ArrayValue{Values: []*otel.AnyValue{text("a"), {}, {Value: &otel.AnyValue_IntValue{IntValue: -1}}}}
	same := &otel.KeyValueList{Values: []*otel.KeyValue{{Key: "k", Value: text("1")}, {Key: "k", Value: text("2")}, {}, {Key: "k"}}}
	add("AnyValue/unset", &otel.AnyValue{})
	add("AnyValue/string", text("value"))
	add("AnyValue/empty string", text(""))
	add("AnyValue/bool", &otel.AnyValue{Value: &otel.AnyValue_BoolValue{BoolValue: false}})
	add("AnyValue/int", &otel.AnyValue{Value: &otel.AnyValue_IntValue{IntValue: math.MinInt64}})
	add("AnyValue/double", &otel.AnyValue{Value: &otel.AnyValue_DoubleValue{DoubleValue: negativeZero}})
	add("AnyValue/NaN", &otel.AnyValue{Value: &otel.AnyValue_DoubleValue{DoubleValue: math.NaN()}})
	add("AnyValue/array", &otel.AnyValue{Value: &otel.AnyValue_ArrayValue{ArrayValue: array}})
	add("AnyValue/list of pairs", &otel.AnyValue{Value: &otel.AnyValue_KvlistValue{KvlistValue: same}})
	add("AnyValue/bytes", &otel.AnyValue{Value: &otel.AnyValue_BytesValue{BytesValue: []byte{0xff, 0}}})
	add("AnyValue/index of a string", &otel.AnyValue{Value: &otel.AnyValue_StringValueStrindex{StringValueStrindex: 0}})
	add("ArrayValue/empty", &otel.ArrayValue{})
	add("ArrayValue/values", array)
	add("KeyValueList/empty", &otel.KeyValueList{})
	add("KeyValueList/equal keys", same)
	add("KeyValue/empty", &otel.KeyValue{})
	add("KeyValue/pair", &otel.KeyValue{Key: "service.name", Value: text("shop")})
	add("KeyValue/index of a key", &otel.KeyValue{KeyStrindex: 7, Value: &otel.AnyValue{Value: &otel.AnyValue_StringValueStrindex{StringValueStrindex: math.MaxInt32}}})
}

// addUnknown adds to m what a newer version of its type could have: two fields of number 100.
func addUnknown(m proto.Message) {
	u := protowire.AppendVarint(protowire.AppendTag(nil, 100, protowire.VarintType), 987)
	u = protowire.AppendString(protowire.AppendTag(u, 100, protowire.BytesType), "future")
	m.ProtoReflect().SetUnknown(u)
}

// fieldOf returns a message with generated code that holds m in the field of its type, or m
// itself if it has generated code.
func fieldOf(t *testing.T, m proto.Message) proto.Message {
	t.Helper()
	if _, ok := m.(flinkser.Message); ok {
		return m
	}
	outer := &wellknown.Fields{}
	fields := outer.ProtoReflect().Descriptor().Fields()
	for i := range fields.Len() {
		if fd := fields.Get(i); fd.Message().FullName() == m.ProtoReflect().Descriptor().FullName() {
			outer.ProtoReflect().Set(fd, protoreflect.ValueOfMessage(m.ProtoReflect()))
			return outer
		}
	}
	t.Fatalf("no field is of type %s", m.ProtoReflect().Descriptor().FullName())
	return nil
}

// externalFieldOf is fieldOf for messages whose generated code calls codecs; it returns nil where
// they have no field of the type.
func externalFieldOf(_ *testing.T, m proto.Message) proto.Message {
	for _, outer := range []proto.Message{&external.Event{}, &external.Wrappers{}, &external.Choice{}} {
		fields := outer.ProtoReflect().Descriptor().Fields()
		for i := range fields.Len() {
			if fd := fields.Get(i); fd.Message() != nil && fd.Message().FullName() == m.ProtoReflect().Descriptor().FullName() {
				outer.ProtoReflect().Set(fd, protoreflect.ValueOfMessage(m.ProtoReflect()))
				return outer
			}
		}
	}
	return nil
}

// withCodec returns m if there is a codec for its type, which is of another module, or nil.
func withCodec(_ *testing.T, m proto.Message) proto.Message {
	for _, c := range externalCodecs() {
		if c.typ == m.ProtoReflect().Type() {
			return m
		}
	}
	return nil
}

// TestCommonTypes writes, reads, clones and frames messages of google.protobuf and of
// OpenTelemetry: through generated code, through the codecs of external mode, in a field and as the
// root, through protoreflect and through dynamicpb, with fields that nobody knows and without, in
// the order of maps and in any. All of it must agree with google.golang.org/protobuf.
func TestCommonTypes(t *testing.T) {
	checkOtelSource(t)
	samples := commonSamples()
	if len(samples) < 73 {
		t.Errorf("%d samples, want at least 73", len(samples))
	}
	ways := []struct {
		name string
		of   func(*testing.T, proto.Message) proto.Message
		opts []flinkser.Option
	}{
		{"generated", fieldOf, nil},
		{"external", externalFieldOf, []flinkser.Option{flinkser.RequireGenerated()}},
		{"codec", withCodec, append(externalOptions(), flinkser.RequireGenerated())},
		{"reflected", func(_ *testing.T, m proto.Message) proto.Message { return differ.Hidden{Message: m} }, nil},
		{"dynamic", func(_ *testing.T, m proto.Message) proto.Message {
			d := dynamicpb.NewMessage(m.ProtoReflect().Descriptor())
			proto.Merge(d, m)
			return d
		}, nil},
	}
	checks := map[string]int{}
	for _, sample := range samples {
		for _, unknown := range []bool{false, true} {
			for _, way := range ways {
				for _, deterministic := range []bool{false, true} {
					m := proto.Clone(sample.m)
					if unknown {
						addUnknown(m)
					}
					if m = way.of(t, m); m == nil {
						continue
					}
					checks[way.name]++
					if err := checkCommon(t, m, deterministic, way.opts...); err != nil {
						t.Errorf("%s, %s, unknown fields %t, deterministic %t: %v", sample.name, way.name, unknown, deterministic, err)
					}
				}
			}
		}
	}
	t.Logf("%d samples, checks %v", len(samples), checks)
	codecs := 0
	for _, sample := range samples {
		if md := sample.m.ProtoReflect().Descriptor(); md.ParentFile().Package() == "google.protobuf" && md.Name() != "FieldMask" {
			codecs++
		}
	}
	for name, want := range map[string]int{"generated": len(samples), "external": codecs, "codec": codecs} {
		if checks[name] != 4*want {
			t.Errorf("%s: %d checks, want 4 of %d samples", name, checks[name], want)
		}
	}
}

// checkOtelSource checks the copy of OpenTelemetry's file, and the order of its oneof.
func checkOtelSource(t *testing.T) {
	t.Helper()
	b, err := os.ReadFile("otel/common.proto")
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != otelSHA256 {
		t.Errorf("otel/common.proto has SHA-256 %x, want %s", sum, otelSHA256)
	}
	members := (&otel.AnyValue{}).ProtoReflect().Descriptor().Oneofs().Get(0).Fields()
	want := []protoreflect.Name{"string_value", "bool_value", "int_value", "double_value", "array_value", "kvlist_value", "bytes_value", "string_value_strindex"}
	for i := range members.Len() {
		if i >= len(want) || members.Get(i).Name() != want[i] {
			t.Errorf("member %d of AnyValue is %s", i, members.Get(i).Name())
		}
	}
	if members.Len() != len(want) {
		t.Errorf("AnyValue has %d members, want %d", members.Len(), len(want))
	}
}

func checkCommon(t *testing.T, m proto.Message, deterministic bool, opts ...flinkser.Option) error {
	t.Helper()
	if deterministic {
		opts = append(opts, flinkser.WithDeterministic())
	}
	s := serializer(t, opts...)
	fresh := func() proto.Message { return m.ProtoReflect().New().Interface() }
	equal := func(what string, got proto.Message, err error) error {
		if err != nil || !proto.Equal(got, m) {
			return fmt.Errorf("%s: %v, want %v (%w)", what, got, m, err)
		}
		return nil
	}

	payload, err := s.AppendPayload(nil, m)
	if err != nil {
		return err
	}
	if n, err := s.Size(m); err != nil || n != len(payload) || proto.Size(m) != n {
		return fmt.Errorf("size %d (%w), reference %d, written %d bytes", n, err, proto.Size(m), len(payload))
	}
	if want := differ.Canonical(nil, m.ProtoReflect()); deterministic && !bytes.Equal(payload, want) {
		return fmt.Errorf("written as %x, want %x", payload, want)
	}
	// What we write, the reference reads, and the other way round.
	read := fresh()
	if err := equal("read by the reference", read, proto.Unmarshal(payload, read)); err != nil {
		return err
	}
	theirs, err := proto.MarshalOptions{Deterministic: deterministic}.Marshal(m)
	if err != nil {
		return err
	}
	read = fresh()
	if err := equal("read from the reference", read, s.DecodePayload(theirs, read)); err != nil {
		return err
	}

	clone, err := s.Clone(m)
	if err := equal("cloned", clone, err); err != nil {
		return err
	}
	again, err := s.AppendPayload(nil, clone)
	if err != nil || deterministic && !bytes.Equal(again, payload) || len(again) != len(payload) {
		return fmt.Errorf("the clone is written as %x, want %x (%w)", again, payload, err)
	}

	frame, err := s.Append([]byte("before"), m)
	if err != nil || len(frame) != len("before")+4+len(payload) {
		return fmt.Errorf("frame %x of payload %x (%w)", frame, payload, err)
	}
	read = fresh()
	rest, err := s.Decode(append(frame[len("before"):], "behind"...), read)
	if string(rest) != "behind" {
		return fmt.Errorf("behind the frame is %q (%w)", rest, err)
	}
	return equal("read from its frame", read, err)
}
