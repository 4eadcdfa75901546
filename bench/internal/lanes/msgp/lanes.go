// Package msgp has the lanes of github.com/tinylib/msgp.
package msgp

import (
	"github.com/tinylib/msgp/msgp"

	"github.com/flinkser/flinkser/bench/internal/lanes/internal/form"
	"github.com/flinkser/flinkser/bench/internal/lanes/msgp/mapform"
	"github.com/flinkser/flinkser/bench/internal/lanes/msgp/tupleform"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// Lanes returns the lanes: with names of fields in the bytes, and without.
func Lanes() []suite.Lane {
	l := suite.Lane{
		Name: "msgp-map", Role: "other format", Library: "github.com/tinylib/msgp",
		Workloads: form.Workloads(
			complete[suite.Record, *mapform.Record](mapform.Records()),
			complete[suite.Post, *mapform.Post](mapform.Posts()),
			complete[suite.Batch, *mapform.Batch](mapform.Batches()),
			complete[suite.Wide, *mapform.Wide](mapform.Wides()),
		),
	}
	tuple := l
	tuple.Name = "msgp-tuple"
	tuple.Workloads = form.Workloads(
		complete[suite.Record, *tupleform.Record](tupleform.Records()),
		complete[suite.Post, *tupleform.Post](tupleform.Posts()),
		complete[suite.Batch, *tupleform.Batch](tupleform.Batches()),
		complete[suite.Wide, *tupleform.Wide](tupleform.Wides()),
	)
	return []suite.Lane{l, tuple}
}

// message is a pointer to a type that the library has generated code for.
type message[M any] interface {
	*M
	msgp.Marshaler
	msgp.Unmarshaler
}

// complete adds reading and writing to a type. The generated code reads over a message that is
// there; fields that may be missing are emptied where they are.
func complete[L any, P message[M], M any](t suite.Type[L, *M]) func() (suite.Type[L, *M], error) {
	t.Append = func(dst []byte, m *M) ([]byte, error) { return P(m).MarshalMsg(dst) }
	t.Reuse = func(b []byte, m *M) (*M, error) {
		rest, err := P(m).UnmarshalMsg(b)
		if err == nil && len(rest) > 0 {
			err = suite.ErrRest
		}
		return m, err
	}
	t.Decode = func(b []byte) (*M, error) { return t.Reuse(b, new(M)) }
	t.CopyStream = func(dst, stream []byte) (out, rest []byte, err error) {
		if rest, err = msgp.Skip(stream); err != nil {
			return nil, nil, err
		}
		return append(dst, stream[:len(stream)-len(rest)]...), rest, nil
	}
	return func() (suite.Type[L, *M], error) { return t, nil }
}
