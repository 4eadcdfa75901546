// Package opaque holds the lane of google.golang.org/protobuf with messages of the opaque API level.
package opaque

import (
	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/bench/internal/suite"
	pb "github.com/flinkser/flinkser/bench/pb/opaque"
)

// Lanes returns the lane.
func Lanes() []suite.Lane {
	all := map[string]suite.Bound{}
	for _, w := range suite.RecordWorkloads() {
		all[w] = suite.Bind(func() (suite.Type[suite.Record, *pb.Record], error) {
			return messages(infallible(buildRecord), infallible(valueOfRecord), readRecord, mutateRecord), nil
		}, suite.Records(w))
	}
	all[suite.Social] = suite.Bind(func() (suite.Type[suite.Post, *pb.Post], error) {
		return messages(infallible(buildPost), infallible(valueOfPost), readPost, mutatePost), nil
	}, suite.Posts)
	all[suite.Traces] = suite.Bind(func() (suite.Type[suite.Batch, *pb.Batch], error) {
		return messages(infallible(buildBatch), valueOfBatch, readBatch, mutateBatch), nil
	}, suite.Batches)
	all[suite.WideFields] = suite.Bind(func() (suite.Type[suite.Wide, *pb.Wide], error) {
		return messages(infallible(buildWide), infallible(valueOfWide), readWide, mutateWide), nil
	}, suite.Wides)
	return []suite.Lane{{
		Name: "protobuf-go-opaque", Role: "baseline", Library: "google.golang.org/protobuf",
		Checks: suite.Checks{UTF8: true, Depth: true, Required: true, Unknown: true}, Workloads: all,
	}}
}

func infallible[A, B any](f func(A) B) func(A) (B, error) {
	return func(a A) (B, error) { return f(a), nil }
}

// pointer is a pointer to a generated struct.
type pointer[T any] interface {
	*T
	proto.Message
}

// messages makes the lane of one message type.
func messages[L, T any, M pointer[T]](
	build func(*L) (M, error), value func(M) (*L, error), read func(M) uint64, mutate func(M),
) suite.Type[L, M] {
	decode := func(frame []byte, m M) (M, error) {
		b, err := suite.Payload(frame)
		if err != nil {
			return nil, err
		}
		return m, proto.Unmarshal(b, m)
	}
	return suite.Type[L, M]{
		Build: build,
		Value: value,
		Append: func(dst []byte, m M) ([]byte, error) {
			start := len(dst)
			dst, err := proto.MarshalOptions{}.MarshalAppend(append(dst, 0, 0, 0, 0), m)
			if err != nil {
				return dst, err
			}
			suite.PutPrefix(dst[start:])
			return dst, nil
		},
		Decode: func(frame []byte) (M, error) { return decode(frame, new(T)) },
		Reuse:  decode,
		Clone:  func(m M) (M, error) { return proto.CloneOf(m), nil },
		CloneInto: func(dst, src M) (M, error) {
			proto.Reset(dst)
			proto.Merge(dst, src)
			return dst, nil
		},
		CopyStream: suite.CopyFrame,
		Read:       read,
		Mutate:     mutate,
		Protobuf:   true,
	}
}
