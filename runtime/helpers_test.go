package flinkser_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/flinkser/flinkser/golden/cases"
	flinkser "github.com/flinkser/flinkser/runtime"
)

func newSerializer[M proto.Message](t testing.TB, opts ...flinkser.Option) *flinkser.Serializer[M] {
	t.Helper()
	s, err := flinkser.New[M](opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// frame returns the frame of a payload.
func frame(payload []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(payload))), payload...)
}

// frames returns the frames of messages, one behind the other.
func frames(t testing.TB, messages ...*cases.All) []byte {
	t.Helper()
	s := newSerializer[*cases.All](t)
	var b []byte
	for _, m := range messages {
		var err error
		if b, err = s.Append(b, m); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// dynamic returns a message without generated code with the content of m.
func dynamic(m proto.Message) proto.Message {
	d := dynamicpb.NewMessage(m.ProtoReflect().Descriptor())
	proto.Merge(d, m)
	return d
}

// hidden is a message whose generated code cannot be seen.
type hidden struct{ proto.Message }

// bothCodecs returns m as it is and as a message without generated code.
func bothCodecs(m proto.Message) map[string]proto.Message {
	return map[string]proto.Message{"generated": m, "dynamic": dynamic(m)}
}

// emptyBoth returns empty messages of m's type for both codecs.
func emptyBoth(m proto.Message) map[string]proto.Message {
	return map[string]proto.Message{
		"generated": m.ProtoReflect().New().Interface(),
		"dynamic":   dynamicpb.NewMessage(m.ProtoReflect().Descriptor()),
	}
}

// allocated returns how many bytes f allocates, those that are free again included.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// countingReader counts what has been taken from it.
type countingReader struct {
	io.Reader
	taken int
}

func (c *countingReader) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.taken += n
	return n, err
}

// recorder is a destination that keeps what it was given, call by call, and returns fail,
// after short bytes, from call number at on.
type recorder struct {
	calls [][]byte
	at    int
	short int
	fail  error
}

var errDevice = errors.New("device is full")

func (r *recorder) Write(b []byte) (int, error) {
	if r.at > 0 && len(r.calls) >= r.at-1 {
		n := min(r.short, len(b))
		r.calls = append(r.calls, bytes.Clone(b[:n]))
		return n, r.fail
	}
	r.calls = append(r.calls, bytes.Clone(b))
	return len(b), nil
}

func (r *recorder) bytes() []byte { return bytes.Join(r.calls, nil) }

// deepest is a recursion limit that small messages may have on every machine: where int
// has 32 bits, stacks are smaller.
const deepest = 40_000 + 60_000*(strconv.IntSize/64)
