// Package thrift has the lanes of github.com/apache/thrift.
package thrift

import (
	"bytes"
	"context"

	"github.com/apache/thrift/lib/go/thrift"

	"github.com/flinkser/flinkser/bench/internal/lanes/internal/form"
	"github.com/flinkser/flinkser/bench/internal/lanes/thrift/thriftgen"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// Lanes returns the lanes: the binary protocol and the compact one.
func Lanes() []suite.Lane {
	binary := suite.Lane{
		Name: "thrift-binary", Role: "other format", Library: "github.com/apache/thrift",
		Checks:    suite.Checks{Size: true},
		Workloads: workloads(func(t thrift.TTransport) thrift.TProtocol { return thrift.NewTBinaryProtocolConf(t, nil) }),
	}
	compact := binary
	compact.Name = "thrift-compact"
	compact.Workloads = workloads(func(t thrift.TTransport) thrift.TProtocol { return thrift.NewTCompactProtocolConf(t, nil) })
	return []suite.Lane{binary, compact}
}

func workloads(p func(thrift.TTransport) thrift.TProtocol) map[string]suite.Bound {
	return form.Workloads(
		complete[suite.Record, *thriftgen.Record](p, form.Type(buildRecord, valueOfRecord, copyRecord, readRecord, mutateRecord)),
		complete[suite.Post, *thriftgen.Post](p, form.Type(buildPost, valueOfPost, copyPost, readPost, mutatePost)),
		complete[suite.Batch, *thriftgen.Batch](p, form.Type(buildBatch, valueOfBatch, copyBatch, readBatch, mutateBatch)),
		complete[suite.Wide, *thriftgen.Wide](p, form.Type(buildWide, valueOfWide, copyWide, readWide, mutateWide)),
	)
}

// codec has a protocol over bytes in memory. It is TSerializer and TDeserializer of the library
// without the copies that these make.
type codec struct {
	memory   *thrift.TMemoryBuffer
	protocol thrift.TProtocol
	reset    func() // what an error may have left in the protocol
}

func newCodec(p func(thrift.TTransport) thrift.TProtocol) *codec {
	memory := thrift.NewTMemoryBuffer()
	c := &codec{memory: memory, protocol: p(memory), reset: func() {}}
	if r, ok := c.protocol.(interface{ Reset() }); ok {
		c.reset = r.Reset
	}
	return c
}

// over lets the protocol work on b.
func (c *codec) over(b []byte) {
	*c.memory.Buffer = *bytes.NewBuffer(b)
	c.reset()
}

// append writes a message behind dst.
func (c *codec) append(dst []byte, m thrift.TStruct) ([]byte, error) {
	ctx := context.Background()
	c.over(dst)
	if err := m.Write(ctx, c.protocol); err != nil {
		return dst, err
	}
	err := c.protocol.Flush(ctx)
	return c.memory.Bytes(), err
}

// read reads a message that more may follow.
func (c *codec) read(b []byte, m thrift.TStruct) error {
	c.over(b)
	return m.Read(context.Background(), c.protocol)
}

// message is a pointer to a generated type.
type message[M any] interface {
	*M
	thrift.TStruct
}

// complete adds reading and writing to a type. A message that is read into is emptied, since the
// library leaves what it does not find as it was. What follows a record in a stream is found by
// skipping the record.
func complete[L any, P message[M], M any](
	p func(thrift.TTransport) thrift.TProtocol, t suite.Type[L, *M],
) func() (suite.Type[L, *M], error) {
	return func() (suite.Type[L, *M], error) {
		c := newCodec(p)
		t.Append = func(dst []byte, m *M) ([]byte, error) { return c.append(dst, P(m)) }
		t.Reuse = func(b []byte, m *M) (*M, error) {
			*m = *new(M)
			err := c.read(b, P(m))
			if err == nil && c.memory.Len() > 0 {
				err = suite.ErrRest
			}
			return m, err
		}
		t.Decode = func(b []byte) (*M, error) { return t.Reuse(b, new(M)) }
		t.CopyStream = func(dst, stream []byte) (out, rest []byte, err error) {
			c.over(stream)
			if err := c.protocol.Skip(context.Background(), thrift.STRUCT); err != nil {
				return nil, nil, err
			}
			n := len(stream) - c.memory.Len()
			return append(dst, stream[:n]...), stream[n:], nil
		}
		return t, nil
	}
}
