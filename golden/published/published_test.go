package published_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	collectorpb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	statuspb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/genproto/googleapis/type/money"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/flinkser/flinkser/golden/published"
	"github.com/flinkser/flinkser/golden/published/googleapis/api"
	"github.com/flinkser/flinkser/golden/published/googleapis/logging"
	"github.com/flinkser/flinkser/golden/published/googleapis/rpc"
	"github.com/flinkser/flinkser/golden/published/googleapis/rpccontext"
	"github.com/flinkser/flinkser/golden/published/googleapis/types"
	"github.com/flinkser/flinkser/golden/published/otlp/collector"
	"github.com/flinkser/flinkser/golden/published/otlp/common"
	"github.com/flinkser/flinkser/golden/published/otlp/resource"
	"github.com/flinkser/flinkser/golden/published/otlp/trace"
	"github.com/flinkser/flinkser/internal/differ"
	"github.com/flinkser/flinkser/internal/fingerprint"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/wire"
)

// codec is the codec for a type of another module.
type codec struct {
	typ    protoreflect.MessageType
	option flinkser.Option
	schema [32]byte
}

func of[M proto.Message](c wire.Codec[M]) codec {
	return codec{(*new(M)).ProtoReflect().Type(), flinkser.WithCodec(c), c.Schema()}
}

// codecs are all that this module has.
func codecs() []codec {
	return []codec{
		of(trace.TracesData), of(trace.ResourceSpans), of(trace.ScopeSpans), of(trace.Span), of(trace.Span_Event), of(trace.Span_Link), of(trace.Status),
		of(common.AnyValue), of(common.ArrayValue), of(common.KeyValueList), of(common.KeyValue), of(common.InstrumentationScope), of(common.EntityRef),
		of(resource.Resource),
		of(collector.ExportTraceServiceRequest), of(collector.ExportTraceServiceResponse), of(collector.ExportTracePartialSuccess),

		of(rpc.Status), of(rpc.ErrorInfo), of(rpc.RetryInfo), of(rpc.DebugInfo), of(rpc.QuotaFailure), of(rpc.QuotaFailure_Violation),
		of(rpc.PreconditionFailure), of(rpc.PreconditionFailure_Violation), of(rpc.BadRequest), of(rpc.BadRequest_FieldViolation),
		of(rpc.RequestInfo), of(rpc.ResourceInfo), of(rpc.Help), of(rpc.Help_Link), of(rpc.LocalizedMessage),
		of(rpccontext.AttributeContext), of(rpccontext.AttributeContext_Peer), of(rpccontext.AttributeContext_Api), of(rpccontext.AttributeContext_Auth),
		of(rpccontext.AttributeContext_Request), of(rpccontext.AttributeContext_Response), of(rpccontext.AttributeContext_Resource),
		of(api.Distribution), of(api.Distribution_Range), of(api.Distribution_BucketOptions), of(api.Distribution_BucketOptions_Linear),
		of(api.Distribution_BucketOptions_Exponential), of(api.Distribution_BucketOptions_Explicit), of(api.Distribution_Exemplar),
		of(api.HttpBody), of(api.LabelDescriptor), of(api.MetricDescriptor), of(api.MetricDescriptor_MetricDescriptorMetadata), of(api.Metric),
		of(api.MonitoredResourceDescriptor), of(api.MonitoredResource), of(api.MonitoredResourceMetadata),
		of(logging.HttpRequest),
		of(types.Color), of(types.Date), of(types.DateTime), of(types.TimeZone), of(types.Decimal), of(types.Expr), of(types.Fraction),
		of(types.Interval), of(types.LatLng), of(types.LocalizedText), of(types.Money), of(types.PhoneNumber), of(types.PhoneNumber_ShortCode),
		of(types.PostalAddress), of(types.Quaternion), of(types.TimeOfDay),
	}
}

// own are the messages of this module, which hold those above.
func own() []protoreflect.MessageType {
	var list []protoreflect.MessageType
	for _, m := range []proto.Message{&published.Export{}, &published.Order{}, &published.Only{}} {
		list = append(list, m.ProtoReflect().Type())
	}
	return list
}

func options(more ...flinkser.Option) []flinkser.Option {
	for _, c := range codecs() {
		more = append(more, c.option)
	}
	return more
}

func serializer(t testing.TB, opts ...flinkser.Option) *flinkser.Serializer[proto.Message] {
	t.Helper()
	s, err := flinkser.New[proto.Message](opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// each calls test for every type: those with codecs, and those of this module.
func each(t *testing.T, test func(t *testing.T, typ protoreflect.MessageType)) {
	t.Helper()
	all := own()
	for _, c := range codecs() {
		all = append(all, c.typ)
	}
	for _, typ := range all {
		t.Run(string(typ.Descriptor().FullName()), func(t *testing.T) { test(t, typ) })
	}
}

// effort is what the comparison does with each type.
var effort = differ.Effort{Messages: 10, Prefixes: 60, Mutations: 60}

// TestDifferential compares all messages with google.golang.org/protobuf: random ones, every way to
// write them, deterministic ones among them, unknown fields, prefixes and mutations of their payloads.
func TestDifferential(t *testing.T) {
	all, err := differ.New(options()...)
	if err != nil {
		t.Fatal(err)
	}
	inputs := 0
	each(t, func(t *testing.T, typ protoreflect.MessageType) {
		c := all.Compare(rand.New(rand.NewPCG(1, 7)), typ)
		if err := c.EveryPrefix(); err != nil {
			t.Error(err)
		}
		if err := c.Round(effort); err != nil {
			t.Error(err)
		}
		inputs += c.Inputs
	})
	t.Logf("differential inputs: %d", inputs)
}

// TestEveryMessage checks that no message of the files is left out above, and that each codec has
// the fingerprint of its schema.
func TestEveryMessage(t *testing.T) {
	have := map[protoreflect.FileDescriptor]int{}
	for _, c := range codecs() {
		have[c.typ.Descriptor().ParentFile()]++
		if want := fingerprint.Of(c.typ.Descriptor()); c.schema != want {
			t.Errorf("%s: fingerprint %x, want %x", c.typ.Descriptor().FullName(), c.schema, want)
		}
	}
	for fd, n := range have {
		if want := messages(fd.Messages()); n != want {
			t.Errorf("%s: %d messages are compared, it has %d", fd.Path(), n, want)
		}
	}
	if len(have) < 20 {
		t.Errorf("messages of %d files", len(have))
	}
}

// messages counts those that a program can make, however deep they are declared.
func messages(mds protoreflect.MessageDescriptors) int {
	n := 0
	for i := range mds.Len() {
		if md := mds.Get(i); !md.IsMapEntry() {
			n += 1 + messages(md.Messages())
		}
	}
	return n
}

// TestRequireGenerated accepts all types, without protoreflect: the code for the messages of this
// module calls the codecs, and these one another.
func TestRequireGenerated(t *testing.T) {
	s := serializer(t, options(flinkser.RequireGenerated())...)
	plain := serializer(t, flinkser.RequireGenerated())
	each(t, func(t *testing.T, typ protoreflect.MessageType) {
		m := typ.New().Interface()
		if _, err := s.AppendPayload(nil, m); err != nil {
			t.Error(err)
		}
		_, err := plain.AppendPayload(nil, m)
		var refused *flinkser.NotGeneratedError
		if _, ours := m.(flinkser.Message); ours != (err == nil) || !ours && !errors.As(err, &refused) {
			t.Errorf("without codecs: %v", err)
		}
	})
}

// TestAllocations writes, and reads into a message that is used again, without allocating, which
// the codec on protoreflect cannot.
func TestAllocations(t *testing.T) {
	in := &published.Export{
		Tenant: "a",
		Traces: &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{Spans: []*tracepb.Span{span("a")}}}}}},
		Spans:  []*tracepb.ResourceSpans{{SchemaUrl: "b"}},
		Outcome: &published.Export_Failed{Failed: &statuspb.Status{
			Code: 7, Message: "c", Details: []*anypb.Any{{TypeUrl: "d", Value: []byte{1}}},
		}},
	}
	s := serializer(t, flinkser.WithReuse())
	got, b := &published.Export{}, make([]byte, 0, 4096)
	if n := testing.AllocsPerRun(100, func() {
		var err error
		if b, err = s.AppendPayload(b[:0], in); err != nil {
			t.Fatal(err)
		}
		if err := s.DecodePayload(b, got); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if !proto.Equal(in, got) {
		t.Errorf("got %v, want %v", got, in)
	}
}

func span(name string) *tracepb.Span {
	return &tracepb.Span{
		TraceId: bytes.Repeat([]byte{1}, 16), SpanId: bytes.Repeat([]byte{2}, 8), Name: name, Kind: tracepb.Span_SPAN_KIND_CLIENT,
		Attributes: []*commonpb.KeyValue{{Key: "k", Value: text("v")}},
		Events:     []*tracepb.Span_Event{{TimeUnixNano: 1, Name: "e"}},
		Status:     &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR},
	}
}

func text(s string) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: s}}
}

// nested returns a value n lists deep.
func nested(n int) *commonpb.AnyValue {
	v := text("bottom")
	for range n {
		v = &commonpb.AnyValue{Value: &commonpb.AnyValue_ArrayValue{ArrayValue: &commonpb.ArrayValue{Values: []*commonpb.AnyValue{v}}}}
	}
	return v
}

// TestDepth counts levels as in all generated code: the default limit on both sides, as a root and
// in a field.
func TestDepth(t *testing.T) {
	for _, tt := range []struct {
		name string
		m    func(lists int) proto.Message
		more int // messages around the value
	}{
		{"root", func(n int) proto.Message { return nested(n) }, 0},
		{"field", func(n int) proto.Message { return &published.Only{Value: nested(n)} }, 1},
		{"map", func(n int) proto.Message {
			return &published.Export{Values: map[int64]*commonpb.AnyValue{1: nested(n)}}
		}, 2},
	} {
		// A list is two messages.
		fits := (20 - tt.more) / 2
		limit := flinkser.WithRecursionLimit(2*fits + tt.more + 1)
		wide := serializer(t, options()...)
		s := serializer(t, options(limit)...)
		for _, n := range []int{fits, fits + 1} {
			m := tt.m(n)
			b, err := wide.AppendPayload(nil, m)
			if err != nil {
				t.Fatal(err)
			}
			_, wErr := s.AppendPayload(nil, m)
			rErr := s.DecodePayload(b, m.ProtoReflect().New().Interface())
			if deep := n > fits; errors.Is(wErr, flinkser.ErrDepth) != deep || errors.Is(rErr, flinkser.ErrDepth) != deep || !deep && (wErr != nil || rErr != nil) {
				t.Errorf("%s, %d lists: write %v, read %v", tt.name, n, wErr, rErr)
			}
		}
	}
}

// TestTruncated refuses every proper prefix that ends within a field, with the place of it.
func TestTruncated(t *testing.T) {
	m := &published.Export{Spans: []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{Spans: []*tracepb.Span{span("first"), span("second")}}}}}}
	b, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	s := serializer(t)
	for n := 1; n < len(b); n++ {
		var failed *flinkser.DecodeError
		err := s.DecodePayload(b[:n], &published.Export{})
		if !errors.Is(err, flinkser.ErrTruncated) || !errors.As(err, &failed) || failed.Offset > n {
			t.Fatalf("%d of %d bytes: %v", n, len(b), err)
		}
	}
	// A length within a message that promises more than the message holds.
	i := bytes.Index(b, []byte("second"))
	b[i-1]++
	var failed *flinkser.DecodeError
	if err := s.DecodePayload(b, &published.Export{}); !errors.As(err, &failed) || !strings.HasPrefix(failed.Field, "spans[0].scope_spans[0].spans[1]") {
		t.Errorf("a wrong length: %v", err)
	}
}

// TestErrors names the field in messages of other modules.
func TestErrors(t *testing.T) {
	bad := "\xff"
	for _, tt := range []struct {
		m     proto.Message
		field string
	}{
		{&tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{}, {SchemaUrl: bad}}}, "resource_spans[1].schema_url"},
		{&published.Export{ByName: map[string]*tracepb.Span{"a": {Attributes: []*commonpb.KeyValue{{Value: text(bad)}}}}}, `by_name["a"].attributes[0].value.string_value`},
		{&published.Order{Price: &money.Money{CurrencyCode: bad}}, "price.currency_code"},
		{&published.Order{Rejected: &errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{{Reason: bad}}}}, "rejected.field_violations[0].reason"},
		{&published.Order{Errors: []*statuspb.Status{{Details: []*anypb.Any{{TypeUrl: bad}}}}}, "errors[0].details[0].type_url"},
	} {
		var failed *flinkser.EncodeError
		if _, err := serializer(t, options()...).Append(nil, tt.m); !errors.Is(err, flinkser.ErrInvalidUTF8) || !errors.As(err, &failed) || failed.Field != tt.field {
			t.Errorf("%T: %v, want %s", tt.m, err, tt.field)
		}
	}
}

// TestHostile allocates no more than what arrived allows, and counts elements.
func TestHostile(t *testing.T) {
	s := serializer(t, options()...)
	each(t, func(t *testing.T, typ protoreflect.MessageType) {
		for _, b := range [][]byte{
			protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.BytesType), 1<<31-1),
			{0x0a},
			{0x0b},
			{0x0c},
			bytes.Repeat([]byte{0x0b}, 5000),
			bytes.Repeat([]byte{0x0a, 0x7f}, 5000),
		} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_ = s.DecodePayload(b, typ.New().Interface())
			runtime.ReadMemStats(&after)
			if n, most := after.TotalAlloc-before.TotalAlloc, uint64(400*len(b)+64<<10); n > most {
				t.Errorf("%d bytes of input, %d allocated", len(b), n)
			}
		}
	})
	few := serializer(t, options(flinkser.WithElementBudget(10))...)
	for n, want := range map[int]error{10: nil, 11: flinkser.ErrBudget} {
		b, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: slices.Repeat([]*tracepb.ResourceSpans{{}}, n)})
		if err != nil {
			t.Fatal(err)
		}
		if err := few.DecodePayload(b, &tracepb.TracesData{}); !errors.Is(err, want) {
			t.Errorf("%d elements of 10: %v", n, err)
		}
	}
}

// TestUnknown keeps fields that a newer version of a type has, at every level, and Deterministic
// writes them behind the others.
func TestUnknown(t *testing.T) {
	future := protowire.AppendString(protowire.AppendTag(nil, 1000, protowire.BytesType), "future")
	m := &collectorpb.ExportTraceServiceRequest{ResourceSpans: []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{Spans: []*tracepb.Span{span("a")}}}}}}
	sp := m.ResourceSpans[0].ScopeSpans[0].Spans[0]
	for _, m := range []proto.Message{m, m.ResourceSpans[0], sp, sp.Attributes[0], sp.Attributes[0].Value, sp.Status} {
		m.ProtoReflect().SetUnknown(future)
	}
	e := &published.Export{Requests: []*collectorpb.ExportTraceServiceRequest{m}}
	for name, m := range map[string]proto.Message{"root": m, "field": e} {
		want, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		s := serializer(t, options(flinkser.WithDeterministic())...)
		got, err := s.AppendPayload(nil, m)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %x, want %x (%v)", name, got, want, err)
		}
		read := m.ProtoReflect().New().Interface()
		if err := s.DecodePayload(want, read); err != nil || !proto.Equal(read, m) {
			t.Errorf("%s: read %v, want %v (%v)", name, read, m, err)
		}
		if c, err := s.Clone(m); err != nil || !proto.Equal(c, m) {
			t.Errorf("%s: cloned %v (%v)", name, c, err)
		}
	}
}

// TestRoot gives a codec to each kind of serializer.
func TestRoot(t *testing.T) {
	m := &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{SchemaUrl: "a"}}}
	var out bytes.Buffer
	w := flinkser.NewWriter[*tracepb.TracesData](&out, flinkser.WithCodec(trace.TracesData), flinkser.RequireGenerated())
	for range 2 {
		if err := w.Write(m); err != nil {
			t.Fatal(err)
		}
	}
	r := flinkser.NewReader[*tracepb.TracesData](&out, flinkser.WithCodec(trace.TracesData), flinkser.RequireGenerated())
	n := 0
	for got := new(tracepb.TracesData); r.Next(got); n++ {
		if !proto.Equal(got, m) {
			t.Errorf("read %v", got)
		}
	}
	if r.Err() != nil || n != 2 {
		t.Errorf("%d frames: %v", n, r.Err())
	}
	if _, err := flinkser.New[*tracepb.Span](flinkser.WithCodec(trace.TracesData), flinkser.RequireGenerated()); err == nil {
		t.Error("the codec of another type is taken")
	}
}

// TestCalls checks what the code of this module says that it calls: a codec for every type of another
// module in a field.
func TestCalls(t *testing.T) {
	for _, typ := range own() {
		var want []string
		fields := typ.Descriptor().Fields()
		for i := range fields.Len() {
			fd := fields.Get(i)
			if fd.IsMap() {
				fd = fd.MapValue()
			}
			md := fd.Message()
			if md == nil || md.ParentFile() == typ.Descriptor().ParentFile() {
				continue
			}
			if name := string(md.FullName()); !slices.Contains(want, name) {
				want = append(want, name)
			}
		}
		var got []string
		for _, c := range wire.CallsOf(typ.Zero().Interface()) {
			got = append(got, string(c.Message))
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s calls codecs for %v, want %v", typ.Descriptor().FullName(), got, want)
		}
	}
}
