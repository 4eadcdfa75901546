package easyproto

import (
	"github.com/VictoriaMetrics/easyproto"

	"github.com/flinkser/flinkser/bench/internal/lanes/plain"
)

func marshalBatch(w *easyproto.MessageMarshaler, m *plain.Batch) {
	for i := range m.ResourceSpans {
		marshalResourceSpans(w.AppendMessage(1), &m.ResourceSpans[i])
	}
}

func marshalResourceSpans(w *easyproto.MessageMarshaler, m *plain.ResourceSpans) {
	if m.Resource != nil {
		r := w.AppendMessage(1)
		marshalKeyValues(r, 1, m.Resource.Attributes)
		appendCount(r, 2, m.Resource.DroppedAttributesCount)
	}
	for i := range m.ScopeSpans {
		marshalScopeSpans(w.AppendMessage(2), &m.ScopeSpans[i])
	}
	appendText(w, 3, m.SchemaURL)
}

// appendCount writes a number unless it is 0.
func appendCount(w *easyproto.MessageMarshaler, n, count uint32) {
	if count != 0 {
		w.AppendUint32(n, count)
	}
}

// appendBytes writes bytes unless there are none.
func appendBytes(w *easyproto.MessageMarshaler, n uint32, b []byte) {
	if len(b) > 0 {
		w.AppendBytes(n, b)
	}
}

// appendTime writes a time unless it is 0.
func appendTime(w *easyproto.MessageMarshaler, n uint32, t uint64) {
	if t != 0 {
		w.AppendFixed64(n, t)
	}
}

func marshalScopeSpans(w *easyproto.MessageMarshaler, m *plain.ScopeSpans) {
	if m.Scope != nil {
		s := w.AppendMessage(1)
		appendText(s, 1, m.Scope.Name)
		appendText(s, 2, m.Scope.Version)
		marshalKeyValues(s, 3, m.Scope.Attributes)
		appendCount(s, 4, m.Scope.DroppedAttributesCount)
	}
	for i := range m.Spans {
		marshalSpan(w.AppendMessage(2), &m.Spans[i])
	}
	appendText(w, 3, m.SchemaURL)
}

func marshalSpan(w *easyproto.MessageMarshaler, m *plain.Span) {
	appendBytes(w, 1, m.TraceID)
	appendBytes(w, 2, m.SpanID)
	appendText(w, 3, m.TraceState)
	appendBytes(w, 4, m.ParentSpanID)
	appendText(w, 5, m.Name)
	if m.Kind != 0 {
		appendInt32(w, 6, m.Kind)
	}
	appendTime(w, 7, m.StartTimeUnixNano)
	appendTime(w, 8, m.EndTimeUnixNano)
	marshalKeyValues(w, 9, m.Attributes)
	appendCount(w, 10, m.DroppedAttributesCount)
	for i := range m.Events {
		marshalEvent(w.AppendMessage(11), &m.Events[i])
	}
	appendCount(w, 12, m.DroppedEventsCount)
	for i := range m.Links {
		marshalLink(w.AppendMessage(13), &m.Links[i])
	}
	appendCount(w, 14, m.DroppedLinksCount)
	if m.Status != nil {
		s := w.AppendMessage(15)
		appendText(s, 2, m.Status.Message)
		if m.Status.Code != 0 {
			appendInt32(s, 3, m.Status.Code)
		}
	}
	if m.Flags != 0 {
		w.AppendFixed32(16, m.Flags)
	}
}

func marshalEvent(w *easyproto.MessageMarshaler, m *plain.Event) {
	appendTime(w, 1, m.TimeUnixNano)
	appendText(w, 2, m.Name)
	marshalKeyValues(w, 3, m.Attributes)
	appendCount(w, 4, m.DroppedAttributesCount)
}

func marshalLink(w *easyproto.MessageMarshaler, m *plain.Link) {
	appendBytes(w, 1, m.TraceID)
	appendBytes(w, 2, m.SpanID)
	appendText(w, 3, m.TraceState)
	marshalKeyValues(w, 4, m.Attributes)
	appendCount(w, 5, m.DroppedAttributesCount)
	if m.Flags != 0 {
		w.AppendFixed32(6, m.Flags)
	}
}

func marshalKeyValues(w *easyproto.MessageMarshaler, n uint32, list []plain.KeyValue) {
	for i := range list {
		kv := w.AppendMessage(n)
		appendText(kv, 1, list[i].Key)
		if v := list[i].Value; v != nil {
			marshalAnyValue(kv.AppendMessage(2), v)
		}
	}
}

func marshalAnyValue(w *easyproto.MessageMarshaler, m *plain.AnyValue) {
	switch {
	case m.String != nil:
		w.AppendString(1, *m.String)
	case m.Bool != nil:
		w.AppendBool(2, *m.Bool)
	case m.Int != nil:
		w.AppendInt64(3, *m.Int)
	case m.Double != nil:
		w.AppendDouble(4, *m.Double)
	case m.Array != nil:
		array := w.AppendMessage(5)
		for i := range m.Array.Values {
			marshalAnyValue(array.AppendMessage(1), &m.Array.Values[i])
		}
	}
}

func (r reader) batch(m *plain.Batch, src []byte) error {
	m.ResourceSpans = m.ResourceSpans[:0]
	var fc easyproto.FieldContext
	for len(src) > 0 {
		var err error
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		if fc.FieldNum == 1 {
			if err := part(&fc, again(&m.ResourceSpans), r.resourceSpans); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r reader) resourceSpans(m *plain.ResourceSpans, src []byte) error {
	*m = plain.ResourceSpans{ScopeSpans: m.ScopeSpans[:0]}
	var fc easyproto.FieldContext
	for len(src) > 0 {
		var err error
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		switch fc.FieldNum {
		case 1:
			m.Resource = new(plain.Resource)
			err = part(&fc, m.Resource, r.resource)
		case 2:
			err = part(&fc, again(&m.ScopeSpans), r.scopeSpans)
		case 3:
			err = check(r.text(&fc, &m.SchemaURL))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// check returns an error where ok is false.
func check(ok bool) error {
	if !ok {
		return errField
	}
	return nil
}

func (r reader) resource(m *plain.Resource, src []byte) error {
	var fc easyproto.FieldContext
	for len(src) > 0 {
		var err error
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		switch fc.FieldNum {
		case 1:
			err = part(&fc, again(&m.Attributes), r.keyValue)
		case 2:
			n, ok := fc.Uint32()
			m.DroppedAttributesCount, err = n, check(ok)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r reader) scopeSpans(m *plain.ScopeSpans, src []byte) error {
	*m = plain.ScopeSpans{Spans: m.Spans[:0]}
	var fc easyproto.FieldContext
	for len(src) > 0 {
		var err error
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		switch fc.FieldNum {
		case 1:
			m.Scope = new(plain.Scope)
			err = part(&fc, m.Scope, r.scope)
		case 2:
			err = part(&fc, again(&m.Spans), r.span)
		case 3:
			err = check(r.text(&fc, &m.SchemaURL))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r reader) scope(m *plain.Scope, src []byte) error {
	var fc easyproto.FieldContext
	for len(src) > 0 {
		var err error
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		switch fc.FieldNum {
		case 1:
			err = check(r.text(&fc, &m.Name))
		case 2:
			err = check(r.text(&fc, &m.Version))
		case 3:
			err = part(&fc, again(&m.Attributes), r.keyValue)
		case 4:
			n, ok := fc.Uint32()
			m.DroppedAttributesCount, err = n, check(ok)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r reader) span(m *plain.Span, src []byte) error {
	*m = plain.Span{
		TraceID: r.old(m.TraceID), SpanID: r.old(m.SpanID), ParentSpanID: r.old(m.ParentSpanID),
		Attributes: m.Attributes[:0], Events: m.Events[:0], Links: m.Links[:0],
	}
	var fc easyproto.FieldContext
	for len(src) > 0 {
		var err error
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		if err := r.spanField(m, &fc); err != nil {
			return err
		}
	}
	return nil
}

func (r reader) spanField(m *plain.Span, fc *easyproto.FieldContext) error {
	ok := true
	switch fc.FieldNum {
	case 1:
		ok = r.bytes(fc, &m.TraceID)
	case 2:
		ok = r.bytes(fc, &m.SpanID)
	case 3:
		ok = r.text(fc, &m.TraceState)
	case 4:
		ok = r.bytes(fc, &m.ParentSpanID)
	case 5:
		ok = r.text(fc, &m.Name)
	case 6:
		m.Kind, ok = int32Of(fc)
	case 7:
		m.StartTimeUnixNano, ok = fc.Fixed64()
	case 8:
		m.EndTimeUnixNano, ok = fc.Fixed64()
	case 9:
		return part(fc, again(&m.Attributes), r.keyValue)
	case 10:
		m.DroppedAttributesCount, ok = fc.Uint32()
	case 11:
		return part(fc, again(&m.Events), r.event)
	case 12:
		m.DroppedEventsCount, ok = fc.Uint32()
	case 13:
		return part(fc, again(&m.Links), r.link)
	case 14:
		m.DroppedLinksCount, ok = fc.Uint32()
	case 15:
		m.Status = new(plain.Status)
		return part(fc, m.Status, r.status)
	case 16:
		m.Flags, ok = fc.Fixed32()
	}
	return check(ok)
}

func (r reader) event(m *plain.Event, src []byte) error {
	*m = plain.Event{Attributes: m.Attributes[:0]}
	var fc easyproto.FieldContext
	for len(src) > 0 {
		var err error
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		ok := true
		switch fc.FieldNum {
		case 1:
			m.TimeUnixNano, ok = fc.Fixed64()
		case 2:
			ok = r.text(&fc, &m.Name)
		case 3:
			err = part(&fc, again(&m.Attributes), r.keyValue)
		case 4:
			m.DroppedAttributesCount, ok = fc.Uint32()
		}
		if err != nil || !ok {
			return cmpErr(err)
		}
	}
	return nil
}

// cmpErr returns err, or that a field has the wrong type where there is none.
func cmpErr(err error) error {
	if err == nil {
		return errField
	}
	return err
}

func (r reader) link(m *plain.Link, src []byte) error {
	*m = plain.Link{TraceID: r.old(m.TraceID), SpanID: r.old(m.SpanID), Attributes: m.Attributes[:0]}
	var fc easyproto.FieldContext
	for len(src) > 0 {
		var err error
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		ok := true
		switch fc.FieldNum {
		case 1:
			ok = r.bytes(&fc, &m.TraceID)
		case 2:
			ok = r.bytes(&fc, &m.SpanID)
		case 3:
			ok = r.text(&fc, &m.TraceState)
		case 4:
			err = part(&fc, again(&m.Attributes), r.keyValue)
		case 5:
			m.DroppedAttributesCount, ok = fc.Uint32()
		case 6:
			m.Flags, ok = fc.Fixed32()
		}
		if err != nil || !ok {
			return cmpErr(err)
		}
	}
	return nil
}

func (r reader) status(m *plain.Status, src []byte) error {
	var fc easyproto.FieldContext
	for len(src) > 0 {
		var err error
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		ok := true
		switch fc.FieldNum {
		case 2:
			ok = r.text(&fc, &m.Message)
		case 3:
			m.Code, ok = int32Of(&fc)
		}
		if !ok {
			return errField
		}
	}
	return nil
}

func (r reader) keyValue(m *plain.KeyValue, src []byte) error {
	value := m.Value
	*m = plain.KeyValue{}
	var fc easyproto.FieldContext
	for len(src) > 0 {
		var err error
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		switch fc.FieldNum {
		case 1:
			err = check(r.text(&fc, &m.Key))
		case 2:
			if value == nil {
				value = new(plain.AnyValue)
			}
			m.Value = value
			err = part(&fc, value, r.anyValue)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r reader) anyValue(m *plain.AnyValue, src []byte) error {
	*m = plain.AnyValue{}
	var fc easyproto.FieldContext
	for len(src) > 0 {
		var err error
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		// The last field counts, as in any oneof.
		*m = plain.AnyValue{}
		ok := true
		switch fc.FieldNum {
		case 1:
			m.String = new(string)
			ok = r.text(&fc, m.String)
		case 2:
			m.Bool = new(bool)
			*m.Bool, ok = fc.Bool()
		case 3:
			m.Int = new(int64)
			*m.Int, ok = fc.Int64()
		case 4:
			m.Double = new(float64)
			*m.Double, ok = fc.Double()
		case 5:
			m.Array = new(plain.ArrayValue)
			err = part(&fc, m.Array, r.arrayValue)
		}
		if err != nil || !ok {
			return cmpErr(err)
		}
	}
	return nil
}

func (r reader) arrayValue(m *plain.ArrayValue, src []byte) error {
	var fc easyproto.FieldContext
	for len(src) > 0 {
		var err error
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		if fc.FieldNum == 1 {
			if err := part(&fc, again(&m.Values), r.anyValue); err != nil {
				return err
			}
		}
	}
	return nil
}
