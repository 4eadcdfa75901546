// Package vtpool holds the lane of vtprotobuf with its pools, which are its way to use messages again.
package vtpool

import (
	"github.com/flinkser/flinkser/bench/internal/suite"
	pb "github.com/flinkser/flinkser/bench/pb/vtpool"
)

// Lanes returns the lane.
func Lanes() []suite.Lane {
	all := map[string]suite.Bound{}
	for _, w := range suite.RecordWorkloads() {
		all[w] = suite.Bind(func() (suite.Type[suite.Record, *pb.Record], error) {
			return messages(infallible(buildRecord), infallible(valueOfRecord), readRecord, mutateRecord, pb.RecordFromVTPool), nil
		}, suite.Records(w))
	}
	all[suite.Social] = suite.Bind(func() (suite.Type[suite.Post, *pb.Post], error) {
		return messages(infallible(buildPost), infallible(valueOfPost), readPost, mutatePost, pb.PostFromVTPool), nil
	}, suite.Posts)
	all[suite.Traces] = suite.Bind(func() (suite.Type[suite.Batch, *pb.Batch], error) {
		return messages(infallible(buildBatch), valueOfBatch, readBatch, mutateBatch, pb.BatchFromVTPool), nil
	}, suite.Batches)
	all[suite.WideFields] = suite.Bind(func() (suite.Type[suite.Wide, *pb.Wide], error) {
		return messages(infallible(buildWide), infallible(valueOfWide), readWide, mutateWide, pb.WideFromVTPool), nil
	}, suite.Wides)
	return []suite.Lane{{
		Name: "vtprotobuf-pool", Role: "protobuf peer", Library: "github.com/planetscale/vtprotobuf", OptIn: true, Core: true,
		Checks: suite.Checks{Unknown: true}, Workloads: all,
	}}
}

func infallible[A, B any](f func(A) B) func(A) (B, error) {
	return func(a A) (B, error) { return f(a), nil }
}

// message is a pointer to a struct with the generated functions.
type message[T any] interface {
	*T
	SizeVT() int
	MarshalToSizedBufferVT([]byte) (int, error)
	UnmarshalVT([]byte) error
	ReturnToVTPool()
}

// messages makes the lane of one message type.
func messages[L, T any, M message[T]](
	build func(*L) (M, error), value func(M) (*L, error), read func(M) uint64, mutate func(M), fromPool func() *T,
) suite.Type[L, M] {
	t := suite.Type[L, M]{
		Build: build,
		Value: value,
		Append: func(dst []byte, m M) ([]byte, error) {
			start, n := len(dst), suite.PrefixBytes+m.SizeVT()
			if cap(dst)-start < n {
				grown := make([]byte, start, start+n)
				copy(grown, dst)
				dst = grown
			}
			dst = dst[:start+n]
			if _, err := m.MarshalToSizedBufferVT(dst[start+suite.PrefixBytes:]); err != nil {
				return dst[:start], err
			}
			suite.PutPrefix(dst[start:])
			return dst, nil
		},
		Decode: func(frame []byte) (M, error) {
			b, err := suite.Payload(frame)
			if err != nil {
				return nil, err
			}
			m := M(new(T))
			return m, m.UnmarshalVT(b)
		},
		Reuse: func(frame []byte, m M) (M, error) {
			b, err := suite.Payload(frame)
			if err != nil {
				return nil, err
			}
			m.ReturnToVTPool()
			m = fromPool()
			return m, m.UnmarshalVT(b)
		},
		Read:        read,
		Mutate:      mutate,
		Protobuf:    true,
		Unsupported: map[string]string{},
	}
	for _, op := range suite.Operations() {
		if op != suite.DeserializeReuse {
			t.Unsupported[op] = "the pools matter for used messages alone; the lane vtprotobuf does this"
		}
	}
	return t
}
