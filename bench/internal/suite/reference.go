package suite

import (
	"encoding/binary"
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// PrefixBytes is the length of the length before a payload.
const PrefixBytes = 4

// reference writes the frame of a logical value of this package as schema/bench.proto has it, with
// maps sorted. It is slow and plain, and the gate holds the lanes to it. The answer for any other
// type is nil.
func reference(v any) []byte {
	w := wire{make([]byte, PrefixBytes)}
	switch v := v.(type) {
	case *Record:
		w.record(v)
	case *Post:
		w.post(v)
	case *Batch:
		for i := range v.ResourceSpans {
			w.message(1, func(w *wire) { w.resourceSpans(&v.ResourceSpans[i]) })
		}
	case *Wide:
		w.wide(v)
	default:
		return nil
	}
	return PutPrefix(w.b)
}

// PutPrefix sets the first bytes of a frame to the length of the others and returns it.
func PutPrefix(frame []byte) []byte {
	binary.BigEndian.PutUint32(frame, uint32(len(frame)-PrefixBytes))
	return frame
}

// wire is a message that is being written. Its methods leave out what is zero.
type wire struct{ b []byte }

func (w *wire) tag(n protowire.Number, t protowire.Type) { w.b = protowire.AppendTag(w.b, n, t) }

func (w *wire) varint(n protowire.Number, v uint64) {
	if v != 0 {
		w.tag(n, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, v)
	}
}

func (w *wire) fixed32(n protowire.Number, v uint32) {
	if v != 0 {
		w.tag(n, protowire.Fixed32Type)
		w.b = protowire.AppendFixed32(w.b, v)
	}
}

func (w *wire) fixed64(n protowire.Number, v uint64) {
	if v != 0 {
		w.tag(n, protowire.Fixed64Type)
		w.b = protowire.AppendFixed64(w.b, v)
	}
}

func (w *wire) bytes(n protowire.Number, v []byte) {
	if len(v) > 0 {
		w.part(n, v)
	}
}

func (w *wire) text(n protowire.Number, v string) { w.bytes(n, []byte(v)) }

// part writes bytes even where there are none.
func (w *wire) part(n protowire.Number, v []byte) {
	w.tag(n, protowire.BytesType)
	w.b = protowire.AppendBytes(w.b, v)
}

func (w *wire) message(n protowire.Number, content func(*wire)) {
	var inner wire
	content(&inner)
	w.part(n, inner.b)
}

func (w *wire) record(r *Record) {
	w.varint(1, uint64(int64(r.ID)))
	w.varint(2, uint64(r.Timestamp))
	w.varint(3, protowire.EncodeBool(r.Active))
	w.text(4, r.Name)
	if r.Note != nil {
		w.part(5, []byte(*r.Note))
	}
	w.bytes(6, r.Payload)
	if r.Child != nil {
		w.message(7, func(w *wire) {
			w.varint(1, uint64(int64(r.Child.Code)))
			w.text(2, r.Child.Name)
		})
	}
	var packed []byte
	for _, v := range r.Values {
		packed = protowire.AppendVarint(packed, uint64(v))
	}
	w.bytes(8, packed)
	for _, e := range sorted(r.Attributes) {
		w.message(9, func(w *wire) {
			// Both parts of an entry are written, whatever they are.
			w.part(1, []byte(e.Key))
			w.tag(2, protowire.VarintType)
			w.b = protowire.AppendVarint(w.b, uint64(e.Value))
		})
	}
}

func (w *wire) post(p *Post) {
	w.text(1, p.ID)
	w.text(2, p.Author)
	w.text(3, p.Content)
	w.varint(4, uint64(p.Timestamp))
	for _, a := range p.Attachments {
		w.message(5, func(w *wire) {
			w.text(1, a.Type)
			w.text(2, a.URL)
		})
	}
	for _, l := range p.Likes {
		w.part(6, []byte(l))
	}
	for _, c := range p.Comments {
		w.message(7, func(w *wire) {
			w.text(1, c.ID)
			w.text(2, c.Commenter)
			w.text(3, c.Text)
			w.varint(4, uint64(c.Timestamp))
		})
	}
}

func (w *wire) resourceSpans(r *ResourceSpans) {
	if r.Resource != nil {
		w.message(1, func(w *wire) {
			w.attributes(1, r.Resource.Attributes)
			w.varint(2, uint64(r.Resource.DroppedAttributesCount))
		})
	}
	for i := range r.ScopeSpans {
		w.message(2, func(w *wire) { w.scopeSpans(&r.ScopeSpans[i]) })
	}
	w.text(3, r.SchemaURL)
}

func (w *wire) scopeSpans(s *ScopeSpans) {
	if s.Scope != nil {
		w.message(1, func(w *wire) {
			w.text(1, s.Scope.Name)
			w.text(2, s.Scope.Version)
			w.attributes(3, s.Scope.Attributes)
			w.varint(4, uint64(s.Scope.DroppedAttributesCount))
		})
	}
	for i := range s.Spans {
		w.message(2, func(w *wire) { w.span(&s.Spans[i]) })
	}
	w.text(3, s.SchemaURL)
}

func (w *wire) span(s *Span) {
	w.bytes(1, s.TraceID)
	w.bytes(2, s.SpanID)
	w.text(3, s.TraceState)
	w.bytes(4, s.ParentSpanID)
	w.text(5, s.Name)
	w.varint(6, uint64(int64(s.Kind)))
	w.fixed64(7, s.StartTimeUnixNano)
	w.fixed64(8, s.EndTimeUnixNano)
	w.attributes(9, s.Attributes)
	w.varint(10, uint64(s.DroppedAttributesCount))
	for _, e := range s.Events {
		w.message(11, func(w *wire) {
			w.fixed64(1, e.TimeUnixNano)
			w.text(2, e.Name)
			w.attributes(3, e.Attributes)
			w.varint(4, uint64(e.DroppedAttributesCount))
		})
	}
	w.varint(12, uint64(s.DroppedEventsCount))
	for _, l := range s.Links {
		w.message(13, func(w *wire) {
			w.bytes(1, l.TraceID)
			w.bytes(2, l.SpanID)
			w.text(3, l.TraceState)
			w.attributes(4, l.Attributes)
			w.varint(5, uint64(l.DroppedAttributesCount))
			w.fixed32(6, l.Flags)
		})
	}
	w.varint(14, uint64(s.DroppedLinksCount))
	if s.Status != nil {
		w.message(15, func(w *wire) {
			w.text(2, s.Status.Message)
			w.varint(3, uint64(int64(s.Status.Code)))
		})
	}
	w.fixed32(16, s.Flags)
}

func (w *wire) attributes(n protowire.Number, all []KeyValue) {
	for _, kv := range all {
		w.message(n, func(w *wire) {
			w.text(1, kv.Key)
			if kv.Value != nil {
				w.message(2, func(w *wire) { w.value(kv.Value) })
			}
		})
	}
}

// value writes the member of a oneof, which is there even where it is zero.
func (w *wire) value(v *AnyValue) {
	switch v.Kind {
	case StringValue:
		w.part(1, []byte(v.String))
	case BoolValue:
		w.tag(2, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, protowire.EncodeBool(v.Bool))
	case IntValue:
		w.tag(3, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, uint64(v.Int))
	case DoubleValue:
		w.tag(4, protowire.Fixed64Type)
		w.b = protowire.AppendFixed64(w.b, math.Float64bits(v.Double))
	case ArrayValue:
		w.message(5, func(w *wire) {
			for i := range v.Array {
				w.message(1, func(w *wire) { w.value(&v.Array[i]) })
			}
		})
	}
}

// canonical returns a frame with the entries of field 9, which is the map of a Record, in the
// order of their bytes. Frames that are damaged, and those of other types, are returned as they
// are.
func canonical(v any, frame []byte) []byte {
	if _, ok := v.(*Record); !ok || len(frame) < PrefixBytes {
		return frame
	}
	var before, entries, after [][]byte
	for rest := frame[PrefixBytes:]; len(rest) > 0; {
		number, _, n := protowire.ConsumeField(rest)
		switch {
		case n < 0:
			return frame
		case number < 9:
			before = append(before, rest[:n])
		case number == 9:
			entries = append(entries, rest[:n])
		default:
			after = append(after, rest[:n])
		}
		rest = rest[n:]
	}
	slices.SortFunc(entries, slices.Compare)
	return slices.Concat(frame[:PrefixBytes], slices.Concat(before...), slices.Concat(entries...), slices.Concat(after...))
}
