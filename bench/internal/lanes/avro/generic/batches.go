package generic

import "github.com/flinkser/flinkser/bench/internal/suite"

func (f Forms) buildBatch(l *suite.Batch) Map {
	return Map{"resourceSpans": list(l.ResourceSpans, f.buildResourceSpans)}
}

func (f Forms) buildResourceSpans(l *suite.ResourceSpans) Map {
	m := Map{"resource": nil, "scopeSpans": list(l.ScopeSpans, f.buildScopeSpans), "schemaUrl": l.SchemaURL}
	if r := l.Resource; r != nil {
		m["resource"] = f.named("Resource", Map{
			"attributes": list(r.Attributes, f.buildKeyValue), "droppedAttributesCount": int64(r.DroppedAttributesCount),
		})
	}
	return m
}

func (f Forms) buildScopeSpans(l *suite.ScopeSpans) Map {
	m := Map{"scope": nil, "spans": list(l.Spans, f.buildSpan), "schemaUrl": l.SchemaURL}
	if s := l.Scope; s != nil {
		m["scope"] = f.named("Scope", Map{
			"name": s.Name, "version": s.Version,
			"attributes": list(s.Attributes, f.buildKeyValue), "droppedAttributesCount": int64(s.DroppedAttributesCount),
		})
	}
	return m
}

func (f Forms) buildSpan(l *suite.Span) Map {
	m := Map{
		"traceId": l.TraceID, "spanId": l.SpanID, "traceState": l.TraceState, "parentSpanId": l.ParentSpanID,
		"flags": int64(l.Flags), "name": l.Name, "kind": f.Int(l.Kind),
		"startTimeUnixNano": int64(l.StartTimeUnixNano), "endTimeUnixNano": int64(l.EndTimeUnixNano),
		"attributes": list(l.Attributes, f.buildKeyValue), "droppedAttributesCount": int64(l.DroppedAttributesCount),
		"events": list(l.Events, f.buildEvent), "droppedEventsCount": int64(l.DroppedEventsCount),
		"links": list(l.Links, f.buildLink), "droppedLinksCount": int64(l.DroppedLinksCount),
		"status": nil,
	}
	if s := l.Status; s != nil {
		m["status"] = f.named("Status", Map{"message": s.Message, "code": f.Int(s.Code)})
	}
	return m
}

func (f Forms) buildEvent(l *suite.Event) Map {
	return Map{
		"timeUnixNano": int64(l.TimeUnixNano), "name": l.Name,
		"attributes": list(l.Attributes, f.buildKeyValue), "droppedAttributesCount": int64(l.DroppedAttributesCount),
	}
}

func (f Forms) buildLink(l *suite.Link) Map {
	return Map{
		"traceId": l.TraceID, "spanId": l.SpanID, "traceState": l.TraceState,
		"attributes": list(l.Attributes, f.buildKeyValue), "droppedAttributesCount": int64(l.DroppedAttributesCount), "flags": int64(l.Flags),
	}
}

func (f Forms) buildKeyValue(l *suite.KeyValue) Map {
	m := Map{"key": l.Key, "value": nil}
	if l.Value != nil {
		m["value"] = f.named("AnyValue", f.buildAnyValue(l.Value))
	}
	return m
}

func (f Forms) buildAnyValue(l *suite.AnyValue) Map {
	m := Map{"stringValue": nil, "boolValue": nil, "intValue": nil, "doubleValue": nil, "arrayValue": nil}
	switch l.Kind {
	case suite.StringValue:
		m["stringValue"] = l.String
	case suite.BoolValue:
		m["boolValue"] = l.Bool
	case suite.IntValue:
		m["intValue"] = l.Int
	case suite.DoubleValue:
		m["doubleValue"] = l.Double
	case suite.ArrayValue:
		m["arrayValue"] = f.named("ArrayValue", Map{"values": list(l.Array, f.buildAnyValue)})
	}
	return m
}

func (f Forms) valueOfBatch(m Map) *suite.Batch {
	return &suite.Batch{ResourceSpans: each(m, "resourceSpans", f.valueOfResourceSpans)}
}

func (f Forms) valueOfResourceSpans(m Map) suite.ResourceSpans {
	l := suite.ResourceSpans{ScopeSpans: each(m, "scopeSpans", f.valueOfScopeSpans), SchemaURL: text(m, "schemaUrl")}
	if r := f.part(m["resource"]); r != nil {
		l.Resource = &suite.Resource{
			Attributes: each(r, "attributes", f.valueOfKeyValue), DroppedAttributesCount: count(r, "droppedAttributesCount"),
		}
	}
	return l
}

func (f Forms) valueOfScopeSpans(m Map) suite.ScopeSpans {
	l := suite.ScopeSpans{Spans: each(m, "spans", f.valueOfSpan), SchemaURL: text(m, "schemaUrl")}
	if s := f.part(m["scope"]); s != nil {
		l.Scope = &suite.Scope{
			Name: text(s, "name"), Version: text(s, "version"),
			Attributes: each(s, "attributes", f.valueOfKeyValue), DroppedAttributesCount: count(s, "droppedAttributesCount"),
		}
	}
	return l
}

func (f Forms) valueOfSpan(m Map) suite.Span {
	l := suite.Span{
		TraceID: data(m, "traceId"), SpanID: data(m, "spanId"), TraceState: text(m, "traceState"), ParentSpanID: data(m, "parentSpanId"),
		Flags: count(m, "flags"), Name: text(m, "name"), Kind: small(m, "kind"),
		StartTimeUnixNano: unsigned(m, "startTimeUnixNano"), EndTimeUnixNano: unsigned(m, "endTimeUnixNano"),
		Attributes: each(m, "attributes", f.valueOfKeyValue), DroppedAttributesCount: count(m, "droppedAttributesCount"),
		Events: each(m, "events", f.valueOfEvent), DroppedEventsCount: count(m, "droppedEventsCount"),
		Links: each(m, "links", f.valueOfLink), DroppedLinksCount: count(m, "droppedLinksCount"),
	}
	if s := f.part(m["status"]); s != nil {
		l.Status = &suite.Status{Message: text(s, "message"), Code: small(s, "code")}
	}
	return l
}

func (f Forms) valueOfEvent(m Map) suite.Event {
	return suite.Event{
		TimeUnixNano: unsigned(m, "timeUnixNano"), Name: text(m, "name"),
		Attributes: each(m, "attributes", f.valueOfKeyValue), DroppedAttributesCount: count(m, "droppedAttributesCount"),
	}
}

func (f Forms) valueOfLink(m Map) suite.Link {
	return suite.Link{
		TraceID: data(m, "traceId"), SpanID: data(m, "spanId"), TraceState: text(m, "traceState"),
		Attributes: each(m, "attributes", f.valueOfKeyValue), DroppedAttributesCount: count(m, "droppedAttributesCount"), Flags: count(m, "flags"),
	}
}

func (f Forms) valueOfKeyValue(m Map) suite.KeyValue {
	l := suite.KeyValue{Key: text(m, "key")}
	if inner := f.part(m["value"]); inner != nil {
		v := f.valueOfAnyValue(inner)
		l.Value = &v
	}
	return l
}

func (f Forms) valueOfAnyValue(m Map) suite.AnyValue {
	if _, ok := m["stringValue"].(string); ok {
		return suite.AnyValue{Kind: suite.StringValue, String: text(m, "stringValue")}
	}
	if v, ok := m["boolValue"].(bool); ok {
		return suite.AnyValue{Kind: suite.BoolValue, Bool: v}
	}
	if v, ok := m["intValue"].(int64); ok {
		return suite.AnyValue{Kind: suite.IntValue, Int: v}
	}
	if v, ok := m["doubleValue"].(float64); ok {
		return suite.AnyValue{Kind: suite.DoubleValue, Double: v}
	}
	if array := f.part(m["arrayValue"]); array != nil {
		return suite.AnyValue{Kind: suite.ArrayValue, Array: each(array, "values", f.valueOfAnyValue)}
	}
	return suite.AnyValue{}
}
