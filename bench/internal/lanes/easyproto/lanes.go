// Package easyproto has the lanes of github.com/VictoriaMetrics/easyproto. The library has no
// generator: the code here is written the way its documentation shows.
package easyproto

import (
	"github.com/VictoriaMetrics/easyproto"

	"github.com/flinkser/flinkser/bench/internal/lanes/internal/form"
	"github.com/flinkser/flinkser/bench/internal/lanes/plain"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// Lanes returns the lanes: with strings and bytes that are copied out of what was read, and with
// those that the library hands out, which lie there.
func Lanes() []suite.Lane {
	safe := suite.Lane{
		Name: "easyproto", Role: "protobuf peer", Library: "github.com/VictoriaMetrics/easyproto",
		Core:      true,
		Workloads: workloads(reader{}),
	}
	alias := safe
	alias.Name += "-alias"
	alias.SharesInput, alias.OptIn, alias.Core = true, true, false
	alias.Workloads = workloads(reader{alias: true})
	return []suite.Lane{safe, alias}
}

func workloads(r reader) map[string]suite.Bound {
	return form.Workloads(
		func() (suite.Type[suite.Record, *plain.Record], error) {
			return complete(plain.Records(), marshalRecord, r, reader.record)
		},
		func() (suite.Type[suite.Post, *plain.Post], error) {
			return complete(plain.Posts(), marshalPost, r, reader.post)
		},
		func() (suite.Type[suite.Batch, *plain.Batch], error) {
			return complete(plain.Batches(), marshalBatch, r, reader.batch)
		},
		func() (suite.Type[suite.Wide, *plain.Wide], error) {
			return complete(plain.Wides(), marshalWide, r, reader.wide)
		},
	)
}

// reader reads messages. A message that is read into is overwritten, and its memory used.
type reader struct {
	alias bool // strings and bytes are parts of what is read
	used  bool // messages may hold something
}

// pool has the marshalers, as the documentation of the library advises.
var pool easyproto.MarshalerPool

// complete adds reading and writing to a type.
func complete[L, M any](
	t suite.Type[L, *M], marshal func(*easyproto.MessageMarshaler, *M), r reader, unmarshal func(reader, *M, []byte) error,
) (suite.Type[L, *M], error) {
	t.Append = func(dst []byte, m *M) ([]byte, error) {
		start := len(dst)
		dst = form.Grow(dst, suite.PrefixBytes)
		w := pool.Get()
		marshal(w.MessageMarshaler(), m)
		dst = w.Marshal(dst)
		pool.Put(w)
		suite.PutPrefix(dst[start:])
		return dst, nil
	}
	t.Decode = func(frame []byte) (*M, error) {
		b, err := suite.Payload(frame)
		if err != nil {
			return nil, err
		}
		m := new(M)
		return m, unmarshal(r, m, b)
	}
	used := r
	used.used = true
	t.Reuse = func(frame []byte, m *M) (*M, error) {
		b, err := suite.Payload(frame)
		if err != nil {
			return nil, err
		}
		return m, unmarshal(used, m, b)
	}
	t.CopyStream = suite.CopyFrame
	t.Protobuf = true
	return t, nil
}
