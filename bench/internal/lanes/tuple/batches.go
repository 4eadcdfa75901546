package tuple

import "github.com/flinkser/flinkser/bench/internal/lanes/plain"

// The least numbers of bytes that messages take, for lists of them.
const (
	leastKeyValue   = 4 + 1
	leastAnyValue   = 1
	leastEvent      = 8 + 4 + 4 + 4
	leastLink       = 4 + 4 + 4 + 4 + 4 + 4
	leastSpan       = 4*4 + 4 + 4 + 4 + 8 + 8 + 3*(4+4) + 1
	leastScopeSpans = 1 + 4 + 4
	leastResource   = 1 + 4 + 4
)

func (w *writer) batch(m *plain.Batch) {
	writeEach(w, m.ResourceSpans, (*writer).resourceSpans)
}

func (r *reader) batch(m *plain.Batch) {
	m.ResourceSpans = readEach(r, m.ResourceSpans, leastResource, (*reader).resourceSpans)
}

func (w *writer) resourceSpans(m *plain.ResourceSpans) {
	writePart(w, m.Resource, (*writer).resource)
	writeEach(w, m.ScopeSpans, (*writer).scopeSpans)
	w.text(m.SchemaURL)
}

func (r *reader) resourceSpans(m *plain.ResourceSpans) {
	m.Resource = readPart(r, m.Resource, (*reader).resource)
	m.ScopeSpans = readEach(r, m.ScopeSpans, leastScopeSpans, (*reader).scopeSpans)
	m.SchemaURL = r.text()
}

func (w *writer) resource(m *plain.Resource) {
	writeEach(w, m.Attributes, (*writer).keyValue)
	w.u32(m.DroppedAttributesCount)
}

func (r *reader) resource(m *plain.Resource) {
	m.Attributes = readEach(r, m.Attributes, leastKeyValue, (*reader).keyValue)
	m.DroppedAttributesCount = r.u32()
}

func (w *writer) scopeSpans(m *plain.ScopeSpans) {
	writePart(w, m.Scope, (*writer).scope)
	writeEach(w, m.Spans, (*writer).span)
	w.text(m.SchemaURL)
}

func (r *reader) scopeSpans(m *plain.ScopeSpans) {
	m.Scope = readPart(r, m.Scope, (*reader).scope)
	m.Spans = readEach(r, m.Spans, leastSpan, (*reader).span)
	m.SchemaURL = r.text()
}

func (w *writer) scope(m *plain.Scope) {
	w.text(m.Name)
	w.text(m.Version)
	writeEach(w, m.Attributes, (*writer).keyValue)
	w.u32(m.DroppedAttributesCount)
}

func (r *reader) scope(m *plain.Scope) {
	m.Name = r.text()
	m.Version = r.text()
	m.Attributes = readEach(r, m.Attributes, leastKeyValue, (*reader).keyValue)
	m.DroppedAttributesCount = r.u32()
}

func (w *writer) span(m *plain.Span) {
	w.bytes(m.TraceID)
	w.bytes(m.SpanID)
	w.text(m.TraceState)
	w.bytes(m.ParentSpanID)
	w.u32(m.Flags)
	w.text(m.Name)
	w.i32(m.Kind)
	w.u64(m.StartTimeUnixNano)
	w.u64(m.EndTimeUnixNano)
	writeEach(w, m.Attributes, (*writer).keyValue)
	w.u32(m.DroppedAttributesCount)
	writeEach(w, m.Events, (*writer).event)
	w.u32(m.DroppedEventsCount)
	writeEach(w, m.Links, (*writer).link)
	w.u32(m.DroppedLinksCount)
	writePart(w, m.Status, (*writer).status)
}

func (r *reader) span(m *plain.Span) {
	m.TraceID = r.bytes(m.TraceID)
	m.SpanID = r.bytes(m.SpanID)
	m.TraceState = r.text()
	m.ParentSpanID = r.bytes(m.ParentSpanID)
	m.Flags = r.u32()
	m.Name = r.text()
	m.Kind = r.i32()
	m.StartTimeUnixNano = r.u64()
	m.EndTimeUnixNano = r.u64()
	m.Attributes = readEach(r, m.Attributes, leastKeyValue, (*reader).keyValue)
	m.DroppedAttributesCount = r.u32()
	m.Events = readEach(r, m.Events, leastEvent, (*reader).event)
	m.DroppedEventsCount = r.u32()
	m.Links = readEach(r, m.Links, leastLink, (*reader).link)
	m.DroppedLinksCount = r.u32()
	m.Status = readPart(r, m.Status, (*reader).status)
}

func (w *writer) event(m *plain.Event) {
	w.u64(m.TimeUnixNano)
	w.text(m.Name)
	writeEach(w, m.Attributes, (*writer).keyValue)
	w.u32(m.DroppedAttributesCount)
}

func (r *reader) event(m *plain.Event) {
	m.TimeUnixNano = r.u64()
	m.Name = r.text()
	m.Attributes = readEach(r, m.Attributes, leastKeyValue, (*reader).keyValue)
	m.DroppedAttributesCount = r.u32()
}

func (w *writer) link(m *plain.Link) {
	w.bytes(m.TraceID)
	w.bytes(m.SpanID)
	w.text(m.TraceState)
	writeEach(w, m.Attributes, (*writer).keyValue)
	w.u32(m.DroppedAttributesCount)
	w.u32(m.Flags)
}

func (r *reader) link(m *plain.Link) {
	m.TraceID = r.bytes(m.TraceID)
	m.SpanID = r.bytes(m.SpanID)
	m.TraceState = r.text()
	m.Attributes = readEach(r, m.Attributes, leastKeyValue, (*reader).keyValue)
	m.DroppedAttributesCount = r.u32()
	m.Flags = r.u32()
}

func (w *writer) status(m *plain.Status) {
	w.text(m.Message)
	w.i32(m.Code)
}

func (r *reader) status(m *plain.Status) {
	m.Message = r.text()
	m.Code = r.i32()
}

func (w *writer) keyValue(m *plain.KeyValue) {
	w.text(m.Key)
	writePart(w, m.Value, (*writer).anyValue)
}

func (r *reader) keyValue(m *plain.KeyValue) {
	m.Key = r.text()
	m.Value = readPart(r, m.Value, (*reader).anyValue)
}

// The kinds of a value.
const (
	noValue = iota
	stringValue
	boolValue
	intValue
	doubleValue
	arrayValue
)

func (w *writer) anyValue(m *plain.AnyValue) {
	switch {
	case m.String != nil:
		w.b = append(w.b, stringValue)
		w.text(*m.String)
	case m.Bool != nil:
		w.b = append(w.b, boolValue)
		w.bool(*m.Bool)
	case m.Int != nil:
		w.b = append(w.b, intValue)
		w.i64(*m.Int)
	case m.Double != nil:
		w.b = append(w.b, doubleValue)
		w.double(*m.Double)
	case m.Array != nil:
		w.b = append(w.b, arrayValue)
		writeEach(w, m.Array.Values, (*writer).anyValue)
	default:
		w.b = append(w.b, noValue)
	}
}

func (r *reader) anyValue(m *plain.AnyValue) {
	old := *m
	*m = plain.AnyValue{}
	kind := r.take(1)
	if kind == nil {
		return
	}
	switch kind[0] {
	case noValue:
	case stringValue:
		m.String = keep(old.String)
		*m.String = r.text()
	case boolValue:
		m.Bool = keep(old.Bool)
		*m.Bool = r.bool()
	case intValue:
		m.Int = keep(old.Int)
		*m.Int = r.i64()
	case doubleValue:
		m.Double = keep(old.Double)
		*m.Double = r.double()
	case arrayValue:
		m.Array = keep(old.Array)
		m.Array.Values = readEach(r, m.Array.Values, leastAnyValue, (*reader).anyValue)
	default:
		r.short, r.b = true, nil // nothing that was written looks like this
	}
}

// keep returns p, or new memory where there is none.
func keep[T any](p *T) *T {
	if p == nil {
		return new(T)
	}
	return p
}
