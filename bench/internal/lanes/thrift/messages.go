package thrift

import (
	"bytes"
	"slices"
	"strings"

	"github.com/flinkser/flinkser/bench/internal/lanes/internal/form"
	"github.com/flinkser/flinkser/bench/internal/lanes/thrift/thriftgen"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

func buildRecord(l *suite.Record) *thriftgen.Record {
	m := &thriftgen.Record{
		ID: l.ID, Timestamp: l.Timestamp, Active: l.Active, Name: l.Name, Payload: l.Payload,
		Values: l.Values, Attributes: form.Map(l.Attributes),
	}
	m.Note = l.Note
	if l.Child != nil {
		m.Child = &thriftgen.Child{Code: l.Child.Code, Name: l.Child.Name}
	}
	return m
}

func valueOfRecord(m *thriftgen.Record) *suite.Record {
	l := &suite.Record{
		ID: m.ID, Timestamp: m.Timestamp, Active: m.Active, Name: strings.Clone(m.Name),
		Payload: bytes.Clone(m.Payload), Values: slices.Clone(m.Values), Attributes: form.Entries(m.Attributes),
	}
	if m.Note != nil {
		note := strings.Clone(*m.Note)
		l.Note = &note
	}
	if m.Child != nil {
		l.Child = &suite.Child{Code: m.Child.Code, Name: strings.Clone(m.Child.Name)}
	}
	return l
}

func readRecord(m *thriftgen.Record) uint64 {
	n := uint64(m.ID) + uint64(m.Timestamp) + form.Bool(m.Active) + form.Text(m.Name) + form.Text(m.GetNote()) + form.Bytes(m.Payload)
	if c := m.Child; c != nil {
		n += uint64(c.Code) + form.Text(c.Name)
	}
	for _, v := range m.Values {
		n += uint64(v)
	}
	for k, v := range m.Attributes {
		n += form.Text(k) + uint64(v)
	}
	return n
}

func mutateRecord(m *thriftgen.Record) {
	if m.Child != nil {
		m.Child.Name += "?"
	}
	m.Values = form.Change(m.Values, 1)
	if m.Attributes == nil {
		m.Attributes = map[string]int64{}
	}
	m.Attributes["?"]++
	form.Flip(m.Payload)
	if m.Note != nil {
		*m.Note += "?"
	}
}

func buildPost(l *suite.Post) *thriftgen.Post {
	return &thriftgen.Post{
		PostID: l.ID, AuthorID: l.Author, Content: l.Content, Timestamp: l.Timestamp, Likes: l.Likes,
		Attachments: form.Pointers(l.Attachments, func(a *suite.Attachment) *thriftgen.Attachment {
			return &thriftgen.Attachment{Type: a.Type, URL: a.URL}
		}),
		Comments: form.Pointers(l.Comments, func(c *suite.Comment) *thriftgen.Comment {
			return &thriftgen.Comment{CommentID: c.ID, CommenterID: c.Commenter, CommentText: c.Text, Timestamp: c.Timestamp}
		}),
	}
}

func valueOfPost(m *thriftgen.Post) *suite.Post {
	l := &suite.Post{
		ID: strings.Clone(m.PostID), Author: strings.Clone(m.AuthorID), Content: strings.Clone(m.Content), Timestamp: m.Timestamp,
		Attachments: form.Values(m.Attachments, func(a *thriftgen.Attachment) suite.Attachment {
			return suite.Attachment{Type: strings.Clone(a.Type), URL: strings.Clone(a.URL)}
		}),
		Comments: form.Values(m.Comments, func(c *thriftgen.Comment) suite.Comment {
			return suite.Comment{
				ID: strings.Clone(c.CommentID), Commenter: strings.Clone(c.CommenterID), Text: strings.Clone(c.CommentText), Timestamp: c.Timestamp,
			}
		}),
	}
	for _, s := range m.Likes {
		l.Likes = append(l.Likes, strings.Clone(s))
	}
	return l
}

func readPost(m *thriftgen.Post) uint64 {
	n := form.Text(m.PostID) + form.Text(m.AuthorID) + form.Text(m.Content) + uint64(m.Timestamp)
	for _, a := range m.Attachments {
		n += form.Text(a.Type) + form.Text(a.URL)
	}
	for _, s := range m.Likes {
		n += form.Text(s)
	}
	for _, c := range m.Comments {
		n += form.Text(c.CommentID) + form.Text(c.CommenterID) + form.Text(c.CommentText) + uint64(c.Timestamp)
	}
	return n
}

func mutatePost(m *thriftgen.Post) {
	for _, a := range m.Attachments {
		a.Type += "?"
	}
	for _, c := range m.Comments {
		c.CommentText += "?"
	}
	m.Likes = form.Change(m.Likes, "?")
}

func buildBatch(l *suite.Batch) *thriftgen.Batch {
	return &thriftgen.Batch{ResourceSpans: form.Pointers(l.ResourceSpans, buildResourceSpans)}
}

func buildResourceSpans(l *suite.ResourceSpans) *thriftgen.ResourceSpans {
	m := &thriftgen.ResourceSpans{ScopeSpans: form.Pointers(l.ScopeSpans, buildScopeSpans), SchemaURL: l.SchemaURL}
	if r := l.Resource; r != nil {
		m.Resource = &thriftgen.Resource{
			Attributes: form.Pointers(r.Attributes, buildKeyValue), DroppedAttributesCount: int64(r.DroppedAttributesCount),
		}
	}
	return m
}

func buildScopeSpans(l *suite.ScopeSpans) *thriftgen.ScopeSpans {
	m := &thriftgen.ScopeSpans{Spans: form.Pointers(l.Spans, buildSpan), SchemaURL: l.SchemaURL}
	if s := l.Scope; s != nil {
		m.Scope = &thriftgen.Scope{
			Name: s.Name, Version: s.Version,
			Attributes: form.Pointers(s.Attributes, buildKeyValue), DroppedAttributesCount: int64(s.DroppedAttributesCount),
		}
	}
	return m
}

func buildSpan(l *suite.Span) *thriftgen.Span {
	m := &thriftgen.Span{
		TraceID: l.TraceID, SpanID: l.SpanID, TraceState: l.TraceState, ParentSpanID: l.ParentSpanID,
		Flags: int64(l.Flags), Name: l.Name, Kind: l.Kind,
		StartTimeUnixNano: int64(l.StartTimeUnixNano), EndTimeUnixNano: int64(l.EndTimeUnixNano),
		Attributes: form.Pointers(l.Attributes, buildKeyValue), DroppedAttributesCount: int64(l.DroppedAttributesCount),
		Events: form.Pointers(l.Events, buildEvent), DroppedEventsCount: int64(l.DroppedEventsCount),
		Links: form.Pointers(l.Links, buildLink), DroppedLinksCount: int64(l.DroppedLinksCount),
	}
	if s := l.Status; s != nil {
		m.Status = &thriftgen.Status{Message: s.Message, Code: s.Code}
	}
	return m
}

func buildEvent(l *suite.Event) *thriftgen.Event {
	return &thriftgen.Event{
		TimeUnixNano: int64(l.TimeUnixNano), Name: l.Name,
		Attributes: form.Pointers(l.Attributes, buildKeyValue), DroppedAttributesCount: int64(l.DroppedAttributesCount),
	}
}

func buildLink(l *suite.Link) *thriftgen.Link {
	return &thriftgen.Link{
		TraceID: l.TraceID, SpanID: l.SpanID, TraceState: l.TraceState,
		Attributes: form.Pointers(l.Attributes, buildKeyValue), DroppedAttributesCount: int64(l.DroppedAttributesCount), Flags: int64(l.Flags),
	}
}

func buildKeyValue(l *suite.KeyValue) *thriftgen.KeyValue {
	m := &thriftgen.KeyValue{Key: l.Key}
	if l.Value != nil {
		m.Value = buildAnyValue(l.Value)
	}
	return m
}

func buildAnyValue(l *suite.AnyValue) *thriftgen.AnyValue {
	m := new(thriftgen.AnyValue)
	switch l.Kind {
	case suite.StringValue:
		m.StringValue = form.Pointer(nil, &l.String)
	case suite.BoolValue:
		m.BoolValue = form.Pointer(nil, &l.Bool)
	case suite.IntValue:
		m.IntValue = form.Pointer(nil, &l.Int)
	case suite.DoubleValue:
		m.DoubleValue = form.Pointer(nil, &l.Double)
	case suite.ArrayValue:
		m.ArrayValue = &thriftgen.ArrayValue{Values: form.Pointers(l.Array, buildAnyValue)}
	}
	return m
}

func valueOfBatch(m *thriftgen.Batch) *suite.Batch {
	return &suite.Batch{ResourceSpans: form.Values(m.ResourceSpans, valueOfResourceSpans)}
}

func valueOfResourceSpans(m *thriftgen.ResourceSpans) suite.ResourceSpans {
	l := suite.ResourceSpans{ScopeSpans: form.Values(m.ScopeSpans, valueOfScopeSpans), SchemaURL: strings.Clone(m.SchemaURL)}
	if r := m.Resource; r != nil {
		l.Resource = &suite.Resource{
			Attributes: form.Values(r.Attributes, valueOfKeyValue), DroppedAttributesCount: uint32(r.DroppedAttributesCount),
		}
	}
	return l
}

func valueOfScopeSpans(m *thriftgen.ScopeSpans) suite.ScopeSpans {
	l := suite.ScopeSpans{Spans: form.Values(m.Spans, valueOfSpan), SchemaURL: strings.Clone(m.SchemaURL)}
	if s := m.Scope; s != nil {
		l.Scope = &suite.Scope{
			Name: strings.Clone(s.Name), Version: strings.Clone(s.Version),
			Attributes: form.Values(s.Attributes, valueOfKeyValue), DroppedAttributesCount: uint32(s.DroppedAttributesCount),
		}
	}
	return l
}

func valueOfSpan(m *thriftgen.Span) suite.Span {
	l := suite.Span{
		TraceID: bytes.Clone(m.TraceID), SpanID: bytes.Clone(m.SpanID), TraceState: strings.Clone(m.TraceState),
		ParentSpanID: bytes.Clone(m.ParentSpanID), Flags: uint32(m.Flags), Name: strings.Clone(m.Name), Kind: m.Kind,
		StartTimeUnixNano: uint64(m.StartTimeUnixNano), EndTimeUnixNano: uint64(m.EndTimeUnixNano),
		Attributes: form.Values(m.Attributes, valueOfKeyValue), DroppedAttributesCount: uint32(m.DroppedAttributesCount),
		Events: form.Values(m.Events, valueOfEvent), DroppedEventsCount: uint32(m.DroppedEventsCount),
		Links: form.Values(m.Links, valueOfLink), DroppedLinksCount: uint32(m.DroppedLinksCount),
	}
	if s := m.Status; s != nil {
		l.Status = &suite.Status{Message: strings.Clone(s.Message), Code: s.Code}
	}
	return l
}

func valueOfEvent(m *thriftgen.Event) suite.Event {
	return suite.Event{
		TimeUnixNano: uint64(m.TimeUnixNano), Name: strings.Clone(m.Name),
		Attributes: form.Values(m.Attributes, valueOfKeyValue), DroppedAttributesCount: uint32(m.DroppedAttributesCount),
	}
}

func valueOfLink(m *thriftgen.Link) suite.Link {
	return suite.Link{
		TraceID: bytes.Clone(m.TraceID), SpanID: bytes.Clone(m.SpanID), TraceState: strings.Clone(m.TraceState),
		Attributes: form.Values(m.Attributes, valueOfKeyValue), DroppedAttributesCount: uint32(m.DroppedAttributesCount), Flags: uint32(m.Flags),
	}
}

func valueOfKeyValue(m *thriftgen.KeyValue) suite.KeyValue {
	l := suite.KeyValue{Key: strings.Clone(m.Key)}
	if m.Value != nil {
		v := valueOfAnyValue(m.Value)
		l.Value = &v
	}
	return l
}

func valueOfAnyValue(m *thriftgen.AnyValue) suite.AnyValue {
	switch {
	case m.StringValue != nil:
		return suite.AnyValue{Kind: suite.StringValue, String: strings.Clone(*m.StringValue)}
	case m.BoolValue != nil:
		return suite.AnyValue{Kind: suite.BoolValue, Bool: *m.BoolValue}
	case m.IntValue != nil:
		return suite.AnyValue{Kind: suite.IntValue, Int: *m.IntValue}
	case m.DoubleValue != nil:
		return suite.AnyValue{Kind: suite.DoubleValue, Double: *m.DoubleValue}
	case m.ArrayValue != nil:
		return suite.AnyValue{Kind: suite.ArrayValue, Array: form.Values(m.ArrayValue.Values, valueOfAnyValue)}
	}
	return suite.AnyValue{}
}

func readBatch(m *thriftgen.Batch) uint64 {
	var n uint64
	for _, rs := range m.ResourceSpans {
		n += form.Text(rs.SchemaURL)
		if r := rs.Resource; r != nil {
			n += readKeyValues(r.Attributes) + uint64(r.DroppedAttributesCount)
		}
		for _, ss := range rs.ScopeSpans {
			n += readScopeSpans(ss)
		}
	}
	return n
}

func readScopeSpans(m *thriftgen.ScopeSpans) uint64 {
	n := form.Text(m.SchemaURL)
	if s := m.Scope; s != nil {
		n += form.Text(s.Name) + form.Text(s.Version) + readKeyValues(s.Attributes) + uint64(s.DroppedAttributesCount)
	}
	for _, s := range m.Spans {
		n += readSpan(s)
	}
	return n
}

func readSpan(m *thriftgen.Span) uint64 {
	n := form.Bytes(m.TraceID) + form.Bytes(m.SpanID) + form.Text(m.TraceState) + form.Bytes(m.ParentSpanID) +
		uint64(m.Flags) + form.Text(m.Name) + uint64(m.Kind) + uint64(m.StartTimeUnixNano) + uint64(m.EndTimeUnixNano) +
		readKeyValues(m.Attributes) + uint64(m.DroppedAttributesCount) + uint64(m.DroppedEventsCount) + uint64(m.DroppedLinksCount)
	for _, e := range m.Events {
		n += uint64(e.TimeUnixNano) + form.Text(e.Name) + readKeyValues(e.Attributes) + uint64(e.DroppedAttributesCount)
	}
	for _, l := range m.Links {
		n += form.Bytes(l.TraceID) + form.Bytes(l.SpanID) + form.Text(l.TraceState) + readKeyValues(l.Attributes) +
			uint64(l.DroppedAttributesCount) + uint64(l.Flags)
	}
	if s := m.Status; s != nil {
		n += form.Text(s.Message) + uint64(s.Code)
	}
	return n
}

func readKeyValues(list []*thriftgen.KeyValue) uint64 {
	var n uint64
	for _, kv := range list {
		n += form.Text(kv.Key)
		if kv.Value != nil {
			n += readAnyValue(kv.Value)
		}
	}
	return n
}

func readAnyValue(m *thriftgen.AnyValue) uint64 {
	var n uint64
	switch {
	case m.StringValue != nil:
		n = form.Text(*m.StringValue)
	case m.BoolValue != nil:
		n = form.Bool(*m.BoolValue)
	case m.IntValue != nil:
		n = uint64(*m.IntValue)
	case m.DoubleValue != nil:
		n = form.Double(*m.DoubleValue)
	case m.ArrayValue != nil:
		for _, e := range m.ArrayValue.Values {
			n += readAnyValue(e)
		}
	}
	return n
}

func mutateBatch(m *thriftgen.Batch) {
	for _, rs := range m.ResourceSpans {
		if rs.Resource != nil {
			mutateKeyValues(rs.Resource.Attributes)
		}
		for _, ss := range rs.ScopeSpans {
			for _, s := range ss.Spans {
				form.Flip(s.TraceID)
				form.Flip(s.SpanID)
				mutateKeyValues(s.Attributes)
				s.Events = form.Change(s.Events, &thriftgen.Event{Name: "?"})
				s.Links = form.Change(s.Links, &thriftgen.Link{TraceState: "?"})
				if s.Status != nil {
					s.Status.Code++
				}
			}
		}
	}
	m.ResourceSpans = append(m.ResourceSpans, &thriftgen.ResourceSpans{SchemaURL: "?"})
}

func mutateKeyValues(list []*thriftgen.KeyValue) {
	for _, kv := range list {
		kv.Key += "?"
		if kv.Value != nil {
			mutateAnyValue(kv.Value)
		}
	}
}

func mutateAnyValue(m *thriftgen.AnyValue) {
	switch {
	case m.StringValue != nil:
		*m.StringValue += "?"
	case m.BoolValue != nil:
		*m.BoolValue = !*m.BoolValue
	case m.IntValue != nil:
		*m.IntValue++
	case m.DoubleValue != nil:
		*m.DoubleValue++
	case m.ArrayValue != nil:
		for _, e := range m.ArrayValue.Values {
			mutateAnyValue(e)
		}
		m.ArrayValue.Values = form.Change(m.ArrayValue.Values, new(thriftgen.AnyValue))
	}
}
