// Package hamba has the lanes of github.com/hamba/avro.
package hamba

import (
	"errors"
	"io"

	"github.com/hamba/avro/v2"

	"github.com/flinkser/flinkser/bench/internal/lanes/avro/avrotypes"
	"github.com/flinkser/flinkser/bench/internal/lanes/avro/generic"
	"github.com/flinkser/flinkser/bench/internal/lanes/avro/schema"
	"github.com/flinkser/flinkser/bench/internal/lanes/internal/form"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// Lanes returns the lanes: with structs, and with maps that can hold any record. Short strings and
// bytes that the library reads lie together in pieces of memory of 1 kB, over the ends of records:
// one of them keeps the others alive.
func Lanes() []suite.Lane {
	specific := suite.Lane{
		Name: "avro-hamba-specific", Role: "other format", Library: "github.com/hamba/avro/v2",
		Checks: suite.Checks{Size: true},
		Workloads: form.Workloads(
			specific(schema.Record, avrotypes.Records(), avrotypes.ResetRecord),
			specific(schema.Post, avrotypes.Posts(), avrotypes.ResetPost),
			specific(schema.Batch, avrotypes.Batches(), avrotypes.ResetBatch),
			specific(schema.Wide, avrotypes.Wides(), avrotypes.ResetWide),
		),
	}
	forms := generic.Forms{Tagged: true, Int: func(v int32) any { return int(v) }}
	generic := specific
	generic.Name = "avro-hamba-generic"
	generic.Workloads = form.Workloads(
		anyRecord(schema.Record, forms.Records()),
		anyRecord(schema.Post, forms.Posts()),
		anyRecord(schema.Batch, forms.Batches()),
		anyRecord(schema.Wide, forms.Wides()),
	)
	return []suite.Lane{specific, generic}
}

// codec uses one reader and one writer for all records, as the documentation of the library
// advises where many are handled.
type codec struct {
	schema avro.Schema
	writer *avro.Writer
	reader *avro.Reader
}

func newCodec(text string) (*codec, error) {
	s, err := avro.Parse(text)
	return &codec{schema: s, writer: avro.NewWriter(nil, suite.BufferBytes), reader: avro.NewReader(nil, 0)}, err
}

// append writes a value behind dst. The library can write only into a buffer of its own.
func (c *codec) append(dst []byte, v any) ([]byte, error) {
	c.writer.Reset(nil)
	c.writer.Error = nil
	c.writer.WriteVal(c.schema, v)
	return append(dst, c.writer.Buffer()...), c.writer.Error
}

// read reads a value that is all there is.
func (c *codec) read(b []byte, to any) error {
	if err := c.readFirst(b, to); err != nil {
		return err
	}
	if c.reader.Peek(); !errors.Is(c.reader.Error, io.EOF) {
		return suite.ErrRest
	}
	return nil
}

// readFirst reads a value that more may follow.
func (c *codec) readFirst(b []byte, to any) error {
	c.reader.Reset(b)
	c.reader.Error = nil
	c.reader.ReadVal(c.schema, to)
	return c.reader.Error
}

// copyStream copies a value by reading and writing it, since nothing in the format says where it
// ends. The library does not tell how much it has read; what it writes is as long as what it wrote
// before.
func (c *codec) copyStream(dst, stream []byte, m any) (out, rest []byte, err error) {
	if err := c.readFirst(stream, m); err != nil {
		return nil, nil, err
	}
	if out, err = c.append(dst, m); err != nil {
		return nil, nil, err
	}
	n := len(out) - len(dst)
	if n > len(stream) {
		return nil, nil, suite.ErrShort
	}
	return out, stream[n:], nil
}

// specific adds reading and writing to a type. reset empties a message, since the library leaves
// lists and maps as they were where it reads empty ones.
func specific[L, M any](text string, t suite.Type[L, *M], reset func(*M)) func() (suite.Type[L, *M], error) {
	return func() (suite.Type[L, *M], error) {
		c, err := newCodec(text)
		if err != nil {
			return t, err
		}
		t.Append = func(dst []byte, m *M) ([]byte, error) { return c.append(dst, m) }
		t.Decode = func(b []byte) (*M, error) {
			m := new(M)
			return m, c.read(b, m)
		}
		t.Reuse = func(b []byte, m *M) (*M, error) {
			reset(m)
			return m, c.read(b, m)
		}
		t.CopyStream = func(dst, stream []byte) (out, rest []byte, err error) {
			return c.copyStream(dst, stream, new(M))
		}
		return t, nil
	}
}

// anyRecord is specific for maps.
func anyRecord[L any](text string, t suite.Type[L, generic.Map]) func() (suite.Type[L, generic.Map], error) {
	return func() (suite.Type[L, generic.Map], error) {
		c, err := newCodec(text)
		if err != nil {
			return t, err
		}
		t.Append = func(dst []byte, m generic.Map) ([]byte, error) { return c.append(dst, m) }
		t.Decode = func(b []byte) (generic.Map, error) {
			var m generic.Map
			err := c.read(b, &m)
			return m, err
		}
		t.Reuse = func(b []byte, m generic.Map) (generic.Map, error) {
			clear(m)
			err := c.read(b, &m)
			return m, err
		}
		t.CopyStream = func(dst, stream []byte) (out, rest []byte, err error) {
			var m generic.Map
			return c.copyStream(dst, stream, &m)
		}
		return t, nil
	}
}
