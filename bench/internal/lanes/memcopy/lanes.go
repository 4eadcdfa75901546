// Package memcopy holds the lane that only copies frames: what no serializer of this format can beat.
// The messages of google.golang.org/protobuf are there for the gate alone.
package memcopy

import (
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/bench/internal/suite"
)

// Lanes returns the lane.
func Lanes() []suite.Lane {
	all := map[string]suite.Bound{}
	for _, w := range suite.RecordWorkloads() {
		all[w] = suite.Bind(func() (suite.Type[suite.Record, []byte], error) {
			return frames(buildRecord, infallible(valueOfRecord)), nil
		}, suite.Records(w))
	}
	all[suite.Social] = suite.Bind(func() (suite.Type[suite.Post, []byte], error) {
		return frames(buildPost, infallible(valueOfPost)), nil
	}, suite.Posts)
	all[suite.Traces] = suite.Bind(func() (suite.Type[suite.Batch, []byte], error) {
		return frames(buildBatch, valueOfBatch), nil
	}, suite.Batches)
	all[suite.WideFields] = suite.Bind(func() (suite.Type[suite.Wide, []byte], error) {
		return frames(buildWide, infallible(valueOfWide)), nil
	}, suite.Wides)
	return []suite.Lane{{
		Name: "memcpy", Role: "analogue", Library: "a copy of the bytes", Version: "none", Core: true,
		Checks: suite.Checks{Unknown: true}, Workloads: all,
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

// frames makes the lane of one type. What it holds as a message is the frame.
func frames[L, T any, M pointer[T]](build func(*L) M, value func(M) (*L, error)) suite.Type[L, []byte] {
	read := func(frame []byte) (M, error) {
		b, err := suite.Payload(frame)
		if err != nil {
			return nil, err
		}
		m := M(new(T))
		return m, proto.Unmarshal(b, m)
	}
	return suite.Type[L, []byte]{
		Build: func(v *L) ([]byte, error) {
			b, err := proto.MarshalOptions{Deterministic: true}.MarshalAppend(make([]byte, suite.PrefixBytes), build(v))
			if err != nil {
				return nil, err
			}
			return suite.PutPrefix(b), nil
		},
		Value: func(frame []byte) (*L, error) {
			m, err := read(frame)
			if err != nil {
				return nil, err
			}
			return value(m)
		},
		Append: func(dst, frame []byte) ([]byte, error) { return append(dst, frame...), nil },
		// Into new memory, as every reader needs it.
		Decode: func(frame []byte) ([]byte, error) {
			_, err := suite.Payload(frame)
			return copied(frame), err
		},
		Reuse: func(frame, used []byte) ([]byte, error) {
			_, err := suite.Payload(frame)
			return append(used[:0], frame...), err
		},
		Clone:      func(frame []byte) ([]byte, error) { return copied(frame), nil },
		CloneInto:  func(dst, src []byte) ([]byte, error) { return append(dst[:0], src...), nil },
		CopyStream: suite.CopyFrame,
		Mutate: func(frame []byte) {
			if at := place(frame); at > 0 {
				frame[at]++
			}
		},
		Protobuf: true,
		Unsupported: map[string]string{
			suite.BuildAndSerialize: "there is no message to build",
			suite.DecodeAndRead:     "there is no message to read",
		},
	}
}

// place returns the index of the first byte of the field payload of a Record, or of the last byte of
// the frame where there is none.
func place(frame []byte) int {
	const payload = 6
	for at := suite.PrefixBytes; at < len(frame); {
		number, kind, n := protowire.ConsumeField(frame[at:])
		if n < 0 {
			break
		}
		at += n
		if _, size := protowire.ConsumeBytes(frame[at-n+1:]); number == payload && kind == protowire.BytesType && size > 1 {
			content, _ := protowire.ConsumeBytes(frame[at-n+1:])
			return at - len(content)
		}
	}
	if len(frame) == suite.PrefixBytes {
		return 0
	}
	return len(frame) - 1
}

func copied(b []byte) []byte {
	c := make([]byte, len(b))
	copy(c, b)
	return c
}
