// Package vtproto holds the lanes of vtprotobuf without its pools: its plain functions, those that
// write fields strictly in order, and those whose messages share memory with the input.
package vtproto

import (
	"github.com/flinkser/flinkser/bench/internal/suite"
	pb "github.com/flinkser/flinkser/bench/pb/vt"
)

// Lanes returns the lanes.
func Lanes() []suite.Lane {
	lane := func(name string, m mode) suite.Lane {
		return suite.Lane{
			Name: name, Role: "protobuf peer", Library: "github.com/planetscale/vtprotobuf",
			Checks: suite.Checks{Unknown: true}, Workloads: bind(m),
		}
	}
	plain := lane("vtprotobuf", mode{})
	plain.Core = true
	strict := lane("vtprotobuf-strict", mode{strict: true})
	unsafe := lane("vtprotobuf-unsafe", mode{unsafe: true})
	unsafe.OptIn, unsafe.SharesInput = true, true
	return []suite.Lane{plain, strict, unsafe}
}

// mode says which of the generated functions are called.
type mode struct{ strict, unsafe bool }

func bind(m mode) map[string]suite.Bound {
	all := map[string]suite.Bound{}
	for _, w := range suite.RecordWorkloads() {
		all[w] = suite.Bind(func() (suite.Type[suite.Record, *pb.Record], error) {
			return messages(m, infallible(buildRecord), infallible(valueOfRecord), readRecord, mutateRecord), nil
		}, suite.Records(w))
	}
	all[suite.Social] = suite.Bind(func() (suite.Type[suite.Post, *pb.Post], error) {
		return messages(m, infallible(buildPost), infallible(valueOfPost), readPost, mutatePost), nil
	}, suite.Posts)
	all[suite.Traces] = suite.Bind(func() (suite.Type[suite.Batch, *pb.Batch], error) {
		return messages(m, infallible(buildBatch), valueOfBatch, readBatch, mutateBatch), nil
	}, suite.Batches)
	all[suite.WideFields] = suite.Bind(func() (suite.Type[suite.Wide, *pb.Wide], error) {
		return messages(m, infallible(buildWide), infallible(valueOfWide), readWide, mutateWide), nil
	}, suite.Wides)
	return all
}

func infallible[A, B any](f func(A) B) func(A) (B, error) {
	return func(a A) (B, error) { return f(a), nil }
}

// message is a pointer to a struct with the generated functions.
type message[T any] interface {
	*T
	SizeVT() int
	MarshalToSizedBufferVT([]byte) (int, error)
	MarshalToSizedBufferVTStrict([]byte) (int, error)
	UnmarshalVT([]byte) error
	UnmarshalVTUnsafe([]byte) error
	CloneVT() *T
}

// messages makes the lane of one message type.
func messages[L, T any, M message[T]](
	mode mode, build func(*L) (M, error), value func(M) (*L, error), read func(M) uint64, mutate func(M),
) suite.Type[L, M] {
	const other = "the same as in the lane vtprotobuf"
	t := suite.Type[L, M]{
		Build:       build,
		Value:       value,
		Append:      appendTo[T, M](M.MarshalToSizedBufferVT),
		Decode:      decode[T, M](M.UnmarshalVT),
		Clone:       func(m M) (M, error) { return m.CloneVT(), nil },
		CopyStream:  suite.CopyFrame,
		Read:        read,
		Mutate:      mutate,
		Protobuf:    true,
		Unsupported: map[string]string{},
	}
	// The code merges, so that a used message has to be cleared, and its parts are lost.
	t.Reuse = func(frame []byte, m M) (M, error) {
		b, err := suite.Payload(frame)
		if err != nil {
			return nil, err
		}
		var zero T
		*m = zero
		return m, m.UnmarshalVT(b)
	}
	t.CloneInto = func(_, src M) (M, error) { return src.CloneVT(), nil }
	switch {
	case mode.strict:
		t.Append = appendTo[T, M](M.MarshalToSizedBufferVTStrict)
		for _, op := range []string{suite.Deserialize, suite.DeserializeReuse, suite.DecodeAndRead, suite.ObjectCopy, suite.ObjectCopyReuse, suite.StreamCopy} {
			t.Unsupported[op] = other
		}
	case mode.unsafe:
		t.Decode = decode[T, M](M.UnmarshalVTUnsafe)
		t.Reuse = nil
		t.Unsupported[suite.DeserializeReuse] = "messages share memory with the input, and the parts of a used one are not used again"
		for _, op := range []string{suite.Serialize, suite.SerializeSameInstance, suite.BuildAndSerialize, suite.ObjectCopy, suite.ObjectCopyReuse, suite.StreamCopy} {
			t.Unsupported[op] = other
		}
	}
	return t
}

func appendTo[T any, M message[T]](marshal func(M, []byte) (int, error)) func(dst []byte, m M) ([]byte, error) {
	return func(dst []byte, m M) ([]byte, error) {
		start, n := len(dst), suite.PrefixBytes+m.SizeVT()
		if cap(dst)-start < n {
			grown := make([]byte, start, start+n)
			copy(grown, dst)
			dst = grown
		}
		dst = dst[:start+n]
		if _, err := marshal(m, dst[start+suite.PrefixBytes:]); err != nil {
			return dst[:start], err
		}
		suite.PutPrefix(dst[start:])
		return dst, nil
	}
}

func decode[T any, M message[T]](unmarshal func(M, []byte) error) func(frame []byte) (M, error) {
	return func(frame []byte) (M, error) {
		b, err := suite.Payload(frame)
		if err != nil {
			return nil, err
		}
		m := M(new(T))
		return m, unmarshal(m, b)
	}
}
