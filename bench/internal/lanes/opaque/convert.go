package opaque

import (
	"fmt"
	"math"

	pb "github.com/flinkser/flinkser/bench/pb/opaque"

	"github.com/flinkser/flinkser/bench/internal/suite"
)

// What convert.go of the open messages does, with builders, getters and setters.

func buildRecord(r *suite.Record) *pb.Record {
	m := pb.Record_builder{
		Id: r.ID, Timestamp: r.Timestamp, Active: r.Active, Name: r.Name, Note: r.Note, Payload: r.Payload, Values: r.Values,
	}
	if r.Child != nil {
		m.Child = pb.Child_builder{Code: r.Child.Code, Name: r.Child.Name}.Build()
	}
	if len(r.Attributes) > 0 {
		m.Attributes = make(map[string]int64, len(r.Attributes))
		for _, e := range r.Attributes {
			m.Attributes[e.Key] = e.Value
		}
	}
	return m.Build()
}

func valueOfRecord(m *pb.Record) *suite.Record {
	r := &suite.Record{
		ID: m.GetId(), Timestamp: m.GetTimestamp(), Active: m.GetActive(), Name: clone(m.GetName()), Payload: cloneBytes(m.GetPayload()),
		Values: append([]int64(nil), m.GetValues()...),
	}
	if m.HasNote() {
		note := clone(m.GetNote())
		r.Note = &note
	}
	if m.HasChild() {
		r.Child = &suite.Child{Code: m.GetChild().GetCode(), Name: clone(m.GetChild().GetName())}
	}
	for k, v := range m.GetAttributes() {
		r.Attributes = append(r.Attributes, suite.Entry{Key: clone(k), Value: v})
	}
	return r
}

// clone returns a string in memory of its own.
func clone(s string) string { return string([]byte(s)) }

func cloneBytes(b []byte) []byte { return append([]byte(nil), b...) }

func readRecord(m *pb.Record) uint64 {
	sum := uint64(m.GetId()) + uint64(m.GetTimestamp()) + bit(m.GetActive()) + text(m.GetName()) + uint64(len(m.GetPayload()))
	if m.HasNote() {
		sum += text(m.GetNote()) + 1
	}
	if m.HasChild() {
		sum += uint64(m.GetChild().GetCode()) + text(m.GetChild().GetName())
	}
	for _, v := range m.GetValues() {
		sum += uint64(v)
	}
	for k, v := range m.GetAttributes() {
		sum += text(k) + uint64(v)
	}
	return sum
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func text(s string) uint64 {
	if s == "" {
		return 0
	}
	return uint64(len(s)) + uint64(s[len(s)-1])
}

func mutateRecord(m *pb.Record) {
	if m.HasChild() {
		m.GetChild().SetName(m.GetChild().GetName() + "!")
	}
	for i := range m.GetValues() {
		m.GetValues()[i]++
	}
	for k := range m.GetAttributes() {
		m.GetAttributes()[k]++
	}
	if len(m.GetPayload()) > 0 {
		m.GetPayload()[0]++
	}
}

func buildPost(p *suite.Post) *pb.Post {
	m := pb.Post_builder{Id: p.ID, Author: p.Author, Content: p.Content, Timestamp: p.Timestamp, Likes: p.Likes}
	if len(p.Attachments) > 0 {
		m.Attachments = make([]*pb.Attachment, 0, len(p.Attachments))
	}
	for i := range p.Attachments {
		a := &p.Attachments[i]
		m.Attachments = append(m.Attachments, pb.Attachment_builder{Type: a.Type, Url: a.URL}.Build())
	}
	if len(p.Comments) > 0 {
		m.Comments = make([]*pb.Comment, 0, len(p.Comments))
	}
	for i := range p.Comments {
		c := &p.Comments[i]
		m.Comments = append(m.Comments, pb.Comment_builder{Id: c.ID, Commenter: c.Commenter, Text: c.Text, Timestamp: c.Timestamp}.Build())
	}
	return m.Build()
}

func valueOfPost(m *pb.Post) *suite.Post {
	p := &suite.Post{ID: clone(m.GetId()), Author: clone(m.GetAuthor()), Content: clone(m.GetContent()), Timestamp: m.GetTimestamp()}
	for _, l := range m.GetLikes() {
		p.Likes = append(p.Likes, clone(l))
	}
	for _, a := range m.GetAttachments() {
		p.Attachments = append(p.Attachments, suite.Attachment{Type: clone(a.GetType()), URL: clone(a.GetUrl())})
	}
	for _, c := range m.GetComments() {
		p.Comments = append(p.Comments, suite.Comment{
			ID: clone(c.GetId()), Commenter: clone(c.GetCommenter()), Text: clone(c.GetText()), Timestamp: c.GetTimestamp(),
		})
	}
	return p
}

func readPost(m *pb.Post) uint64 {
	sum := text(m.GetId()) + text(m.GetAuthor()) + text(m.GetContent()) + uint64(m.GetTimestamp())
	for _, a := range m.GetAttachments() {
		sum += text(a.GetType()) + text(a.GetUrl())
	}
	for _, l := range m.GetLikes() {
		sum += text(l)
	}
	for _, c := range m.GetComments() {
		sum += text(c.GetId()) + text(c.GetCommenter()) + text(c.GetText()) + uint64(c.GetTimestamp())
	}
	return sum
}

func mutatePost(m *pb.Post) {
	if all := m.GetAttachments(); len(all) > 0 {
		all[0].SetType(all[0].GetType() + "!")
	}
	if all := m.GetLikes(); len(all) > 0 {
		all[0] += "!"
	}
	if all := m.GetComments(); len(all) > 0 {
		all[0].SetText(all[0].GetText() + "!")
	}
}

func buildBatch(b *suite.Batch) *pb.Batch {
	m := pb.Batch_builder{}
	if len(b.ResourceSpans) > 0 {
		m.ResourceSpans = make([]*pb.ResourceSpans, 0, len(b.ResourceSpans))
	}
	for i := range b.ResourceSpans {
		r := &b.ResourceSpans[i]
		rs := pb.ResourceSpans_builder{SchemaUrl: r.SchemaURL}
		if r.Resource != nil {
			rs.Resource = pb.Resource_builder{
				Attributes: buildAttributes(r.Resource.Attributes), DroppedAttributesCount: r.Resource.DroppedAttributesCount,
			}.Build()
		}
		if len(r.ScopeSpans) > 0 {
			rs.ScopeSpans = make([]*pb.ScopeSpans, 0, len(r.ScopeSpans))
		}
		for k := range r.ScopeSpans {
			rs.ScopeSpans = append(rs.ScopeSpans, buildScopeSpans(&r.ScopeSpans[k]))
		}
		m.ResourceSpans = append(m.ResourceSpans, rs.Build())
	}
	return m.Build()
}

func buildScopeSpans(s *suite.ScopeSpans) *pb.ScopeSpans {
	m := pb.ScopeSpans_builder{SchemaUrl: s.SchemaURL}
	if s.Scope != nil {
		m.Scope = pb.Scope_builder{
			Name: s.Scope.Name, Version: s.Scope.Version,
			Attributes: buildAttributes(s.Scope.Attributes), DroppedAttributesCount: s.Scope.DroppedAttributesCount,
		}.Build()
	}
	if len(s.Spans) > 0 {
		m.Spans = make([]*pb.Span, 0, len(s.Spans))
	}
	for i := range s.Spans {
		m.Spans = append(m.Spans, buildSpan(&s.Spans[i]))
	}
	return m.Build()
}

func buildSpan(s *suite.Span) *pb.Span {
	m := pb.Span_builder{
		TraceId: s.TraceID, SpanId: s.SpanID, TraceState: s.TraceState, ParentSpanId: s.ParentSpanID, Flags: s.Flags,
		Name: s.Name, Kind: pb.SpanKind(s.Kind), StartTimeUnixNano: s.StartTimeUnixNano, EndTimeUnixNano: s.EndTimeUnixNano,
		Attributes: buildAttributes(s.Attributes), DroppedAttributesCount: s.DroppedAttributesCount,
		DroppedEventsCount: s.DroppedEventsCount, DroppedLinksCount: s.DroppedLinksCount,
	}
	if len(s.Events) > 0 {
		m.Events = make([]*pb.Event, 0, len(s.Events))
	}
	for i := range s.Events {
		e := &s.Events[i]
		m.Events = append(m.Events, pb.Event_builder{
			TimeUnixNano: e.TimeUnixNano, Name: e.Name,
			Attributes: buildAttributes(e.Attributes), DroppedAttributesCount: e.DroppedAttributesCount,
		}.Build())
	}
	if len(s.Links) > 0 {
		m.Links = make([]*pb.Link, 0, len(s.Links))
	}
	for i := range s.Links {
		l := &s.Links[i]
		m.Links = append(m.Links, pb.Link_builder{
			TraceId: l.TraceID, SpanId: l.SpanID, TraceState: l.TraceState, Flags: l.Flags,
			Attributes: buildAttributes(l.Attributes), DroppedAttributesCount: l.DroppedAttributesCount,
		}.Build())
	}
	if s.Status != nil {
		m.Status = pb.Status_builder{Message: s.Status.Message, Code: pb.StatusCode(s.Status.Code)}.Build()
	}
	return m.Build()
}

func buildAttributes(all []suite.KeyValue) []*pb.KeyValue {
	if len(all) == 0 {
		return nil
	}
	list := make([]*pb.KeyValue, 0, len(all))
	for i := range all {
		m := pb.KeyValue_builder{Key: all[i].Key}
		if all[i].Value != nil {
			m.Value = buildAny(all[i].Value)
		}
		list = append(list, m.Build())
	}
	return list
}

func buildAny(v *suite.AnyValue) *pb.AnyValue {
	switch v.Kind {
	case suite.StringValue:
		return pb.AnyValue_builder{StringValue: &v.String}.Build()
	case suite.BoolValue:
		return pb.AnyValue_builder{BoolValue: &v.Bool}.Build()
	case suite.IntValue:
		return pb.AnyValue_builder{IntValue: &v.Int}.Build()
	case suite.DoubleValue:
		return pb.AnyValue_builder{DoubleValue: &v.Double}.Build()
	case suite.ArrayValue:
		array := pb.ArrayValue_builder{}
		if len(v.Array) > 0 {
			array.Values = make([]*pb.AnyValue, 0, len(v.Array))
		}
		for i := range v.Array {
			array.Values = append(array.Values, buildAny(&v.Array[i]))
		}
		return pb.AnyValue_builder{ArrayValue: array.Build()}.Build()
	}
	return &pb.AnyValue{}
}

func valueOfBatch(m *pb.Batch) (*suite.Batch, error) {
	b := &suite.Batch{}
	for _, rs := range m.GetResourceSpans() {
		r := suite.ResourceSpans{SchemaURL: clone(rs.GetSchemaUrl())}
		if rs.HasResource() {
			r.Resource = &suite.Resource{
				Attributes: valueOfAttributes(rs.GetResource().GetAttributes()), DroppedAttributesCount: rs.GetResource().GetDroppedAttributesCount(),
			}
		}
		for _, s := range rs.GetScopeSpans() {
			r.ScopeSpans = append(r.ScopeSpans, valueOfScopeSpans(s))
		}
		b.ResourceSpans = append(b.ResourceSpans, r)
	}
	return b, nil
}

func valueOfScopeSpans(m *pb.ScopeSpans) suite.ScopeSpans {
	s := suite.ScopeSpans{SchemaURL: clone(m.GetSchemaUrl())}
	if m.HasScope() {
		s.Scope = &suite.Scope{
			Name: clone(m.GetScope().GetName()), Version: clone(m.GetScope().GetVersion()),
			Attributes: valueOfAttributes(m.GetScope().GetAttributes()), DroppedAttributesCount: m.GetScope().GetDroppedAttributesCount(),
		}
	}
	for _, span := range m.GetSpans() {
		s.Spans = append(s.Spans, valueOfSpan(span))
	}
	return s
}

func valueOfSpan(m *pb.Span) suite.Span {
	s := suite.Span{
		TraceID: cloneBytes(m.GetTraceId()), SpanID: cloneBytes(m.GetSpanId()), TraceState: clone(m.GetTraceState()), ParentSpanID: cloneBytes(m.GetParentSpanId()),
		Flags: m.GetFlags(), Name: clone(m.GetName()), Kind: int32(m.GetKind()), StartTimeUnixNano: m.GetStartTimeUnixNano(), EndTimeUnixNano: m.GetEndTimeUnixNano(),
		Attributes: valueOfAttributes(m.GetAttributes()), DroppedAttributesCount: m.GetDroppedAttributesCount(),
		DroppedEventsCount: m.GetDroppedEventsCount(), DroppedLinksCount: m.GetDroppedLinksCount(),
	}
	for _, e := range m.GetEvents() {
		s.Events = append(s.Events, suite.Event{
			TimeUnixNano: e.GetTimeUnixNano(), Name: clone(e.GetName()),
			Attributes: valueOfAttributes(e.GetAttributes()), DroppedAttributesCount: e.GetDroppedAttributesCount(),
		})
	}
	for _, l := range m.GetLinks() {
		s.Links = append(s.Links, suite.Link{
			TraceID: cloneBytes(l.GetTraceId()), SpanID: cloneBytes(l.GetSpanId()), TraceState: clone(l.GetTraceState()), Flags: l.GetFlags(),
			Attributes: valueOfAttributes(l.GetAttributes()), DroppedAttributesCount: l.GetDroppedAttributesCount(),
		})
	}
	if m.HasStatus() {
		s.Status = &suite.Status{Message: clone(m.GetStatus().GetMessage()), Code: int32(m.GetStatus().GetCode())}
	}
	return s
}

func valueOfAttributes(all []*pb.KeyValue) []suite.KeyValue {
	var list []suite.KeyValue
	for _, m := range all {
		kv := suite.KeyValue{Key: clone(m.GetKey())}
		if m.HasValue() {
			v := valueOfAny(m.GetValue())
			kv.Value = &v
		}
		list = append(list, kv)
	}
	return list
}

func valueOfAny(m *pb.AnyValue) suite.AnyValue {
	switch {
	case !m.HasValue():
		return suite.AnyValue{}
	case m.HasStringValue():
		return suite.AnyValue{Kind: suite.StringValue, String: clone(m.GetStringValue())}
	case m.HasBoolValue():
		return suite.AnyValue{Kind: suite.BoolValue, Bool: m.GetBoolValue()}
	case m.HasIntValue():
		return suite.AnyValue{Kind: suite.IntValue, Int: m.GetIntValue()}
	case m.HasDoubleValue():
		return suite.AnyValue{Kind: suite.DoubleValue, Double: m.GetDoubleValue()}
	case m.HasArrayValue():
		array := suite.AnyValue{Kind: suite.ArrayValue}
		for _, e := range m.GetArrayValue().GetValues() {
			array.Array = append(array.Array, valueOfAny(e))
		}
		return array
	default:
		panic(fmt.Sprintf("no batch holds %v", m))
	}
}

func readBatch(m *pb.Batch) uint64 {
	var sum uint64
	for _, rs := range m.GetResourceSpans() {
		sum += text(rs.GetSchemaUrl())
		if rs.HasResource() {
			sum += readAttributes(rs.GetResource().GetAttributes()) + uint64(rs.GetResource().GetDroppedAttributesCount())
		}
		for _, s := range rs.GetScopeSpans() {
			sum += text(s.GetSchemaUrl())
			if s.HasScope() {
				sum += text(s.GetScope().GetName()) + text(s.GetScope().GetVersion()) + readAttributes(s.GetScope().GetAttributes()) + uint64(s.GetScope().GetDroppedAttributesCount())
			}
			for _, span := range s.GetSpans() {
				sum += readSpan(span)
			}
		}
	}
	return sum
}

func readSpan(m *pb.Span) uint64 {
	sum := uint64(len(m.GetTraceId())+len(m.GetSpanId())+len(m.GetParentSpanId())) + text(m.GetTraceState()) + uint64(m.GetFlags()) + text(m.GetName()) + uint64(m.GetKind()) +
		m.GetStartTimeUnixNano() + m.GetEndTimeUnixNano() + readAttributes(m.GetAttributes()) + uint64(m.GetDroppedAttributesCount()) +
		uint64(m.GetDroppedEventsCount()) + uint64(m.GetDroppedLinksCount())
	for _, e := range m.GetEvents() {
		sum += e.GetTimeUnixNano() + text(e.GetName()) + readAttributes(e.GetAttributes()) + uint64(e.GetDroppedAttributesCount())
	}
	for _, l := range m.GetLinks() {
		sum += uint64(len(l.GetTraceId())+len(l.GetSpanId())) + text(l.GetTraceState()) + readAttributes(l.GetAttributes()) + uint64(l.GetDroppedAttributesCount()) + uint64(l.GetFlags())
	}
	if m.HasStatus() {
		sum += text(m.GetStatus().GetMessage()) + uint64(m.GetStatus().GetCode())
	}
	return sum
}

func readAttributes(all []*pb.KeyValue) uint64 {
	var sum uint64
	for _, m := range all {
		sum += text(m.GetKey())
		if m.HasValue() {
			sum += readAny(m.GetValue())
		}
	}
	return sum
}

func readAny(m *pb.AnyValue) uint64 {
	switch m.WhichValue() {
	case pb.AnyValue_StringValue_case:
		return text(m.GetStringValue())
	case pb.AnyValue_BoolValue_case:
		return bit(m.GetBoolValue())
	case pb.AnyValue_IntValue_case:
		return uint64(m.GetIntValue())
	case pb.AnyValue_DoubleValue_case:
		return math.Float64bits(m.GetDoubleValue())
	case pb.AnyValue_ArrayValue_case:
		var sum uint64
		for _, e := range m.GetArrayValue().GetValues() {
			sum += readAny(e)
		}
		return sum
	default:
		return 0
	}
}

func mutateBatch(m *pb.Batch) {
	for _, rs := range m.GetResourceSpans() {
		rs.SetSchemaUrl(rs.GetSchemaUrl() + "!")
		for _, s := range rs.GetScopeSpans() {
			for _, span := range s.GetSpans() {
				if id := span.GetTraceId(); len(id) > 0 {
					id[0]++
				}
			}
		}
	}
}

func buildWide(w *suite.Wide) *pb.Wide {
	return pb.Wide_builder{
		F1: w.F1, F2: w.F2, F3: w.F3, F4: w.F4, F5: w.F5, F6: w.F6, F7: w.F7, F8: w.F8, F9: w.F9, F10: w.F10,
		F11: w.F11, F12: w.F12, F13: w.F13, F14: w.F14, F15: w.F15, F16: w.F16, F17: w.F17, F18: w.F18, F19: w.F19, F20: w.F20,
		F21: w.F21, F22: w.F22, F23: w.F23, F24: w.F24, F25: w.F25, F26: w.F26, F27: w.F27, F28: w.F28, F29: w.F29, F30: w.F30,
		F31: w.F31, F32: w.F32, F33: w.F33, F34: w.F34, F35: w.F35, F36: w.F36, F37: w.F37, F38: w.F38, F39: w.F39, F40: w.F40,
		F41: w.F41, F42: w.F42, F43: w.F43, F44: w.F44, F45: w.F45, F46: w.F46, F47: w.F47, F48: w.F48, F49: w.F49, F50: w.F50,
		F51: w.F51, F52: w.F52, F53: w.F53, F54: w.F54, F55: w.F55, F56: w.F56, F57: w.F57, F58: w.F58, F59: w.F59, F60: w.F60,
	}.Build()
}

func valueOfWide(m *pb.Wide) *suite.Wide {
	w := &suite.Wide{}
	if m.HasF1() {
		w.F1 = pointerTo(m.GetF1())
	}
	if m.HasF2() {
		w.F2 = pointerTo(m.GetF2())
	}
	if m.HasF3() {
		w.F3 = pointerTo(m.GetF3())
	}
	if m.HasF4() {
		w.F4 = pointerTo(m.GetF4())
	}
	if m.HasF5() {
		w.F5 = pointerTo(m.GetF5())
	}
	if m.HasF6() {
		w.F6 = pointerTo(m.GetF6())
	}
	if m.HasF7() {
		w.F7 = pointerTo(m.GetF7())
	}
	if m.HasF8() {
		w.F8 = pointerTo(m.GetF8())
	}
	if m.HasF9() {
		w.F9 = pointerTo(m.GetF9())
	}
	if m.HasF10() {
		w.F10 = pointerTo(m.GetF10())
	}
	if m.HasF11() {
		w.F11 = pointerTo(clone(m.GetF11()))
	}
	if m.HasF12() {
		w.F12 = pointerTo(m.GetF12())
	}
	if m.HasF13() {
		w.F13 = pointerTo(m.GetF13())
	}
	if m.HasF14() {
		w.F14 = pointerTo(m.GetF14())
	}
	if m.HasF15() {
		w.F15 = pointerTo(m.GetF15())
	}
	if m.HasF16() {
		w.F16 = pointerTo(m.GetF16())
	}
	if m.HasF17() {
		w.F17 = pointerTo(m.GetF17())
	}
	if m.HasF18() {
		w.F18 = pointerTo(m.GetF18())
	}
	if m.HasF19() {
		w.F19 = pointerTo(m.GetF19())
	}
	if m.HasF20() {
		w.F20 = pointerTo(m.GetF20())
	}
	if m.HasF21() {
		w.F21 = pointerTo(m.GetF21())
	}
	if m.HasF22() {
		w.F22 = pointerTo(m.GetF22())
	}
	if m.HasF23() {
		w.F23 = pointerTo(m.GetF23())
	}
	if m.HasF24() {
		w.F24 = pointerTo(m.GetF24())
	}
	if m.HasF25() {
		w.F25 = pointerTo(m.GetF25())
	}
	if m.HasF26() {
		w.F26 = pointerTo(clone(m.GetF26()))
	}
	if m.HasF27() {
		w.F27 = pointerTo(m.GetF27())
	}
	if m.HasF28() {
		w.F28 = pointerTo(m.GetF28())
	}
	if m.HasF29() {
		w.F29 = pointerTo(m.GetF29())
	}
	if m.HasF30() {
		w.F30 = pointerTo(m.GetF30())
	}
	if m.HasF31() {
		w.F31 = pointerTo(m.GetF31())
	}
	if m.HasF32() {
		w.F32 = pointerTo(m.GetF32())
	}
	if m.HasF33() {
		w.F33 = pointerTo(m.GetF33())
	}
	if m.HasF34() {
		w.F34 = pointerTo(m.GetF34())
	}
	if m.HasF35() {
		w.F35 = pointerTo(m.GetF35())
	}
	if m.HasF36() {
		w.F36 = pointerTo(m.GetF36())
	}
	if m.HasF37() {
		w.F37 = pointerTo(m.GetF37())
	}
	if m.HasF38() {
		w.F38 = pointerTo(m.GetF38())
	}
	if m.HasF39() {
		w.F39 = pointerTo(m.GetF39())
	}
	if m.HasF40() {
		w.F40 = pointerTo(m.GetF40())
	}
	if m.HasF41() {
		w.F41 = pointerTo(clone(m.GetF41()))
	}
	if m.HasF42() {
		w.F42 = pointerTo(m.GetF42())
	}
	if m.HasF43() {
		w.F43 = pointerTo(m.GetF43())
	}
	if m.HasF44() {
		w.F44 = pointerTo(m.GetF44())
	}
	if m.HasF45() {
		w.F45 = pointerTo(m.GetF45())
	}
	if m.HasF46() {
		w.F46 = pointerTo(m.GetF46())
	}
	if m.HasF47() {
		w.F47 = pointerTo(m.GetF47())
	}
	if m.HasF48() {
		w.F48 = pointerTo(m.GetF48())
	}
	if m.HasF49() {
		w.F49 = pointerTo(m.GetF49())
	}
	if m.HasF50() {
		w.F50 = pointerTo(m.GetF50())
	}
	if m.HasF51() {
		w.F51 = pointerTo(m.GetF51())
	}
	if m.HasF52() {
		w.F52 = pointerTo(m.GetF52())
	}
	if m.HasF53() {
		w.F53 = pointerTo(m.GetF53())
	}
	if m.HasF54() {
		w.F54 = pointerTo(m.GetF54())
	}
	if m.HasF55() {
		w.F55 = pointerTo(m.GetF55())
	}
	if m.HasF56() {
		w.F56 = pointerTo(clone(m.GetF56()))
	}
	if m.HasF57() {
		w.F57 = pointerTo(m.GetF57())
	}
	if m.HasF58() {
		w.F58 = pointerTo(m.GetF58())
	}
	if m.HasF59() {
		w.F59 = pointerTo(m.GetF59())
	}
	if m.HasF60() {
		w.F60 = pointerTo(m.GetF60())
	}
	return w
}

func pointerTo[T any](v T) *T { return &v }

func readWide(m *pb.Wide) uint64 {
	var sum uint64
	if m.HasF1() {
		sum += m.GetF1()
	}
	if m.HasF2() {
		sum += uint64(m.GetF2())
	}
	if m.HasF3() {
		sum += uint64(m.GetF3())
	}
	if m.HasF4() {
		sum += uint64(m.GetF4())
	}
	if m.HasF5() {
		sum += uint64(m.GetF5())
	}
	if m.HasF6() {
		sum += m.GetF6()
	}
	if m.HasF7() {
		sum += uint64(m.GetF7())
	}
	if m.HasF8() {
		sum += uint64(m.GetF8())
	}
	if m.HasF9() {
		sum += uint64(m.GetF9())
	}
	if m.HasF10() {
		sum += bit(m.GetF10())
	}
	if m.HasF11() {
		sum += text(m.GetF11())
	}
	if m.HasF12() {
		sum += uint64(m.GetF12())
	}
	if m.HasF13() {
		sum += math.Float64bits(m.GetF13())
	}
	if m.HasF14() {
		sum += uint64(m.GetF14())
	}
	if m.HasF15() {
		sum += uint64(math.Float32bits(m.GetF15()))
	}
	if m.HasF16() {
		sum += m.GetF16()
	}
	if m.HasF17() {
		sum += uint64(m.GetF17())
	}
	if m.HasF18() {
		sum += uint64(m.GetF18())
	}
	if m.HasF19() {
		sum += uint64(m.GetF19())
	}
	if m.HasF20() {
		sum += uint64(m.GetF20())
	}
	if m.HasF21() {
		sum += m.GetF21()
	}
	if m.HasF22() {
		sum += uint64(m.GetF22())
	}
	if m.HasF23() {
		sum += uint64(m.GetF23())
	}
	if m.HasF24() {
		sum += uint64(m.GetF24())
	}
	if m.HasF25() {
		sum += bit(m.GetF25())
	}
	if m.HasF26() {
		sum += text(m.GetF26())
	}
	if m.HasF27() {
		sum += uint64(m.GetF27())
	}
	if m.HasF28() {
		sum += math.Float64bits(m.GetF28())
	}
	if m.HasF29() {
		sum += uint64(m.GetF29())
	}
	if m.HasF30() {
		sum += uint64(math.Float32bits(m.GetF30()))
	}
	if m.HasF31() {
		sum += m.GetF31()
	}
	if m.HasF32() {
		sum += uint64(m.GetF32())
	}
	if m.HasF33() {
		sum += uint64(m.GetF33())
	}
	if m.HasF34() {
		sum += uint64(m.GetF34())
	}
	if m.HasF35() {
		sum += uint64(m.GetF35())
	}
	if m.HasF36() {
		sum += m.GetF36()
	}
	if m.HasF37() {
		sum += uint64(m.GetF37())
	}
	if m.HasF38() {
		sum += uint64(m.GetF38())
	}
	if m.HasF39() {
		sum += uint64(m.GetF39())
	}
	if m.HasF40() {
		sum += bit(m.GetF40())
	}
	if m.HasF41() {
		sum += text(m.GetF41())
	}
	if m.HasF42() {
		sum += uint64(m.GetF42())
	}
	if m.HasF43() {
		sum += math.Float64bits(m.GetF43())
	}
	if m.HasF44() {
		sum += uint64(m.GetF44())
	}
	if m.HasF45() {
		sum += uint64(math.Float32bits(m.GetF45()))
	}
	if m.HasF46() {
		sum += m.GetF46()
	}
	if m.HasF47() {
		sum += uint64(m.GetF47())
	}
	if m.HasF48() {
		sum += uint64(m.GetF48())
	}
	if m.HasF49() {
		sum += uint64(m.GetF49())
	}
	if m.HasF50() {
		sum += uint64(m.GetF50())
	}
	if m.HasF51() {
		sum += m.GetF51()
	}
	if m.HasF52() {
		sum += uint64(m.GetF52())
	}
	if m.HasF53() {
		sum += uint64(m.GetF53())
	}
	if m.HasF54() {
		sum += uint64(m.GetF54())
	}
	if m.HasF55() {
		sum += bit(m.GetF55())
	}
	if m.HasF56() {
		sum += text(m.GetF56())
	}
	if m.HasF57() {
		sum += uint64(m.GetF57())
	}
	if m.HasF58() {
		sum += math.Float64bits(m.GetF58())
	}
	if m.HasF59() {
		sum += uint64(m.GetF59())
	}
	if m.HasF60() {
		sum += uint64(math.Float32bits(m.GetF60()))
	}
	return sum
}

func mutateWide(m *pb.Wide) {
	if m.HasF1() {
		m.SetF1(m.GetF1() + 1)
	}
	if m.HasF2() {
		m.SetF2(m.GetF2() + 1)
	}
}
