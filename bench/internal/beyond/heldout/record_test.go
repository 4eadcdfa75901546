package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// recorder is where an exporter sends its batches.
type recorder struct{ frames bytes.Buffer }

func (*recorder) Start(context.Context) error { return nil }
func (*recorder) Stop(context.Context) error  { return nil }

func (r *recorder) UploadTraces(_ context.Context, spans []*tracepb.ResourceSpans) error {
	b, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans})
	if err != nil {
		return err
	}
	_, err = r.frames.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(b))), b...))
	return err
}

// record runs the SDK of OpenTelemetry as a program would that serves requests.
func record(ctx context.Context) ([]byte, error) {
	var r recorder
	exporter, err := otlptrace.New(ctx, &r)
	if err != nil {
		return nil, err
	}
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithResource(resource.NewSchemaless(
			attribute.String("service.name", "inventory"), attribute.String("service.version", "3.1.4"), attribute.Int("process.pid", 4242),
			attribute.StringSlice("process.command_args", []string{"inventory", "--listen", ":9090"}),
		)),
		sdktrace.WithBatcher(exporter, sdktrace.WithMaxExportBatchSize(40), sdktrace.WithBatchTimeout(time.Hour)),
	)
	tracers := []trace.Tracer{
		provider.Tracer("example.com/http", trace.WithInstrumentationVersion("1.2.0")), provider.Tracer("example.com/sql"), provider.Tracer("example.com/cache"),
	}
	for i := range 200 {
		request, span := tracers[0].Start(ctx, fmt.Sprintf("GET /items/%d", i%17), trace.WithSpanKind(trace.SpanKindServer))
		span.SetAttributes(
			attribute.String("http.request.method", "GET"), attribute.Int("http.response.status_code", 200+100*(i%4)),
			attribute.String("url.path", fmt.Sprintf("/items/%d", i*7919)), attribute.Bool("cached", i%3 == 0), attribute.Float64("load", float64(i)/7),
		)
		for q := range i % 4 {
			_, child := tracers[1+q%2].Start(request, "SELECT items", trace.WithSpanKind(trace.SpanKindClient))
			child.SetAttributes(attribute.String("db.query.text", "SELECT name, price FROM items WHERE id = $1"), attribute.Int64("db.rows", int64(q)))
			if q == 2 {
				child.RecordError(errors.New("connection reset by peer"))
				child.SetStatus(codes.Error, "connection reset by peer")
			}
			child.End()
		}
		span.AddEvent("rendered", trace.WithAttributes(attribute.IntSlice("sizes", []int{i, 2 * i})))
		span.End()
	}
	err = provider.Shutdown(ctx)
	return r.frames.Bytes(), err
}

// TestRecorded compares what is committed with a new recording: the numbers of batches and of spans, since
// times and IDs differ. With FLINKSER_RECORD=1 it writes the file.
func TestRecorded(t *testing.T) {
	fresh, err := record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("FLINKSER_RECORD") == "1" {
		if err := os.WriteFile("testdata/otlp.frames", fresh, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile("testdata/otlp.frames")
	if err != nil {
		t.Fatal(err)
	}
	gotBatches, gotSpans := count(t, committed)
	wantBatches, wantSpans := count(t, fresh)
	if gotSpans != wantSpans || gotBatches != wantBatches {
		t.Errorf("%d spans in %d batches are committed, %d in %d are recorded now", gotSpans, gotBatches, wantSpans, wantBatches)
	}
}

func count(t *testing.T, frames []byte) (batches, spans int) {
	t.Helper()
	for len(frames) > 4 {
		n := binary.BigEndian.Uint32(frames)
		var m tracepb.TracesData
		if err := proto.Unmarshal(frames[4:4+n], &m); err != nil {
			t.Fatal(err)
		}
		frames = frames[4+n:]
		batches++
		for _, rs := range m.ResourceSpans {
			for _, ss := range rs.ScopeSpans {
				spans += len(ss.Spans)
			}
		}
	}
	return batches, spans
}

// TestSamples looks whether every lane reads and writes every sample right.
func TestSamples(t *testing.T) {
	sets, err := samples()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sets {
		if len(s.payloads) < 5 {
			t.Errorf("%s has only %d records", s.name, len(s.payloads))
		}
		if err := s.check(); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
	}
}
