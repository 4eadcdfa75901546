// Package protojson has the lane of google.golang.org/protobuf/encoding/protojson.
package protojson

import (
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/bench/internal/lanes/internal/form"
	"github.com/flinkser/flinkser/bench/internal/lanes/internal/lines"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// Lanes returns the lane. Sizes may differ a little between builds of the program: the library
// writes blanks at random, the same ones in each run of a program.
func Lanes() []suite.Lane {
	return []suite.Lane{{
		Name: "protojson", Role: "other format", Library: "google.golang.org/protobuf",
		Checks: suite.Checks{UTF8: true, Depth: true, Required: true},
		Workloads: form.Workloads(
			complete(buildRecord, infallible(valueOfRecord), readRecord, mutateRecord),
			complete(buildPost, infallible(valueOfPost), readPost, mutatePost),
			complete(buildBatch, valueOfBatch, readBatch, mutateBatch),
			complete(buildWide, infallible(valueOfWide), readWide, mutateWide),
		),
	}}
}

func infallible[A, B any](f func(A) B) func(A) (B, error) {
	return func(a A) (B, error) { return f(a), nil }
}

// message is a pointer to a generated type.
type message[M any] interface {
	*M
	proto.Message
}

// complete makes a type: a record is a line.
func complete[L, M any, P message[M]](
	build func(*L) P, value func(P) (*L, error), read func(P) uint64, mutate func(P),
) func() (suite.Type[L, P], error) {
	t := suite.Type[L, P]{
		Build: infallible(build), Value: value, Read: read, Mutate: mutate,
		Append: func(dst []byte, m P) ([]byte, error) {
			dst, err := protojson.MarshalOptions{}.MarshalAppend(dst, m)
			return append(dst, '\n'), err
		},
		Clone: func(m P) (P, error) { return proto.Clone(m).(P), nil },
		CloneInto: func(dst, src P) (P, error) {
			proto.Reset(dst)
			proto.Merge(dst, src)
			return dst, nil
		},
		CopyStream: lines.Copy,
	}
	t.Reuse = func(line []byte, m P) (P, error) {
		if len(line) == 0 || line[len(line)-1] != '\n' {
			return nil, suite.ErrShort
		}
		return m, protojson.Unmarshal(line, m)
	}
	t.Decode = func(line []byte) (P, error) { return t.Reuse(line, P(new(M))) }
	return func() (suite.Type[L, P], error) { return t, nil }
}
