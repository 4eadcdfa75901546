package protobufgo

import (
	"fmt"
	"math"

	pb "github.com/flinkser/flinkser/bench/pb/open"

	"github.com/flinkser/flinkser/bench/internal/suite"
)

// This file stands once for every package of generated code with these structs; see
// internal/copyconvert.

func buildRecord(r *suite.Record) *pb.Record {
	m := &pb.Record{
		Id: r.ID, Timestamp: r.Timestamp, Active: r.Active, Name: r.Name, Note: r.Note, Payload: r.Payload, Values: r.Values,
	}
	if r.Child != nil {
		m.Child = &pb.Child{Code: r.Child.Code, Name: r.Child.Name}
	}
	if len(r.Attributes) > 0 {
		m.Attributes = make(map[string]int64, len(r.Attributes))
		for _, e := range r.Attributes {
			m.Attributes[e.Key] = e.Value
		}
	}
	return m
}

func valueOfRecord(m *pb.Record) *suite.Record {
	r := &suite.Record{
		ID: m.Id, Timestamp: m.Timestamp, Active: m.Active, Name: clone(m.Name), Payload: cloneBytes(m.Payload),
		Values: append([]int64(nil), m.Values...),
	}
	if m.Note != nil {
		note := clone(*m.Note)
		r.Note = &note
	}
	if m.Child != nil {
		r.Child = &suite.Child{Code: m.Child.Code, Name: clone(m.Child.Name)}
	}
	for k, v := range m.Attributes {
		r.Attributes = append(r.Attributes, suite.Entry{Key: clone(k), Value: v})
	}
	return r
}

// clone returns a string in memory of its own.
func clone(s string) string { return string([]byte(s)) }

func cloneBytes(b []byte) []byte { return append([]byte(nil), b...) }

func readRecord(m *pb.Record) uint64 {
	sum := uint64(m.Id) + uint64(m.Timestamp) + bit(m.Active) + text(m.Name) + uint64(len(m.Payload))
	if m.Note != nil {
		sum += text(*m.Note) + 1
	}
	if m.Child != nil {
		sum += uint64(m.Child.Code) + text(m.Child.Name)
	}
	for _, v := range m.Values {
		sum += uint64(v)
	}
	for k, v := range m.Attributes {
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
	if m.Child != nil {
		m.Child.Name += "!"
	}
	for i := range m.Values {
		m.Values[i]++
	}
	for k := range m.Attributes {
		m.Attributes[k]++
	}
	if len(m.Payload) > 0 {
		m.Payload[0]++
	}
}

func buildPost(p *suite.Post) *pb.Post {
	m := &pb.Post{Id: p.ID, Author: p.Author, Content: p.Content, Timestamp: p.Timestamp, Likes: p.Likes}
	if len(p.Attachments) > 0 {
		m.Attachments = make([]*pb.Attachment, 0, len(p.Attachments))
	}
	for i := range p.Attachments {
		a := &p.Attachments[i]
		m.Attachments = append(m.Attachments, &pb.Attachment{Type: a.Type, Url: a.URL})
	}
	if len(p.Comments) > 0 {
		m.Comments = make([]*pb.Comment, 0, len(p.Comments))
	}
	for i := range p.Comments {
		c := &p.Comments[i]
		m.Comments = append(m.Comments, &pb.Comment{Id: c.ID, Commenter: c.Commenter, Text: c.Text, Timestamp: c.Timestamp})
	}
	return m
}

func valueOfPost(m *pb.Post) *suite.Post {
	p := &suite.Post{ID: clone(m.Id), Author: clone(m.Author), Content: clone(m.Content), Timestamp: m.Timestamp}
	for _, l := range m.Likes {
		p.Likes = append(p.Likes, clone(l))
	}
	for _, a := range m.Attachments {
		p.Attachments = append(p.Attachments, suite.Attachment{Type: clone(a.Type), URL: clone(a.Url)})
	}
	for _, c := range m.Comments {
		p.Comments = append(p.Comments, suite.Comment{
			ID: clone(c.Id), Commenter: clone(c.Commenter), Text: clone(c.Text), Timestamp: c.Timestamp,
		})
	}
	return p
}

func readPost(m *pb.Post) uint64 {
	sum := text(m.Id) + text(m.Author) + text(m.Content) + uint64(m.Timestamp)
	for _, a := range m.Attachments {
		sum += text(a.Type) + text(a.Url)
	}
	for _, l := range m.Likes {
		sum += text(l)
	}
	for _, c := range m.Comments {
		sum += text(c.Id) + text(c.Commenter) + text(c.Text) + uint64(c.Timestamp)
	}
	return sum
}

func mutatePost(m *pb.Post) {
	if len(m.Attachments) > 0 {
		m.Attachments[0].Type += "!"
	}
	if len(m.Likes) > 0 {
		m.Likes[0] += "!"
	}
	if len(m.Comments) > 0 {
		m.Comments[0].Text += "!"
	}
}

func buildBatch(b *suite.Batch) *pb.Batch {
	m := &pb.Batch{}
	if len(b.ResourceSpans) > 0 {
		m.ResourceSpans = make([]*pb.ResourceSpans, 0, len(b.ResourceSpans))
	}
	for i := range b.ResourceSpans {
		r := &b.ResourceSpans[i]
		rs := &pb.ResourceSpans{SchemaUrl: r.SchemaURL}
		if r.Resource != nil {
			rs.Resource = &pb.Resource{
				Attributes: buildAttributes(r.Resource.Attributes), DroppedAttributesCount: r.Resource.DroppedAttributesCount,
			}
		}
		if len(r.ScopeSpans) > 0 {
			rs.ScopeSpans = make([]*pb.ScopeSpans, 0, len(r.ScopeSpans))
		}
		for k := range r.ScopeSpans {
			rs.ScopeSpans = append(rs.ScopeSpans, buildScopeSpans(&r.ScopeSpans[k]))
		}
		m.ResourceSpans = append(m.ResourceSpans, rs)
	}
	return m
}

func buildScopeSpans(s *suite.ScopeSpans) *pb.ScopeSpans {
	m := &pb.ScopeSpans{SchemaUrl: s.SchemaURL}
	if s.Scope != nil {
		m.Scope = &pb.Scope{
			Name: s.Scope.Name, Version: s.Scope.Version,
			Attributes: buildAttributes(s.Scope.Attributes), DroppedAttributesCount: s.Scope.DroppedAttributesCount,
		}
	}
	if len(s.Spans) > 0 {
		m.Spans = make([]*pb.Span, 0, len(s.Spans))
	}
	for i := range s.Spans {
		m.Spans = append(m.Spans, buildSpan(&s.Spans[i]))
	}
	return m
}

func buildSpan(s *suite.Span) *pb.Span {
	m := &pb.Span{
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
		m.Events = append(m.Events, &pb.Event{
			TimeUnixNano: e.TimeUnixNano, Name: e.Name,
			Attributes: buildAttributes(e.Attributes), DroppedAttributesCount: e.DroppedAttributesCount,
		})
	}
	if len(s.Links) > 0 {
		m.Links = make([]*pb.Link, 0, len(s.Links))
	}
	for i := range s.Links {
		l := &s.Links[i]
		m.Links = append(m.Links, &pb.Link{
			TraceId: l.TraceID, SpanId: l.SpanID, TraceState: l.TraceState, Flags: l.Flags,
			Attributes: buildAttributes(l.Attributes), DroppedAttributesCount: l.DroppedAttributesCount,
		})
	}
	if s.Status != nil {
		m.Status = &pb.Status{Message: s.Status.Message, Code: pb.StatusCode(s.Status.Code)}
	}
	return m
}

func buildAttributes(all []suite.KeyValue) []*pb.KeyValue {
	if len(all) == 0 {
		return nil
	}
	list := make([]*pb.KeyValue, 0, len(all))
	for i := range all {
		m := &pb.KeyValue{Key: all[i].Key}
		if all[i].Value != nil {
			m.Value = buildAny(all[i].Value)
		}
		list = append(list, m)
	}
	return list
}

func buildAny(v *suite.AnyValue) *pb.AnyValue {
	switch v.Kind {
	case suite.StringValue:
		return &pb.AnyValue{Value: &pb.AnyValue_StringValue{StringValue: v.String}}
	case suite.BoolValue:
		return &pb.AnyValue{Value: &pb.AnyValue_BoolValue{BoolValue: v.Bool}}
	case suite.IntValue:
		return &pb.AnyValue{Value: &pb.AnyValue_IntValue{IntValue: v.Int}}
	case suite.DoubleValue:
		return &pb.AnyValue{Value: &pb.AnyValue_DoubleValue{DoubleValue: v.Double}}
	case suite.ArrayValue:
		array := &pb.ArrayValue{}
		if len(v.Array) > 0 {
			array.Values = make([]*pb.AnyValue, 0, len(v.Array))
		}
		for i := range v.Array {
			array.Values = append(array.Values, buildAny(&v.Array[i]))
		}
		return &pb.AnyValue{Value: &pb.AnyValue_ArrayValue{ArrayValue: array}}
	}
	return &pb.AnyValue{}
}

func valueOfBatch(m *pb.Batch) (*suite.Batch, error) {
	b := &suite.Batch{}
	for _, rs := range m.ResourceSpans {
		r := suite.ResourceSpans{SchemaURL: clone(rs.SchemaUrl)}
		if rs.Resource != nil {
			r.Resource = &suite.Resource{
				Attributes: valueOfAttributes(rs.Resource.Attributes), DroppedAttributesCount: rs.Resource.DroppedAttributesCount,
			}
		}
		for _, s := range rs.ScopeSpans {
			r.ScopeSpans = append(r.ScopeSpans, valueOfScopeSpans(s))
		}
		b.ResourceSpans = append(b.ResourceSpans, r)
	}
	return b, nil
}

func valueOfScopeSpans(m *pb.ScopeSpans) suite.ScopeSpans {
	s := suite.ScopeSpans{SchemaURL: clone(m.SchemaUrl)}
	if m.Scope != nil {
		s.Scope = &suite.Scope{
			Name: clone(m.Scope.Name), Version: clone(m.Scope.Version),
			Attributes: valueOfAttributes(m.Scope.Attributes), DroppedAttributesCount: m.Scope.DroppedAttributesCount,
		}
	}
	for _, span := range m.Spans {
		s.Spans = append(s.Spans, valueOfSpan(span))
	}
	return s
}

func valueOfSpan(m *pb.Span) suite.Span {
	s := suite.Span{
		TraceID: cloneBytes(m.TraceId), SpanID: cloneBytes(m.SpanId), TraceState: clone(m.TraceState), ParentSpanID: cloneBytes(m.ParentSpanId),
		Flags: m.Flags, Name: clone(m.Name), Kind: int32(m.Kind), StartTimeUnixNano: m.StartTimeUnixNano, EndTimeUnixNano: m.EndTimeUnixNano,
		Attributes: valueOfAttributes(m.Attributes), DroppedAttributesCount: m.DroppedAttributesCount,
		DroppedEventsCount: m.DroppedEventsCount, DroppedLinksCount: m.DroppedLinksCount,
	}
	for _, e := range m.Events {
		s.Events = append(s.Events, suite.Event{
			TimeUnixNano: e.TimeUnixNano, Name: clone(e.Name),
			Attributes: valueOfAttributes(e.Attributes), DroppedAttributesCount: e.DroppedAttributesCount,
		})
	}
	for _, l := range m.Links {
		s.Links = append(s.Links, suite.Link{
			TraceID: cloneBytes(l.TraceId), SpanID: cloneBytes(l.SpanId), TraceState: clone(l.TraceState), Flags: l.Flags,
			Attributes: valueOfAttributes(l.Attributes), DroppedAttributesCount: l.DroppedAttributesCount,
		})
	}
	if m.Status != nil {
		s.Status = &suite.Status{Message: clone(m.Status.Message), Code: int32(m.Status.Code)}
	}
	return s
}

func valueOfAttributes(all []*pb.KeyValue) []suite.KeyValue {
	var list []suite.KeyValue
	for _, m := range all {
		kv := suite.KeyValue{Key: clone(m.Key)}
		if m.Value != nil {
			v := valueOfAny(m.Value)
			kv.Value = &v
		}
		list = append(list, kv)
	}
	return list
}

func valueOfAny(m *pb.AnyValue) suite.AnyValue {
	switch v := m.Value.(type) {
	case nil:
		return suite.AnyValue{}
	case *pb.AnyValue_StringValue:
		return suite.AnyValue{Kind: suite.StringValue, String: clone(v.StringValue)}
	case *pb.AnyValue_BoolValue:
		return suite.AnyValue{Kind: suite.BoolValue, Bool: v.BoolValue}
	case *pb.AnyValue_IntValue:
		return suite.AnyValue{Kind: suite.IntValue, Int: v.IntValue}
	case *pb.AnyValue_DoubleValue:
		return suite.AnyValue{Kind: suite.DoubleValue, Double: v.DoubleValue}
	case *pb.AnyValue_ArrayValue:
		array := suite.AnyValue{Kind: suite.ArrayValue}
		for _, e := range v.ArrayValue.GetValues() {
			array.Array = append(array.Array, valueOfAny(e))
		}
		return array
	default:
		panic(fmt.Sprintf("no batch holds a %T", v))
	}
}

func readBatch(m *pb.Batch) uint64 {
	var sum uint64
	for _, rs := range m.ResourceSpans {
		sum += text(rs.SchemaUrl)
		if rs.Resource != nil {
			sum += readAttributes(rs.Resource.Attributes) + uint64(rs.Resource.DroppedAttributesCount)
		}
		for _, s := range rs.ScopeSpans {
			sum += text(s.SchemaUrl)
			if s.Scope != nil {
				sum += text(s.Scope.Name) + text(s.Scope.Version) + readAttributes(s.Scope.Attributes) + uint64(s.Scope.DroppedAttributesCount)
			}
			for _, span := range s.Spans {
				sum += readSpan(span)
			}
		}
	}
	return sum
}

func readSpan(m *pb.Span) uint64 {
	sum := uint64(len(m.TraceId)+len(m.SpanId)+len(m.ParentSpanId)) + text(m.TraceState) + uint64(m.Flags) + text(m.Name) + uint64(m.Kind) +
		m.StartTimeUnixNano + m.EndTimeUnixNano + readAttributes(m.Attributes) + uint64(m.DroppedAttributesCount) +
		uint64(m.DroppedEventsCount) + uint64(m.DroppedLinksCount)
	for _, e := range m.Events {
		sum += e.TimeUnixNano + text(e.Name) + readAttributes(e.Attributes) + uint64(e.DroppedAttributesCount)
	}
	for _, l := range m.Links {
		sum += uint64(len(l.TraceId)+len(l.SpanId)) + text(l.TraceState) + readAttributes(l.Attributes) + uint64(l.DroppedAttributesCount) + uint64(l.Flags)
	}
	if m.Status != nil {
		sum += text(m.Status.Message) + uint64(m.Status.Code)
	}
	return sum
}

func readAttributes(all []*pb.KeyValue) uint64 {
	var sum uint64
	for _, m := range all {
		sum += text(m.Key)
		if m.Value != nil {
			sum += readAny(m.Value)
		}
	}
	return sum
}

func readAny(m *pb.AnyValue) uint64 {
	switch v := m.Value.(type) {
	case *pb.AnyValue_StringValue:
		return text(v.StringValue)
	case *pb.AnyValue_BoolValue:
		return bit(v.BoolValue)
	case *pb.AnyValue_IntValue:
		return uint64(v.IntValue)
	case *pb.AnyValue_DoubleValue:
		return math.Float64bits(v.DoubleValue)
	case *pb.AnyValue_ArrayValue:
		var sum uint64
		for _, e := range v.ArrayValue.GetValues() {
			sum += readAny(e)
		}
		return sum
	}
	return 0
}

func mutateBatch(m *pb.Batch) {
	for _, rs := range m.ResourceSpans {
		rs.SchemaUrl += "!"
		for _, s := range rs.ScopeSpans {
			for _, span := range s.Spans {
				if len(span.TraceId) > 0 {
					span.TraceId[0]++
				}
			}
		}
	}
}

func buildWide(w *suite.Wide) *pb.Wide {
	return &pb.Wide{
		F1: w.F1, F2: w.F2, F3: w.F3, F4: w.F4, F5: w.F5, F6: w.F6, F7: w.F7, F8: w.F8, F9: w.F9, F10: w.F10,
		F11: w.F11, F12: w.F12, F13: w.F13, F14: w.F14, F15: w.F15, F16: w.F16, F17: w.F17, F18: w.F18, F19: w.F19, F20: w.F20,
		F21: w.F21, F22: w.F22, F23: w.F23, F24: w.F24, F25: w.F25, F26: w.F26, F27: w.F27, F28: w.F28, F29: w.F29, F30: w.F30,
		F31: w.F31, F32: w.F32, F33: w.F33, F34: w.F34, F35: w.F35, F36: w.F36, F37: w.F37, F38: w.F38, F39: w.F39, F40: w.F40,
		F41: w.F41, F42: w.F42, F43: w.F43, F44: w.F44, F45: w.F45, F46: w.F46, F47: w.F47, F48: w.F48, F49: w.F49, F50: w.F50,
		F51: w.F51, F52: w.F52, F53: w.F53, F54: w.F54, F55: w.F55, F56: w.F56, F57: w.F57, F58: w.F58, F59: w.F59, F60: w.F60,
	}
}

func valueOfWide(m *pb.Wide) *suite.Wide {
	w := &suite.Wide{
		F1: copyOf(m.F1), F2: copyOf(m.F2), F3: copyOf(m.F3), F4: copyOf(m.F4), F5: copyOf(m.F5),
		F6: copyOf(m.F6), F7: copyOf(m.F7), F8: copyOf(m.F8), F9: copyOf(m.F9), F10: copyOf(m.F10),
		F11: copyOf(m.F11), F12: copyOf(m.F12), F13: copyOf(m.F13), F14: copyOf(m.F14), F15: copyOf(m.F15),
		F16: copyOf(m.F16), F17: copyOf(m.F17), F18: copyOf(m.F18), F19: copyOf(m.F19), F20: copyOf(m.F20),
		F21: copyOf(m.F21), F22: copyOf(m.F22), F23: copyOf(m.F23), F24: copyOf(m.F24), F25: copyOf(m.F25),
		F26: copyOf(m.F26), F27: copyOf(m.F27), F28: copyOf(m.F28), F29: copyOf(m.F29), F30: copyOf(m.F30),
		F31: copyOf(m.F31), F32: copyOf(m.F32), F33: copyOf(m.F33), F34: copyOf(m.F34), F35: copyOf(m.F35),
		F36: copyOf(m.F36), F37: copyOf(m.F37), F38: copyOf(m.F38), F39: copyOf(m.F39), F40: copyOf(m.F40),
		F41: copyOf(m.F41), F42: copyOf(m.F42), F43: copyOf(m.F43), F44: copyOf(m.F44), F45: copyOf(m.F45),
		F46: copyOf(m.F46), F47: copyOf(m.F47), F48: copyOf(m.F48), F49: copyOf(m.F49), F50: copyOf(m.F50),
		F51: copyOf(m.F51), F52: copyOf(m.F52), F53: copyOf(m.F53), F54: copyOf(m.F54), F55: copyOf(m.F55),
		F56: copyOf(m.F56), F57: copyOf(m.F57), F58: copyOf(m.F58), F59: copyOf(m.F59), F60: copyOf(m.F60),
	}
	for _, s := range []*string{w.F11, w.F26, w.F41, w.F56} {
		if s != nil {
			*s = clone(*s)
		}
	}
	return w
}

func copyOf[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

func readWide(m *pb.Wide) uint64 {
	var sum uint64
	if m.F1 != nil {
		sum += *m.F1
	}
	if m.F2 != nil {
		sum += uint64(*m.F2)
	}
	if m.F3 != nil {
		sum += uint64(*m.F3)
	}
	if m.F4 != nil {
		sum += uint64(*m.F4)
	}
	if m.F5 != nil {
		sum += uint64(*m.F5)
	}
	if m.F6 != nil {
		sum += *m.F6
	}
	if m.F7 != nil {
		sum += uint64(*m.F7)
	}
	if m.F8 != nil {
		sum += uint64(*m.F8)
	}
	if m.F9 != nil {
		sum += uint64(*m.F9)
	}
	if m.F10 != nil {
		sum += bit(*m.F10)
	}
	if m.F11 != nil {
		sum += text(*m.F11)
	}
	if m.F12 != nil {
		sum += uint64(*m.F12)
	}
	if m.F13 != nil {
		sum += math.Float64bits(*m.F13)
	}
	if m.F14 != nil {
		sum += uint64(*m.F14)
	}
	if m.F15 != nil {
		sum += uint64(math.Float32bits(*m.F15))
	}
	if m.F16 != nil {
		sum += *m.F16
	}
	if m.F17 != nil {
		sum += uint64(*m.F17)
	}
	if m.F18 != nil {
		sum += uint64(*m.F18)
	}
	if m.F19 != nil {
		sum += uint64(*m.F19)
	}
	if m.F20 != nil {
		sum += uint64(*m.F20)
	}
	if m.F21 != nil {
		sum += *m.F21
	}
	if m.F22 != nil {
		sum += uint64(*m.F22)
	}
	if m.F23 != nil {
		sum += uint64(*m.F23)
	}
	if m.F24 != nil {
		sum += uint64(*m.F24)
	}
	if m.F25 != nil {
		sum += bit(*m.F25)
	}
	if m.F26 != nil {
		sum += text(*m.F26)
	}
	if m.F27 != nil {
		sum += uint64(*m.F27)
	}
	if m.F28 != nil {
		sum += math.Float64bits(*m.F28)
	}
	if m.F29 != nil {
		sum += uint64(*m.F29)
	}
	if m.F30 != nil {
		sum += uint64(math.Float32bits(*m.F30))
	}
	if m.F31 != nil {
		sum += *m.F31
	}
	if m.F32 != nil {
		sum += uint64(*m.F32)
	}
	if m.F33 != nil {
		sum += uint64(*m.F33)
	}
	if m.F34 != nil {
		sum += uint64(*m.F34)
	}
	if m.F35 != nil {
		sum += uint64(*m.F35)
	}
	if m.F36 != nil {
		sum += *m.F36
	}
	if m.F37 != nil {
		sum += uint64(*m.F37)
	}
	if m.F38 != nil {
		sum += uint64(*m.F38)
	}
	if m.F39 != nil {
		sum += uint64(*m.F39)
	}
	if m.F40 != nil {
		sum += bit(*m.F40)
	}
	if m.F41 != nil {
		sum += text(*m.F41)
	}
	if m.F42 != nil {
		sum += uint64(*m.F42)
	}
	if m.F43 != nil {
		sum += math.Float64bits(*m.F43)
	}
	if m.F44 != nil {
		sum += uint64(*m.F44)
	}
	if m.F45 != nil {
		sum += uint64(math.Float32bits(*m.F45))
	}
	if m.F46 != nil {
		sum += *m.F46
	}
	if m.F47 != nil {
		sum += uint64(*m.F47)
	}
	if m.F48 != nil {
		sum += uint64(*m.F48)
	}
	if m.F49 != nil {
		sum += uint64(*m.F49)
	}
	if m.F50 != nil {
		sum += uint64(*m.F50)
	}
	if m.F51 != nil {
		sum += *m.F51
	}
	if m.F52 != nil {
		sum += uint64(*m.F52)
	}
	if m.F53 != nil {
		sum += uint64(*m.F53)
	}
	if m.F54 != nil {
		sum += uint64(*m.F54)
	}
	if m.F55 != nil {
		sum += bit(*m.F55)
	}
	if m.F56 != nil {
		sum += text(*m.F56)
	}
	if m.F57 != nil {
		sum += uint64(*m.F57)
	}
	if m.F58 != nil {
		sum += math.Float64bits(*m.F58)
	}
	if m.F59 != nil {
		sum += uint64(*m.F59)
	}
	if m.F60 != nil {
		sum += uint64(math.Float32bits(*m.F60))
	}
	return sum
}

func mutateWide(m *pb.Wide) {
	if m.F1 != nil {
		*m.F1++
	}
	if m.F2 != nil {
		*m.F2++
	}
}
