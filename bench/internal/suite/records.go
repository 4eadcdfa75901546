package suite

import (
	"math"
	"strconv"

	"github.com/flinkser/flinkser/bench/internal/traces"
	common "github.com/flinkser/flinkser/bench/otlp/common/v1"
	trace "github.com/flinkser/flinkser/bench/otlp/trace/v1"
	"github.com/flinkser/flinkser/internal/corpus"
)

// Size is the number of records in a workload.
const Size = corpus.Size

// The workloads, in the order of reports.
const (
	Scalar      = "scalar"
	Text        = "text"
	Nested      = "nested"
	Collections = "collections"
	Large       = "large"
	Social      = corpus.Social
	Traces      = "traces"
	WideFields  = "wide"
)

// Workloads returns the names of the workloads in the order of reports.
func Workloads() []string {
	return []string{Scalar, Text, Nested, Collections, Large, Social, Traces, WideFields}
}

// RecordWorkloads returns the names of those whose records are of the type Record.
func RecordWorkloads() []string { return corpus.Workloads() }

// Records returns a function that makes the records of one of RecordWorkloads. The values belong
// to its caller.
func Records(workload string) func() []Record {
	return func() []Record {
		var all []Record
		for _, m := range corpus.Records(workload) {
			r := Record{
				ID: m.Id, Timestamp: m.Timestamp, Active: m.Active, Name: m.Name, Note: m.Note, Payload: m.Payload, Values: m.Values,
				Child: &Child{Code: m.Child.Code, Name: m.Child.Name},
			}
			// The corpus inserts them in this order.
			for k := len(m.Attributes) - 1; k >= 0; k-- {
				key := "key-" + strconv.Itoa(k)
				r.Attributes = append(r.Attributes, Entry{key, m.Attributes[key]})
			}
			all = append(all, r)
		}
		return all
	}
}

// Posts makes the records of the workload social.
func Posts() []Post {
	var all []Post
	for _, m := range corpus.Posts() {
		p := Post{ID: m.PostId, Author: m.AuthorId, Content: m.Content, Timestamp: m.Timestamp, Likes: m.Likes}
		for _, a := range m.MediaAttachments {
			p.Attachments = append(p.Attachments, Attachment{Type: a.Type, URL: a.Url})
		}
		for _, c := range m.Comments {
			p.Comments = append(p.Comments, Comment{ID: c.CommentId, Commenter: c.CommenterId, Text: c.CommentText, Timestamp: c.Timestamp})
		}
		all = append(all, p)
	}
	return all
}

// Batches makes the records of the workload traces.
func Batches() []Batch {
	var all []Batch
	for _, m := range traces.Make(Size) {
		all = append(all, Batch{ResourceSpans: each(m.ResourceSpans, resourceSpans)})
	}
	return all
}

// each applies f to all elements.
func each[A, B any](list []A, f func(A) B) []B {
	var all []B
	for _, v := range list {
		all = append(all, f(v))
	}
	return all
}

func resourceSpans(m *trace.ResourceSpans) ResourceSpans {
	return ResourceSpans{
		Resource:   &Resource{Attributes: each(m.Resource.Attributes, keyValue)},
		ScopeSpans: each(m.ScopeSpans, scopeSpans),
		SchemaURL:  m.SchemaUrl,
	}
}

func scopeSpans(m *trace.ScopeSpans) ScopeSpans {
	return ScopeSpans{
		Scope: &Scope{Name: m.Scope.Name, Version: m.Scope.Version, Attributes: each(m.Scope.Attributes, keyValue)},
		Spans: each(m.Spans, span), SchemaURL: m.SchemaUrl,
	}
}

func span(m *trace.Span) Span {
	return Span{
		TraceID: m.TraceId, SpanID: m.SpanId, TraceState: m.TraceState, ParentSpanID: m.ParentSpanId, Flags: m.Flags,
		Name: m.Name, Kind: int32(m.Kind), StartTimeUnixNano: m.StartTimeUnixNano, EndTimeUnixNano: m.EndTimeUnixNano,
		Attributes: each(m.Attributes, keyValue), DroppedAttributesCount: m.DroppedAttributesCount,
		Events: each(m.Events, event), DroppedEventsCount: m.DroppedEventsCount,
		Links: each(m.Links, link), DroppedLinksCount: m.DroppedLinksCount,
		Status: &Status{Message: m.Status.Message, Code: int32(m.Status.Code)},
	}
}

func event(m *trace.Span_Event) Event {
	return Event{
		TimeUnixNano: m.TimeUnixNano, Name: m.Name,
		Attributes: each(m.Attributes, keyValue), DroppedAttributesCount: m.DroppedAttributesCount,
	}
}

func link(m *trace.Span_Link) Link {
	return Link{
		TraceID: m.TraceId, SpanID: m.SpanId, TraceState: m.TraceState, Flags: m.Flags,
		Attributes: each(m.Attributes, keyValue), DroppedAttributesCount: m.DroppedAttributesCount,
	}
}

func keyValue(m *common.KeyValue) KeyValue {
	v := anyValue(m.Value)
	return KeyValue{Key: m.Key, Value: &v}
}

func anyValue(m *common.AnyValue) AnyValue {
	switch v := m.Value.(type) {
	case *common.AnyValue_StringValue:
		return AnyValue{Kind: StringValue, String: v.StringValue}
	case *common.AnyValue_BoolValue:
		return AnyValue{Kind: BoolValue, Bool: v.BoolValue}
	case *common.AnyValue_IntValue:
		return AnyValue{Kind: IntValue, Int: v.IntValue}
	case *common.AnyValue_DoubleValue:
		return AnyValue{Kind: DoubleValue, Double: v.DoubleValue}
	case *common.AnyValue_ArrayValue:
		return AnyValue{Kind: ArrayValue, Array: each(v.ArrayValue.Values, anyValue)}
	}
	return AnyValue{}
}

// Wides makes the records of the workload wide: every sixth field is set.
func Wides() []Wide {
	all := make([]Wide, Size)
	for i := range all {
		n := int64(i) + 1
		text := "wide-value"
		all[i] = Wide{
			F2: ptr(n), F8: ptr(uint32(n)), F14: ptr(-int32(n)), F20: ptr(1_700_000_000_000 + n), F26: &text,
			F32: ptr(n), F38: ptr(uint32(n)), F44: ptr(-int32(n)), F50: ptr(1_700_000_000_000 + n), F56: &text,
		}
	}
	return all
}

func ptr[T any](v T) *T { return &v }

// edges returns values that the gate checks beside those that are measured: what is easily lost.
// There are none for types that it does not know.
func edges[L any]() []L {
	var all []L
	add := func(v any) {
		if l, ok := v.(L); ok {
			all = append(all, l)
		}
	}
	add(Record{Child: &Child{}})
	add(Record{
		ID: math.MinInt32, Timestamp: math.MinInt64, Active: true, Name: "\x00\U0010ffff", Note: ptr(""), Payload: []byte{0},
		Child: &Child{Code: math.MaxInt32, Name: "é"}, Values: []int64{0, -1, math.MaxInt64, math.MinInt64},
		Attributes: []Entry{{"z", math.MinInt64}, {"é", 1}, {"a", 0}, {"", 0}},
	})
	add(Post{})
	add(Post{ID: "é", Timestamp: -1, Attachments: []Attachment{{}, {URL: "u"}}, Likes: []string{"", "日本語", ""}, Comments: []Comment{{}, {Timestamp: math.MinInt64}}})
	add(Batch{})
	add(Batch{ResourceSpans: []ResourceSpans{{}, edgeSpans()}})
	add(Wide{})
	add(Wide{
		F1: ptr(uint64(0)), F3: ptr(uint32(math.MaxUint32)), F4: ptr(int32(-1)), F5: ptr(int64(math.MinInt64)), F6: ptr(uint64(math.MaxUint64)),
		F7: ptr(int32(-1)), F9: ptr(int64(0)), F10: ptr(false), F11: ptr(""), F12: ptr(int64(math.MinInt64)), F13: ptr(math.Copysign(0, -1)),
		F15: ptr(float32(math.Copysign(0, -1))), F28: ptr(math.SmallestNonzeroFloat64), F30: ptr(float32(math.MaxFloat32)), F58: ptr(0.), F60: ptr(float32(0)),
	})
	return all
}

// edgeSpans holds an attribute of each kind, the negative zero among them, and parts that are
// empty but there.
func edgeSpans() ResourceSpans {
	values := []AnyValue{
		{},
		{Kind: StringValue},
		{Kind: BoolValue},
		{Kind: IntValue},
		{Kind: DoubleValue},
		{Kind: DoubleValue, Double: math.Copysign(0, -1)},
		{Kind: ArrayValue},
		{Kind: IntValue, Int: math.MinInt64},
	}
	s := Span{Flags: math.MaxUint32, Kind: 5, EndTimeUnixNano: math.MaxUint64, Status: &Status{}, DroppedLinksCount: 1, Events: []Event{{}}, Links: []Link{{Flags: 1}}}
	for i := range values {
		s.Attributes = append(s.Attributes, KeyValue{Key: "k", Value: &values[i]})
	}
	s.Attributes = append(s.Attributes, KeyValue{Key: "all", Value: &AnyValue{Kind: ArrayValue, Array: append(values, AnyValue{Kind: ArrayValue, Array: values})}}, KeyValue{})
	return ResourceSpans{Resource: &Resource{DroppedAttributesCount: 7}, ScopeSpans: []ScopeSpans{{Scope: &Scope{}, Spans: []Span{s, {}}}}}
}
