// Package tuple has a lane without a library: what one would write by hand for a type that never
// changes, as the serializers of Flink for tuples do. Numbers have a fixed width, fields stand in
// the order of their declaration without names or numbers, and nothing can be added later.
package tuple

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/internal/form"
	"github.com/flinkser/flinkser/bench/internal/lanes/plain"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// Lanes returns the lane. Lengths are compared with what is there before memory is taken; depth
// and UTF-8 are not looked at.
func Lanes() []suite.Lane {
	return []suite.Lane{{
		Name: "tuple", Role: "analogue", Library: "by hand", Version: "none",
		Core: true,
		Workloads: form.Workloads(
			func() (suite.Type[suite.Record, *plain.Record], error) {
				return complete(plain.Records(), (*writer).record, (*reader).record)
			},
			func() (suite.Type[suite.Post, *plain.Post], error) {
				return complete(plain.Posts(), (*writer).post, (*reader).post)
			},
			func() (suite.Type[suite.Batch, *plain.Batch], error) {
				return complete(plain.Batches(), (*writer).batch, (*reader).batch)
			},
			func() (suite.Type[suite.Wide, *plain.Wide], error) {
				return complete(plain.Wides(), (*writer).wide, (*reader).wide)
			},
		),
	}}
}

// complete adds reading and writing to a type. Where a record ends in a stream is found by reading
// it without keeping anything.
func complete[L, M any](
	t suite.Type[L, *M], write func(*writer, *M), read func(*reader, *M),
) (suite.Type[L, *M], error) {
	// One of each for all records: they are given to functions that are not known here, so that
	// new ones would be allocated.
	var w writer
	var r reader
	t.Append = func(dst []byte, m *M) ([]byte, error) {
		w.b = dst
		write(&w, m)
		return w.b, nil
	}
	t.Reuse = func(b []byte, m *M) (*M, error) {
		r = reader{b: b}
		read(&r, m)
		if r.short {
			return m, suite.ErrShort
		}
		if len(r.b) > 0 {
			return m, suite.ErrRest
		}
		return m, nil
	}
	t.Decode = func(b []byte) (*M, error) { return t.Reuse(b, new(M)) }
	scratch := new(M)
	t.CopyStream = func(dst, stream []byte) (out, rest []byte, err error) {
		r = reader{b: stream, skip: true}
		if read(&r, scratch); r.short {
			return nil, nil, suite.ErrShort
		}
		return append(dst, stream[:len(stream)-len(r.b)]...), r.b, nil
	}
	return t, nil
}
