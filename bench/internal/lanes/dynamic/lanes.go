// Package dynamic holds the lanes of messages that are known from a descriptor alone: dynamicpb of
// google.golang.org/protobuf, handled by that library and by this project's code.
package dynamic

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/flinkser/flinkser/bench/internal/lanes/reflected"
	"github.com/flinkser/flinkser/bench/internal/suite"
	"github.com/flinkser/flinkser/runtime/dynamic"
)

// Lanes returns the lanes.
func Lanes() []suite.Lane {
	return []suite.Lane{
		{
			Name: "ours-dynamic", Role: "native", Library: "github.com/flinkser/flinkser", Version: "this tree", OptIn: true,
			Checks: suite.Checks{UTF8: true, Depth: true, Size: true, Required: true, Unknown: true}, Workloads: bind(ours),
		},
		{
			Name: "dynamicpb", Role: "protobuf peer", Library: "google.golang.org/protobuf",
			Checks: suite.Checks{UTF8: true, Depth: true, Required: true, Unknown: true}, Workloads: bind(reference),
		},
	}
}

// codec is a library on dynamic messages of one type.
type codec struct {
	appendTo  func(dst []byte, m *dynamicpb.Message) ([]byte, error)
	decode    func(frame []byte, m *dynamicpb.Message) error
	clone     func(m *dynamicpb.Message) (*dynamicpb.Message, error)
	cloneInto func(dst, src *dynamicpb.Message) (*dynamicpb.Message, error)
}

// library makes the codec of a type.
type library func(t protoreflect.MessageType) (codec, error)

func ours(t protoreflect.MessageType) (codec, error) {
	s, err := dynamic.New(t.Descriptor())
	if err != nil {
		return codec{}, err
	}
	clone := func(m *dynamicpb.Message) (*dynamicpb.Message, error) {
		c, err := s.Clone(m)
		if err != nil {
			return nil, err
		}
		return c.(*dynamicpb.Message), nil
	}
	return codec{
		appendTo: func(dst []byte, m *dynamicpb.Message) ([]byte, error) { return s.Append(dst, m) },
		decode: func(frame []byte, m *dynamicpb.Message) error {
			rest, err := s.Decode(frame, m)
			if err == nil && len(rest) > 0 {
				err = suite.ErrRest
			}
			return err
		},
		clone:     clone,
		cloneInto: func(_, src *dynamicpb.Message) (*dynamicpb.Message, error) { return clone(src) },
	}, nil
}

func reference(protoreflect.MessageType) (codec, error) {
	return codec{
		appendTo: func(dst []byte, m *dynamicpb.Message) ([]byte, error) {
			start := len(dst)
			dst, err := proto.MarshalOptions{}.MarshalAppend(append(dst, 0, 0, 0, 0), m)
			if err != nil {
				return dst, err
			}
			suite.PutPrefix(dst[start:])
			return dst, nil
		},
		decode: func(frame []byte, m *dynamicpb.Message) error {
			b, err := suite.Payload(frame)
			if err != nil {
				return err
			}
			return proto.Unmarshal(b, m)
		},
		clone: func(m *dynamicpb.Message) (*dynamicpb.Message, error) { return proto.CloneOf(m), nil },
		cloneInto: func(dst, src *dynamicpb.Message) (*dynamicpb.Message, error) {
			proto.Reset(dst)
			proto.Merge(dst, src)
			return dst, nil
		},
	}, nil
}

func bind(l library) map[string]suite.Bound {
	all := map[string]suite.Bound{}
	for _, w := range suite.RecordWorkloads() {
		all[w] = suite.Bind(func() (suite.Type[suite.Record, *dynamicpb.Message], error) {
			return messages(l, buildRecord, infallible(valueOfRecord))
		}, suite.Records(w))
	}
	all[suite.Social] = suite.Bind(func() (suite.Type[suite.Post, *dynamicpb.Message], error) {
		return messages(l, buildPost, infallible(valueOfPost))
	}, suite.Posts)
	all[suite.Traces] = suite.Bind(func() (suite.Type[suite.Batch, *dynamicpb.Message], error) {
		return messages(l, buildBatch, valueOfBatch)
	}, suite.Batches)
	all[suite.WideFields] = suite.Bind(func() (suite.Type[suite.Wide, *dynamicpb.Message], error) {
		return messages(l, buildWide, infallible(valueOfWide))
	}, suite.Wides)
	return all
}

func infallible[A, B any](f func(A) B) func(A) (B, error) {
	return func(a A) (B, error) { return f(a), nil }
}

// pointer is a pointer to a generated struct.
type pointer[T any] interface {
	*T
	proto.Message
}

// messages makes the lane of one message type. The generated messages are on the way from a value and
// back, which is not timed.
func messages[L, T any, M pointer[T]](l library, build func(*L) M, value func(M) (*L, error)) (suite.Type[L, *dynamicpb.Message], error) {
	t := dynamicpb.NewMessageType(M(new(T)).ProtoReflect().Descriptor())
	c, err := l(t)
	if err != nil {
		return suite.Type[L, *dynamicpb.Message]{}, err
	}
	return suite.Type[L, *dynamicpb.Message]{
		Build: func(v *L) (*dynamicpb.Message, error) {
			b, err := proto.Marshal(build(v))
			if err != nil {
				return nil, err
			}
			m := dynamicpb.NewMessage(t.Descriptor())
			return m, proto.Unmarshal(b, m)
		},
		Value: func(m *dynamicpb.Message) (*L, error) {
			b, err := proto.Marshal(m)
			if err != nil {
				return nil, err
			}
			g := M(new(T))
			if err := proto.Unmarshal(b, g); err != nil {
				return nil, err
			}
			return value(g)
		},
		Append: c.appendTo,
		Decode: func(frame []byte) (*dynamicpb.Message, error) {
			m := dynamicpb.NewMessage(t.Descriptor())
			return m, c.decode(frame, m)
		},
		Reuse: func(frame []byte, m *dynamicpb.Message) (*dynamicpb.Message, error) {
			return m, c.decode(frame, m)
		},
		Clone:      c.clone,
		CloneInto:  c.cloneInto,
		CopyStream: suite.CopyFrame,
		Read:       func(m *dynamicpb.Message) uint64 { return reflected.Read(m) },
		Mutate:     func(m *dynamicpb.Message) { reflected.Mutate(m) },
		Protobuf:   true,
		AnyOrder:   true,
		Unsupported: map[string]string{
			suite.BuildAndSerialize: "dynamic messages are made from bytes here",
		},
	}, nil
}
