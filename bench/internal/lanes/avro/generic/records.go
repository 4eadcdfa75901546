// Package generic has the records as maps that can hold any record, which is what Avro calls
// generic.
package generic

import (
	"bytes"
	"maps"
	"strings"

	"github.com/flinkser/flinkser/bench/internal/lanes/internal/form"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// Map is a record, or a map.
type Map = map[string]any

// Forms says how a library holds values.
type Forms struct {
	Tagged bool            // a record in a union is in a map, under its name
	Int    func(int32) any // a value of the type int
}

// Records returns what can be done with a Record without a format.
func (f Forms) Records() suite.Type[suite.Record, Map] { return base(f.buildRecord, f.valueOfRecord) }

// Posts returns what can be done with a Post without a format.
func (f Forms) Posts() suite.Type[suite.Post, Map] { return base(f.buildPost, f.valueOfPost) }

// Batches returns what can be done with a Batch without a format.
func (f Forms) Batches() suite.Type[suite.Batch, Map] { return base(f.buildBatch, f.valueOfBatch) }

// Wides returns what can be done with a Wide without a format.
func (f Forms) Wides() suite.Type[suite.Wide, Map] { return base(f.buildWide, f.valueOfWide) }

func base[L any](build func(*L) Map, value func(Map) *L) suite.Type[L, Map] {
	return suite.Type[L, Map]{
		Build: func(l *L) (Map, error) { return build(l), nil },
		Value: func(m Map) (*L, error) { return value(m), nil },
		Clone: func(m Map) (Map, error) { return clone(m).(Map), nil },
		CloneInto: func(dst, src Map) (Map, error) {
			clear(dst)
			maps.Copy(dst, clone(src).(Map))
			return dst, nil
		},
		Read:   func(m Map) uint64 { return read(m) },
		Mutate: func(m Map) { mutate(m) },
	}
}

// named puts a record of a union into a map under its name, where the library wants that.
func (f Forms) named(name string, m Map) any {
	if f.Tagged {
		return Map{"bench." + name: m}
	}
	return m
}

// part is the opposite of named. It returns nil where there is no record.
func (f Forms) part(v any) Map {
	m, _ := v.(Map)
	if !f.Tagged {
		return m
	}
	for _, inner := range m {
		m, _ = inner.(Map)
	}
	return m
}

// get returns a value of a map, or the zero value where it is of another type.
func get[T any](m Map, key string) T {
	v, _ := m[key].(T)
	return v
}

func text(m Map, key string) string { return strings.Clone(get[string](m, key)) }

func data(m Map, key string) []byte { return bytes.Clone(get[[]byte](m, key)) }

// small returns a value of the type int.
func small(m Map, key string) int32 {
	switch v := m[key].(type) {
	case int:
		return int32(v)
	case int32:
		return v
	}
	return 0
}

func unsigned(m Map, key string) uint64 { return uint64(get[int64](m, key)) }

func count(m Map, key string) uint32 { return uint32(get[int64](m, key)) }

// list makes a list of records.
func list[A any](all []A, f func(*A) Map) []any {
	maps := make([]any, len(all))
	for i := range all {
		maps[i] = f(&all[i])
	}
	return maps
}

// each is the opposite of list.
func each[B any](m Map, key string, f func(Map) B) []B {
	var all []B
	for _, v := range get[[]any](m, key) {
		inner, _ := v.(Map)
		all = append(all, f(inner))
	}
	return all
}

func (f Forms) buildRecord(l *suite.Record) Map {
	values := make([]any, len(l.Values))
	for i, v := range l.Values {
		values[i] = v
	}
	attributes := make(Map, len(l.Attributes))
	for _, e := range l.Attributes {
		attributes[e.Key] = e.Value
	}
	m := Map{
		"id": f.Int(l.ID), "timestamp": l.Timestamp, "active": l.Active, "name": l.Name, "note": nil, "payload": l.Payload,
		"child": Map{"code": f.Int(0), "name": ""}, "values": values, "attributes": attributes,
	}
	if l.Note != nil {
		m["note"] = *l.Note
	}
	if c := l.Child; c != nil {
		m["child"] = Map{"code": f.Int(c.Code), "name": c.Name}
	}
	return m
}

func (f Forms) valueOfRecord(m Map) *suite.Record {
	child := get[Map](m, "child")
	l := &suite.Record{
		ID: small(m, "id"), Timestamp: get[int64](m, "timestamp"), Active: get[bool](m, "active"), Name: text(m, "name"),
		Payload: data(m, "payload"), Child: &suite.Child{Code: small(child, "code"), Name: text(child, "name")},
	}
	if note, ok := m["note"].(string); ok {
		note = strings.Clone(note)
		l.Note = &note
	}
	for _, v := range get[[]any](m, "values") {
		n, _ := v.(int64)
		l.Values = append(l.Values, n)
	}
	attributes := get[Map](m, "attributes")
	for k := range attributes {
		l.Attributes = append(l.Attributes, suite.Entry{Key: strings.Clone(k), Value: get[int64](attributes, k)})
	}
	return l
}

func (f Forms) buildPost(l *suite.Post) Map {
	likes := make([]any, len(l.Likes))
	for i, s := range l.Likes {
		likes[i] = s
	}
	return Map{
		"postId": l.ID, "authorId": l.Author, "content": l.Content, "timestamp": l.Timestamp, "likes": likes,
		"mediaAttachments": list(l.Attachments, func(a *suite.Attachment) Map {
			return Map{"type": a.Type, "url": a.URL}
		}),
		"comments": list(l.Comments, func(c *suite.Comment) Map {
			return Map{"commentId": c.ID, "commenterId": c.Commenter, "commentText": c.Text, "timestamp": c.Timestamp}
		}),
	}
}

func (f Forms) valueOfPost(m Map) *suite.Post {
	l := &suite.Post{
		ID: text(m, "postId"), Author: text(m, "authorId"), Content: text(m, "content"), Timestamp: get[int64](m, "timestamp"),
		Attachments: each(m, "mediaAttachments", func(m Map) suite.Attachment {
			return suite.Attachment{Type: text(m, "type"), URL: text(m, "url")}
		}),
		Comments: each(m, "comments", func(m Map) suite.Comment {
			return suite.Comment{
				ID: text(m, "commentId"), Commenter: text(m, "commenterId"), Text: text(m, "commentText"), Timestamp: get[int64](m, "timestamp"),
			}
		}),
	}
	for _, v := range get[[]any](m, "likes") {
		s, _ := v.(string)
		l.Likes = append(l.Likes, strings.Clone(s))
	}
	return l
}

// clone returns a deep copy of a value.
func clone(v any) any {
	switch v := v.(type) {
	case Map:
		c := make(Map, len(v))
		for k, e := range v {
			c[k] = clone(e)
		}
		return c
	case []any:
		c := make([]any, len(v))
		for i, e := range v {
			c[i] = clone(e)
		}
		return c
	case []byte:
		return bytes.Clone(v)
	}
	return v
}

// read touches a value and all in it.
func read(v any) uint64 {
	var n uint64
	switch v := v.(type) {
	case Map:
		for k, e := range v {
			n += form.Text(k) + read(e)
		}
	case []any:
		for _, e := range v {
			n += read(e)
		}
	case []byte:
		n = form.Bytes(v)
	case string:
		n = form.Text(v)
	case bool:
		n = form.Bool(v)
	case int:
		n = uint64(v)
	case int32:
		n = uint64(v)
	case int64:
		n = uint64(v)
	case float32:
		n = form.Double(float64(v))
	case float64:
		n = form.Double(v)
	}
	return n
}

// mutate changes all that is in a value in place, and returns what stands for a value that is no
// reference.
func mutate(v any) any {
	switch v := v.(type) {
	case Map:
		for k, e := range v {
			v[k] = mutate(e)
		}
	case []any:
		for i, e := range v {
			v[i] = mutate(e)
		}
	case []byte:
		form.Flip(v)
	case string:
		return v + "?"
	case int64:
		return v + 1
	case nil:
		return "?"
	}
	return v
}
