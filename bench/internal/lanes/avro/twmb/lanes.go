// Package twmb has the lanes of github.com/twmb/avro.
package twmb

import (
	"github.com/twmb/avro"

	"github.com/flinkser/flinkser/bench/internal/lanes/avro/avrotypes"
	"github.com/flinkser/flinkser/bench/internal/lanes/avro/generic"
	"github.com/flinkser/flinkser/bench/internal/lanes/avro/schema"
	"github.com/flinkser/flinkser/bench/internal/lanes/internal/form"
	"github.com/flinkser/flinkser/bench/internal/lanes/internal/lines"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// Lanes returns the lanes: with structs, with maps that can hold any record, and with structs
// in the JSON of Avro, where the values of unions bear the names of their types.
// Strings and bytes of a record that the library reads lie together in pieces of memory: one of them
// keeps the others alive.
func Lanes() []suite.Lane {
	specific := suite.Lane{
		Name: "avro-twmb-specific", Role: "other format", Library: "github.com/twmb/avro",
		Checks: suite.Checks{Depth: true},
		Workloads: form.Workloads(
			specific(schema.Record, avrotypes.Records(), func(m *avrotypes.Record) { clear(m.Attributes) }),
			specific(schema.Post, avrotypes.Posts(), nil),
			specific(schema.Batch, avrotypes.Batches(), nil),
			specific(schema.Wide, avrotypes.Wides(), nil),
		),
	}
	forms := generic.Forms{Int: func(v int32) any { return v }}
	generic := specific
	generic.Name = "avro-twmb-generic"
	generic.Workloads = form.Workloads(
		anyRecord(schema.Record, forms.Records()),
		anyRecord(schema.Post, forms.Posts()),
		anyRecord(schema.Batch, forms.Batches()),
		anyRecord(schema.Wide, forms.Wides()),
	)
	json := specific
	json.Name = "avro-json"
	json.Workloads = form.Workloads(
		text(schema.Record, avrotypes.Records(), avrotypes.ResetRecord),
		text(schema.Post, avrotypes.Posts(), avrotypes.ResetPost),
		text(schema.Batch, avrotypes.Batches(), avrotypes.ResetBatch),
		text(schema.Wide, avrotypes.Wides(), avrotypes.ResetWide),
	)
	return []suite.Lane{specific, generic, json}
}

// specific adds reading and writing to a type. reset, which may be nil, empties the maps of a
// message: to these the library adds what it reads.
func specific[L, M any](text string, t suite.Type[L, *M], reset func(*M)) func() (suite.Type[L, *M], error) {
	return func() (suite.Type[L, *M], error) {
		s, err := avro.Parse(text)
		if err != nil {
			return t, err
		}
		t.Append = func(dst []byte, m *M) ([]byte, error) { return s.AppendEncode(dst, m) }
		t.Reuse = func(b []byte, m *M) (*M, error) {
			if reset != nil {
				reset(m)
			}
			rest, err := s.Decode(b, m)
			if err == nil && len(rest) > 0 {
				err = suite.ErrRest
			}
			return m, err
		}
		t.Decode = func(b []byte) (*M, error) { return t.Reuse(b, new(M)) }
		t.CopyStream = func(dst, stream []byte) (out, rest []byte, err error) {
			m := new(M)
			if rest, err = s.Decode(stream, m); err != nil {
				return nil, nil, err
			}
			out, err = s.AppendEncode(dst, m)
			return out, rest, err
		}
		return t, nil
	}
}

// anyRecord is specific for maps.
func anyRecord[L any](text string, t suite.Type[L, generic.Map]) func() (suite.Type[L, generic.Map], error) {
	return func() (suite.Type[L, generic.Map], error) {
		s, err := avro.Parse(text)
		if err != nil {
			return t, err
		}
		t.Append = func(dst []byte, m generic.Map) ([]byte, error) { return s.AppendEncode(dst, m) }
		t.Reuse = func(b []byte, m generic.Map) (generic.Map, error) {
			clear(m)
			rest, err := s.Decode(b, &m)
			if err == nil && len(rest) > 0 {
				err = suite.ErrRest
			}
			return m, err
		}
		t.Decode = func(b []byte) (generic.Map, error) { return t.Reuse(b, nil) }
		t.CopyStream = func(dst, stream []byte) (out, rest []byte, err error) {
			var m generic.Map
			if rest, err = s.Decode(stream, &m); err != nil {
				return nil, nil, err
			}
			out, err = s.AppendEncode(dst, m)
			return out, rest, err
		}
		return t, nil
	}
}

// text adds reading and writing as JSON to a type: a record is a line.
func text[L, M any](definition string, t suite.Type[L, *M], reset func(*M)) func() (suite.Type[L, *M], error) {
	return func() (suite.Type[L, *M], error) {
		s, err := avro.Parse(definition)
		if err != nil {
			return t, err
		}
		tagged := []avro.Opt{avro.TaggedUnions()}
		return lines.Complete(lines.Codec{
			Append: func(dst []byte, v any) ([]byte, error) {
				dst, err := s.AppendEncodeJSON(dst, v, tagged...)
				return append(dst, '\n'), err
			},
			Unmarshal: func(line []byte, v any) error { return s.DecodeJSON(line, v, tagged...) },
		}, t, reset), nil
	}
}
