// Package protobufgo holds the lanes of google.golang.org/protobuf: with open messages as they come,
// and with the guards that this project's code has.
package protobufgo

import (
	"errors"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flinkser/flinkser/bench/internal/suite"
	pb "github.com/flinkser/flinkser/bench/pb/open"
)

// Lanes returns the lanes.
func Lanes() []suite.Lane {
	plain := suite.Lane{
		Name: "protobuf-go", Role: "baseline", Library: "google.golang.org/protobuf", Core: true,
		Checks: suite.Checks{UTF8: true, Depth: true, Required: true, Unknown: true},
	}
	plain.Workloads = bind(unguarded)
	guards := suite.Lane{
		Name: "protobuf-go-guards", Role: "baseline", Library: "google.golang.org/protobuf",
		Checks: suite.Checks{UTF8: true, Depth: true, Size: true, Required: true, Unknown: true},
	}
	guards.Workloads = bind(guarded)
	return []suite.Lane{plain, guards}
}

// bind binds all workloads, with or without guards.
func bind(g guards) map[string]suite.Bound {
	all := map[string]suite.Bound{}
	for _, w := range suite.RecordWorkloads() {
		all[w] = suite.Bind(func() (suite.Type[suite.Record, *pb.Record], error) {
			return messages(g, infallible(buildRecord), infallible(valueOfRecord), readRecord, mutateRecord, noDepth[*pb.Record]), nil
		}, suite.Records(w))
	}
	all[suite.Social] = suite.Bind(func() (suite.Type[suite.Post, *pb.Post], error) {
		return messages(g, infallible(buildPost), infallible(valueOfPost), readPost, mutatePost, noDepth[*pb.Post]), nil
	}, suite.Posts)
	all[suite.Traces] = suite.Bind(func() (suite.Type[suite.Batch, *pb.Batch], error) {
		return messages(g, infallible(buildBatch), valueOfBatch, readBatch, mutateBatch, depthOfBatch), nil
	}, suite.Batches)
	all[suite.WideFields] = suite.Bind(func() (suite.Type[suite.Wide, *pb.Wide], error) {
		return messages(g, infallible(buildWide), infallible(valueOfWide), readWide, mutateWide, noDepth[*pb.Wide]), nil
	}, suite.Wides)
	return all
}

func infallible[A, B any](f func(A) B) func(A) (B, error) {
	return func(a A) (B, error) { return f(a), nil }
}

// guards are those of this project that google.golang.org/protobuf does not have: at most so many
// bytes, levels, and elements on reading. The zero value has none of them.
type guards struct {
	bytes, levels int

	// A payload has at most so many elements, and one for each four bytes: messages below the
	// root, map entries, and strings in lists. None are counted where there cannot be more, as an
	// element takes two bytes.
	elements int
}

var (
	unguarded = guards{}
	guarded   = guards{bytes: 64 << 20, levels: 100, elements: 65_536}
)

var (
	errTooLarge = errors.New("message is larger than the limit")
	errTooDeep  = errors.New("message is deeper than the limit")
	errTooMany  = errors.New("message has more elements than the limit")
)

// noDepth is for types whose schema bounds the depth.
func noDepth[M any](M) int { return 0 }

// pointer is a pointer to a generated struct.
type pointer[T any] interface {
	*T
	proto.Message
}

// messages makes the lane of one message type.
func messages[L, T any, M pointer[T]](
	g guards, build func(*L) (M, error), value func(M) (*L, error), read func(M) uint64, mutate func(M), depth func(M) int,
) suite.Type[L, M] {
	unmarshal := proto.UnmarshalOptions{RecursionLimit: g.levels}
	// Decoding replaces what the message held.
	decode := func(frame []byte, m M) (M, error) {
		b, err := suite.Payload(frame)
		if err != nil {
			return nil, err
		}
		if g.bytes > 0 && len(b) > g.bytes {
			return nil, errTooLarge
		}
		if err := unmarshal.Unmarshal(b, m); err != nil {
			return m, err
		}
		if g.elements > 0 && len(b) > 4*g.elements && elements(m.ProtoReflect()) > g.elements+len(b)/4 {
			return m, errTooMany
		}
		return m, nil
	}
	return suite.Type[L, M]{
		Build: build,
		Value: value,
		Append: func(dst []byte, m M) ([]byte, error) {
			if g.levels > 0 && depth(m) > g.levels {
				return dst, errTooDeep
			}
			start := len(dst)
			dst, err := proto.MarshalOptions{}.MarshalAppend(append(dst, 0, 0, 0, 0), m)
			if err != nil {
				return dst, err
			}
			if g.bytes > 0 && len(dst)-start > g.bytes {
				return dst[:start], errTooLarge
			}
			suite.PutPrefix(dst[start:])
			return dst, nil
		},
		Decode: func(frame []byte) (M, error) { return decode(frame, new(T)) },
		// The library has no way to use the parts of a message again; it clears the message itself.
		Reuse: decode,
		Clone: func(m M) (M, error) { return proto.CloneOf(m), nil },
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

// elements returns the number of messages below m, of map entries, and of strings in lists. The
// library has no hook to count while it reads.
func elements(m protoreflect.Message) int {
	n := 0
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsMap():
			n += v.Map().Len()
		case f.IsList() && f.Message() != nil:
			for i := range v.List().Len() {
				n += 1 + elements(v.List().Get(i).Message())
			}
		case f.IsList() && (f.Kind() == protoreflect.StringKind || f.Kind() == protoreflect.BytesKind):
			n += v.List().Len()
		case f.Message() != nil:
			n += 1 + elements(v.Message())
		}
		return true
	})
	return n
}

// depthOfBatch returns the number of levels of a batch.
func depthOfBatch(m *pb.Batch) int {
	deepest := 0
	for _, rs := range m.ResourceSpans {
		deepest = max(deepest, 2+depthOfAttributes(rs.Resource.GetAttributes()))
		for _, ss := range rs.ScopeSpans {
			deepest = max(deepest, 3+depthOfAttributes(ss.Scope.GetAttributes()))
			for _, s := range ss.Spans {
				deepest = max(deepest, 3+depthOfAttributes(s.Attributes))
				for _, e := range s.Events {
					deepest = max(deepest, 4+depthOfAttributes(e.Attributes))
				}
				for _, l := range s.Links {
					deepest = max(deepest, 4+depthOfAttributes(l.Attributes))
				}
			}
		}
	}
	return deepest
}

func depthOfAttributes(all []*pb.KeyValue) int {
	deepest := 0
	for _, kv := range all {
		if kv.Value != nil {
			deepest = max(deepest, 1+depthOfAny(kv.Value))
		}
	}
	return deepest
}

func depthOfAny(m *pb.AnyValue) int {
	deepest := 0
	if array, ok := m.Value.(*pb.AnyValue_ArrayValue); ok {
		for _, v := range array.ArrayValue.GetValues() {
			deepest = max(deepest, 1+depthOfAny(v))
		}
	}
	return 1 + deepest
}
