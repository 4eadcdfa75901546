package main

import (
	"bytes"
	"encoding/hex"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flinkser/flinkser/bench/growth/growpb"
	"github.com/flinkser/flinkser/golden/cases"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// dimension is something that grows.
type dimension struct {
	name  string
	sizes []int

	// at returns what to time at a size, by operation.
	at func(size int) (map[string]func() error, error)
}

// decades returns 1, 3, 10, ... up to a number.
func decades(last int) []int {
	var all []int
	for n := 1; n <= last; n *= 10 {
		all = append(all, n)
		if 3*n <= last {
			all = append(all, 3*n)
		}
	}
	return all
}

// dimensions returns all of them: what is friendly, and then inputs that are built to be slow.
func dimensions() []dimension {
	const million = 1_000_000
	return []dimension{
		grown("fields", decades(1000), fields),
		grown("list", decades(million), func(n int) *growpb.Grow {
			m := &growpb.Grow{}
			for i := range n {
				m.List = append(m.List, int64(i)<<20)
			}
			return m
		}),
		grown("strings", decades(100_000), func(n int) *growpb.Grow {
			m := &growpb.Grow{}
			for i := range n {
				m.Strings = append(m.Strings, fmt.Sprintf("string %09d", i))
			}
			return m
		}),
		grown("messages", decades(100_000), func(n int) *growpb.Grow {
			m := &growpb.Grow{}
			for i := range n {
				m.Messages = append(m.Messages, &growpb.Grow{List: []int64{int64(i), 1, 2}})
			}
			return m
		}),
		// A larger map of Go leaves the caches: then its own time grows faster than in proportion.
		grown("map", decades(10_000), func(n int) *growpb.Grow {
			m := &growpb.Grow{Map: map[int64]int64{}}
			for i := range n {
				m.Map[int64(i)<<10] = int64(i)
			}
			return m
		}),
		cold("bytes", bytesSizes(), func(n int) *growpb.Grow { return &growpb.Grow{Bytes: bytes.Repeat([]byte{1}, n)} }),
		grown("depth", decades(100), func(n int) *growpb.Grow {
			m := &growpb.Grow{}
			for range n {
				m = &growpb.Grow{Depth: m, List: []int64{1}}
			}
			return m
		}),
		cold("unknown", decades(100_000), unknown),
		hostile("hostile: packed list in pieces", decades(100_000), repeat("220101")),
		hostile("hostile: packed doubles in pieces", decades(100_000), repeat("fa01080000000000000000")),
		hostile("hostile: child merged again", decades(100_000), repeat("1a031a0101")),
		hostile("hostile: unknown fields in turns", decades(100_000), repeat("a2060161aa060161")),
		hostile("hostile: oneof switched", decades(100_000), repeat("4a01615200")),
		hostile("hostile: same map key", decades(100_000), repeat("32060a0161120162")),
		hostile("hostile: empty elements", decades(100_000), repeat("920100")),
	}
}

// bytesSizes are 1 byte to 64 MiB.
func bytesSizes() []int {
	var all []int
	for n := 1; n <= 64<<20; n *= 4 {
		all = append(all, n)
	}
	return all
}

// fields returns a message in which n of 1000 fields are set.
func fields(n int) *growpb.Fields {
	m := &growpb.Fields{}
	all := m.ProtoReflect().Descriptor().Fields()
	for i := range n {
		m.ProtoReflect().Set(all.Get(i), protoreflect.ValueOfInt64(int64(i)+1))
	}
	return m
}

// pointer is a pointer to a generated struct.
type pointer[T any] interface {
	*T
	proto.Message
}

// options allow what is measured here: a record of 64 MiB has a few bytes more, and nothing is refused
// for the number of its elements.
func options() []flinkser.Option {
	return []flinkser.Option{flinkser.WithMaxMessageSize(80 << 20), flinkser.WithoutElementBudget(), flinkser.RequireGenerated()}
}

// grown is a dimension of friendly messages.
func grown[T any, M pointer[T]](name string, sizes []int, build func(n int) M) dimension {
	return dimension{name, sizes, func(n int) (map[string]func() error, error) {
		s, err := flinkser.New[M](options()...)
		if err != nil {
			return nil, err
		}
		return both(s, build(n))
	}}
}

// both times writing and reading of a message.
func both[T any, M pointer[T]](s *flinkser.Serializer[M], m M) (map[string]func() error, error) {
	frame, err := s.Append(nil, m)
	if err != nil {
		return nil, err
	}
	buf := make([]byte, 0, len(frame))
	return map[string]func() error{
		"serialize": func() error {
			_, err := s.Append(buf, m)
			return err
		},
		"deserialize": func() error {
			_, err := s.Decode(frame, new(T))
			return err
		},
	}, nil
}

// coldBytes is how much memory the messages of one size take together where they come from main memory.
const coldBytes = 96 << 20

// cold is a dimension of messages whose bytes are copied in one piece. A small one would come from a
// cache, a large one from main memory, and the curve would be that of the caches. So there are as
// many messages of each size as fill the caches, and they take turns.
func cold[T any, M pointer[T]](name string, sizes []int, build func(n int) M) dimension {
	return dimension{name, sizes, func(n int) (map[string]func() error, error) {
		s, err := flinkser.New[M](options()...)
		if err != nil {
			return nil, err
		}
		var messages []M
		var frames [][]byte
		for total := 0; total < coldBytes && len(frames) < 20_000; total += len(frames[len(frames)-1]) {
			m := build(n)
			frame, err := s.Append(nil, m)
			if err != nil {
				return nil, err
			}
			messages, frames = append(messages, m), append(frames, frame)
		}
		return turns(s, messages, frames), nil
	}}
}

// turns times writing and reading of messages one after the other.
func turns[T any, M pointer[T]](s *flinkser.Serializer[M], messages []M, frames [][]byte) map[string]func() error {
	buf := make([]byte, max(coldBytes, len(frames[0])))
	clear(buf) // so that its memory is there
	write, read, at := 0, 0, 0
	return map[string]func() error{
		"serialize": func() error {
			if len(buf)-at < len(frames[0]) {
				at = 0
			}
			out, err := s.Append(buf[:at], messages[write])
			at = len(out)
			write = (write + 1) % len(messages)
			return err
		},
		"deserialize": func() error {
			_, err := s.Decode(frames[read], new(T))
			read = (read + 1) % len(frames)
			return err
		},
	}
}

// unknown returns a message of n unknown fields.
func unknown(n int) *growpb.Grow {
	var b []byte
	for i := range n {
		b = protowire.AppendTag(b, protowire.Number(100+i%100), protowire.VarintType)
		b = protowire.AppendVarint(b, uint64(i))
	}
	m := &growpb.Grow{}
	m.ProtoReflect().SetUnknown(b)
	return m
}

// hostile is a dimension of payloads that are made to be slow to read.
func hostile(name string, sizes []int, payload func(n int) ([]byte, error)) dimension {
	return dimension{name, sizes, func(n int) (map[string]func() error, error) {
		b, err := payload(n)
		if err != nil {
			return nil, err
		}
		s, err := flinkser.New[*cases.All](options()...)
		if err != nil {
			return nil, err
		}
		return map[string]func() error{"deserialize": func() error { return s.DecodePayload(b, new(cases.All)) }}, nil
	}}
}

// repeat returns a payload of n equal pieces, which are given in hex.
func repeat(piece string) func(n int) ([]byte, error) {
	return func(n int) ([]byte, error) {
		b, err := hex.DecodeString(piece)
		return bytes.Repeat(b, n), err
	}
}
