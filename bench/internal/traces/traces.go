// Package traces makes the batches of the workload traces: messages of OTLP as an exporter
// sends them, made from a fixed seed.
package traces

import (
	"fmt"

	common "github.com/flinkser/flinkser/bench/otlp/common/v1"
	resource "github.com/flinkser/flinkser/bench/otlp/resource/v1"
	trace "github.com/flinkser/flinkser/bench/otlp/trace/v1"
	"github.com/flinkser/flinkser/internal/corpus"
)

// Size is the number of batches: 2400 messages, which stay in the second-level cache of one
// core, as do the records of the other workloads except large. A batch is serialized when it
// has just been made.
const Size = 8

const (
	scopes = 2 // in a batch
	spans  = 8 // in a scope

	start = 1_700_000_000_000_000_000 // nanoseconds since 1970-01-01 UTC
)

// Batches returns Size batches. They are made anew by each call and belong to the
// caller.
func Batches() []*trace.TracesData { return Make(Size) }

// Make returns n batches, the first ones of which are those of Batches.
func Make(n int) []*trace.TracesData {
	all := make([]*trace.TracesData, n)
	for i := range all {
		all[i] = batch(i)
	}
	return all
}

// batch makes batch i: what one process has to say about the requests that it served. The
// order of the draws is part of the workload.
func batch(i int) *trace.TracesData {
	r := corpus.NewJavaRandom(corpus.Seed + int64(i))
	rs := &trace.ResourceSpans{
		Resource: &resource.Resource{Attributes: []*common.KeyValue{
			text("service.name", "checkout"),
			text("service.version", "1.2.3"),
			text("host.name", fmt.Sprintf("host-%d.eu-west-1.internal", i)),
			text("telemetry.sdk.language", "go"),
			number("process.pid", int64(1000+i)),
			pair("process.command_args", &common.AnyValue{Value: &common.AnyValue_ArrayValue{ArrayValue: &common.ArrayValue{
				Values: []*common.AnyValue{text("", "/bin/checkout").Value, text("", "--listen=:8080").Value},
			}}}),
		}},
		SchemaUrl: "https://opentelemetry.io/schemas/1.26.0",
	}
	for range scopes {
		ss := &trace.ScopeSpans{Scope: &common.InstrumentationScope{
			Name: "go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp", Version: "0.54.0",
		}}
		id := r.Bytes(16)
		for n := range spans {
			ss.Spans = append(ss.Spans, span(r, id, n))
		}
		rs.ScopeSpans = append(rs.ScopeSpans, ss)
	}
	return &trace.TracesData{ResourceSpans: []*trace.ResourceSpans{rs}}
}

// span makes span n of a scope. The first one has no parent; every fourth one has failed, and
// every eighth one is linked to another.
func span(r *corpus.JavaRandom, id []byte, n int) *trace.Span {
	begin := start + uint64(n)*12345
	s := &trace.Span{
		TraceId:           id,
		SpanId:            r.Bytes(8),
		Flags:             257,
		Name:              "HTTP GET /api/v1/orders/{id}",
		Kind:              trace.Span_SpanKind(1 + n%3),
		StartTimeUnixNano: begin,
		EndTimeUnixNano:   begin + uint64(r.Intn(5_000_000)),
		Attributes: []*common.KeyValue{
			text("http.method", "GET"),
			number("http.status_code", 200),
			text("http.url", fmt.Sprintf("https://shop.example.com/api/v1/orders/%d", r.Intn(100_000))),
			number("net.peer.port", 443),
			pair("http.retry", &common.AnyValue{Value: &common.AnyValue_BoolValue{BoolValue: n%2 == 0}}),
			pair("sampling.p", &common.AnyValue{Value: &common.AnyValue_DoubleValue{DoubleValue: .125}}),
			text("enduser.id", r.Letters(12)),
		},
		Status: &trace.Status{Code: trace.Status_STATUS_CODE_OK},
	}
	if n > 0 {
		s.ParentSpanId = r.Bytes(8)
	}
	if n%4 == 1 {
		s.Events = []*trace.Span_Event{{
			TimeUnixNano: s.EndTimeUnixNano,
			Name:         "exception",
			Attributes:   []*common.KeyValue{text("exception.type", "io.EOF"), text("exception.message", "unexpected end "+r.Letters(10))},
		}}
		s.Status = &trace.Status{Code: trace.Status_STATUS_CODE_ERROR, Message: "upstream has closed the connection"}
	}
	if n%8 == 2 {
		s.Links = []*trace.Span_Link{{TraceId: r.Bytes(16), SpanId: r.Bytes(8), TraceState: "vendor=" + r.Letters(4)}}
	}
	return s
}

func pair(key string, v *common.AnyValue) *common.KeyValue {
	return &common.KeyValue{Key: key, Value: v}
}

func text(key, value string) *common.KeyValue {
	return pair(key, &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: value}})
}

func number(key string, value int64) *common.KeyValue {
	return pair(key, &common.AnyValue{Value: &common.AnyValue_IntValue{IntValue: value}})
}
