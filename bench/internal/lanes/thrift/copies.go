package thrift

import (
	"maps"

	"github.com/flinkser/flinkser/bench/internal/lanes/internal/form"
	"github.com/flinkser/flinkser/bench/internal/lanes/thrift/thriftgen"
)

// The library has no copies. These are written by hand, onto values that may hold something, whose
// memory they use.

func copyRecord(dst, src *thriftgen.Record) {
	old := *dst
	*dst = *src
	dst.Note = form.Pointer(old.Note, src.Note)
	dst.Payload = append(old.Payload[:0], src.Payload...)
	dst.Child = form.Pointer(old.Child, src.Child)
	dst.Values = append(old.Values[:0], src.Values...)
	if dst.Attributes = old.Attributes; dst.Attributes == nil {
		dst.Attributes = maps.Clone(src.Attributes)
		return
	}
	clear(dst.Attributes)
	maps.Copy(dst.Attributes, src.Attributes)
}

// copyList copies a list of messages over another one.
func copyList[T any](dst, src []*T, f func(dst, src *T)) []*T {
	if len(src) == 0 {
		return dst[:0]
	}
	if cap(dst) < len(src) {
		dst = append(make([]*T, 0, len(src)), dst[:cap(dst)]...)
	}
	dst = dst[:len(src)]
	for i, s := range src {
		dst[i] = form.Part(dst[i], s, f)
	}
	return dst
}

// shallow copies a message that points to nothing.
func shallow[T any](dst, src *T) { *dst = *src }

func copyPost(dst, src *thriftgen.Post) {
	old := *dst
	*dst = *src
	dst.Attachments = copyList(old.Attachments, src.Attachments, shallow)
	dst.Likes = append(old.Likes[:0], src.Likes...)
	dst.Comments = copyList(old.Comments, src.Comments, shallow)
}

func copyBatch(dst, src *thriftgen.Batch) {
	dst.ResourceSpans = copyList(dst.ResourceSpans, src.ResourceSpans, copyResourceSpans)
}

func copyResourceSpans(dst, src *thriftgen.ResourceSpans) {
	dst.Resource = form.Part(dst.Resource, src.Resource, copyResource)
	dst.ScopeSpans = copyList(dst.ScopeSpans, src.ScopeSpans, copyScopeSpans)
	dst.SchemaURL = src.SchemaURL
}

func copyResource(dst, src *thriftgen.Resource) {
	dst.Attributes = copyList(dst.Attributes, src.Attributes, copyKeyValue)
	dst.DroppedAttributesCount = src.DroppedAttributesCount
}

func copyScopeSpans(dst, src *thriftgen.ScopeSpans) {
	dst.Scope = form.Part(dst.Scope, src.Scope, copyScope)
	dst.Spans = copyList(dst.Spans, src.Spans, copySpan)
	dst.SchemaURL = src.SchemaURL
}

func copyScope(dst, src *thriftgen.Scope) {
	attributes := dst.Attributes
	*dst = *src
	dst.Attributes = copyList(attributes, src.Attributes, copyKeyValue)
}

func copySpan(dst, src *thriftgen.Span) {
	old := *dst
	*dst = *src
	dst.TraceID = append(old.TraceID[:0], src.TraceID...)
	dst.SpanID = append(old.SpanID[:0], src.SpanID...)
	dst.ParentSpanID = append(old.ParentSpanID[:0], src.ParentSpanID...)
	dst.Attributes = copyList(old.Attributes, src.Attributes, copyKeyValue)
	dst.Events = copyList(old.Events, src.Events, copyEvent)
	dst.Links = copyList(old.Links, src.Links, copyLink)
	dst.Status = form.Pointer(old.Status, src.Status)
}

func copyEvent(dst, src *thriftgen.Event) {
	attributes := dst.Attributes
	*dst = *src
	dst.Attributes = copyList(attributes, src.Attributes, copyKeyValue)
}

func copyLink(dst, src *thriftgen.Link) {
	old := *dst
	*dst = *src
	dst.TraceID = append(old.TraceID[:0], src.TraceID...)
	dst.SpanID = append(old.SpanID[:0], src.SpanID...)
	dst.Attributes = copyList(old.Attributes, src.Attributes, copyKeyValue)
}

func copyKeyValue(dst, src *thriftgen.KeyValue) {
	dst.Key = src.Key
	dst.Value = form.Part(dst.Value, src.Value, copyAnyValue)
}

func copyAnyValue(dst, src *thriftgen.AnyValue) {
	dst.StringValue = form.Pointer(dst.StringValue, src.StringValue)
	dst.BoolValue = form.Pointer(dst.BoolValue, src.BoolValue)
	dst.IntValue = form.Pointer(dst.IntValue, src.IntValue)
	dst.DoubleValue = form.Pointer(dst.DoubleValue, src.DoubleValue)
	dst.ArrayValue = form.Part(dst.ArrayValue, src.ArrayValue, copyArrayValue)
}

func copyArrayValue(dst, src *thriftgen.ArrayValue) {
	dst.Values = copyList(dst.Values, src.Values, copyAnyValue)
}
