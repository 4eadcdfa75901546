package flinkser_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unsafe"

	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/golden/cases"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// threeMessages are the messages of a stream of three frames, one of them empty.
func threeMessages() []*cases.All {
	return []*cases.All{{S: "first", Rm: []*cases.Inner{{A: 1}}}, {}, {By: []byte("third"), Pk: []int32{1, 2, 3}}}
}

// sources are readers that give the same bytes in their own ways.
func sources(b []byte) map[string]io.Reader {
	return map[string]io.Reader{
		"at once":               bytes.NewReader(b),
		"byte by byte":          iotest.OneByteReader(bytes.NewReader(b)),
		"in halves":             iotest.HalfReader(bytes.NewReader(b)),
		"with the end":          iotest.DataErrReader(bytes.NewReader(b)),
		"with the end, slowly":  iotest.DataErrReader(iotest.OneByteReader(bytes.NewReader(b))),
		"with empty reads":      &stutter{src: bytes.NewReader(b), empty: 99},
		"empty reads and bytes": &stutter{src: iotest.OneByteReader(bytes.NewReader(b)), empty: 1},
	}
}

// stutter returns 0 bytes and no error this many times before each read.
type stutter struct {
	src         io.Reader
	empty, done int
}

func (s *stutter) Read(b []byte) (int, error) {
	if s.done < s.empty {
		s.done++
		return 0, nil
	}
	s.done = 0
	return s.src.Read(b)
}

func TestReader(t *testing.T) {
	messages := threeMessages()
	stream := frames(t, messages...)
	for _, opts := range [][]flinkser.Option{nil, {flinkser.WithReuse()}, {flinkser.WithAliasing()}, {flinkser.WithReadAhead(16)}, {flinkser.WithReadAhead(1 << 16)}, {flinkser.WithReuse(), flinkser.WithAliasing(), flinkser.WithReadAhead(20)}} {
		for name, src := range sources(stream) {
			r := flinkser.NewReader[*cases.All](src, opts...)
			if r.Offset() != 0 || r.Err() != nil {
				t.Errorf("%s: before the first frame: offset %d, %v", name, r.Offset(), r.Err())
			}
			m := new(cases.All)
			offset := int64(0)
			for i, want := range messages {
				if !r.Next(m) || r.Err() != nil {
					t.Fatalf("%s: message %d: %v", name, i, r.Err())
				}
				if !proto.Equal(m, want) {
					t.Errorf("%s: message %d is %v", name, i, m)
				}
				if offset += 4 + int64(proto.Size(want)); r.Offset() != offset {
					t.Errorf("%s: message %d: offset %d, want %d", name, i, r.Offset(), offset)
				}
			}
			for range 2 {
				if r.Next(m) || r.Err() != nil || r.Offset() != offset {
					t.Errorf("%s: at the end: %v, offset %d", name, r.Err(), r.Offset())
				}
			}
		}
	}
}

// TestReaderTruncated cuts a stream of three frames at every byte.
func TestReaderTruncated(t *testing.T) {
	messages := threeMessages()
	stream := frames(t, messages...)
	var starts []int // of frames, and the end
	end := 0
	for _, m := range messages {
		starts = append(starts, end)
		end += 4 + proto.Size(m)
	}
	starts = append(starts, end)
	for n := range len(stream) + 1 {
		for name, src := range sources(stream[:n]) {
			r := flinkser.NewReader[*cases.All](src)
			read := 0
			for r.Next(new(cases.All)) {
				read++
			}
			err := r.Err()
			whole := slices.Index(starts, n)
			if whole >= 0 {
				if err != nil || read != whole {
					t.Errorf("%s, %d bytes: %d frames, %v", name, n, read, err)
				}
				continue
			}
			start := starts[read]
			var failed *flinkser.FrameError
			if !errors.Is(err, flinkser.ErrTruncated) || !errors.Is(err, io.ErrUnexpectedEOF) || !errors.As(err, &failed) {
				t.Errorf("%s, %d bytes: %v", name, n, err)
				continue
			}
			length := int64(-1)
			if n >= start+4 {
				length = int64(starts[read+1] - start - 4)
			}
			if failed.Offset != int64(start) || failed.Length != length || r.Offset() != int64(start) {
				t.Errorf("%s, %d bytes: %v, want one about %d bytes at %d", name, n, err, length, start)
			}
			if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%s, %d bytes: looks like a clean end: %v", name, n, err)
			}
			if r.Next(new(cases.All)) || r.Err() != err {
				t.Errorf("%s, %d bytes: again: %v", name, n, r.Err())
			}
		}
	}
}

// TestReaderBadPayload reads on behind a frame with a bad payload.
func TestReaderBadPayload(t *testing.T) {
	first, last := frames(t, &cases.All{S: "first"}), frames(t, &cases.All{S: "last"})
	bad := frame(unhex(t, "1a032a01ff"))
	stream := slices.Concat(first, bad, bad, last)
	for name, src := range sources(stream) {
		r := flinkser.NewReader[*cases.All](src)
		m := new(cases.All)
		if !r.Next(m) || m.S != "first" {
			t.Fatalf("%s: %v", name, r.Err())
		}
		for i := range 2 {
			var failed *flinkser.DecodeError
			if r.Next(m) || !errors.As(r.Err(), &failed) || !errors.Is(r.Err(), flinkser.ErrInvalidUTF8) {
				t.Fatalf("%s: bad frame %d: %v", name, i, r.Err())
			}
			if failed.FrameOffset != int64(len(first)+i*len(bad)) || failed.Offset != 2 || failed.Field != "m.s" || failed.Message != "cases.t3.All" {
				t.Errorf("%s: bad frame %d: %#v", name, i, failed)
			}
			if r.Offset() != int64(len(first)+(i+1)*len(bad)) {
				t.Errorf("%s: bad frame %d: offset %d", name, i, r.Offset())
			}
		}
		if !r.Next(m) || m.S != "last" || r.Err() != nil {
			t.Errorf("%s: behind the bad frames: %v, %v", name, m, r.Err())
		}
		if r.Next(m) || r.Err() != nil {
			t.Errorf("%s: at the end: %v", name, r.Err())
		}
	}
}

// TestReaderBadPrefix checks that nothing is read behind a length above the limit.
func TestReaderBadPrefix(t *testing.T) {
	good := frames(t, &cases.All{S: "good"})
	for _, prefix := range []string{"00000065", "7fffffff", "80000000", "ffffffff"} {
		stream := slices.Concat(good, unhex(t, prefix), good, good)
		src := &countingReader{Reader: bytes.NewReader(stream)}
		r := flinkser.NewReader[*cases.All](src, flinkser.WithMaxMessageSize(100))
		m := new(cases.All)
		if !r.Next(m) {
			t.Fatal(r.Err())
		}
		for range 3 {
			var failed *flinkser.FrameError
			if r.Next(m) || !errors.As(r.Err(), &failed) || !errors.Is(r.Err(), flinkser.ErrTooLarge) {
				t.Fatalf("%s: %v", prefix, r.Err())
			}
			if failed.Offset != int64(len(good)) || failed.Length != int64(binary.BigEndian.Uint32(unhex(t, prefix))) {
				t.Errorf("%s: %#v", prefix, failed)
			}
			if errors.Is(r.Err(), io.ErrUnexpectedEOF) {
				t.Errorf("%s: looks like a truncation: %v", prefix, r.Err())
			}
		}
		if src.taken != len(good)+4 || r.Offset() != int64(len(good)) {
			t.Errorf("%s: %d bytes were taken, offset %d", prefix, src.taken, r.Offset())
		}
	}
}

// TestReaderTakes checks how much of its source a reader takes.
func TestReaderTakes(t *testing.T) {
	stream := append(frames(t, threeMessages()...), "something else"...)
	whole := len(stream) - len("something else")
	src := &countingReader{Reader: bytes.NewReader(stream)}
	r := flinkser.NewReader[*cases.All](src)
	for range 3 {
		if !r.Next(new(cases.All)) {
			t.Fatal(r.Err())
		}
		if int64(src.taken) != r.Offset() {
			t.Errorf("%d bytes were taken for frames that end at %d", src.taken, r.Offset())
		}
	}
	if rest, err := io.ReadAll(src); err != nil || string(rest) != "something else" {
		t.Errorf("left over: %q, %v", rest, err)
	}

	for _, ahead := range []int{16, 64, 4096} {
		src := &countingReader{Reader: bytes.NewReader(stream[:whole])}
		r := flinkser.NewReader[*cases.All](src, flinkser.WithReadAhead(ahead))
		for range 3 {
			if !r.Next(new(cases.All)) {
				t.Fatal(r.Err())
			}
			if more := src.taken - int(r.Offset()); more > ahead {
				t.Errorf("read-ahead of %d: %d bytes too many were taken", ahead, more)
			}
		}
		if r.Next(new(cases.All)) || r.Err() != nil {
			t.Errorf("read-ahead of %d: at the end: %v", ahead, r.Err())
		}
	}
	// It is there to save calls.
	many := bytes.Repeat(frames(t, &cases.All{S: "a"}), 1000)
	calls := 0
	count := readerFunc(func(b []byte) (int, error) { calls++; return bytes.NewReader(many).Read(b) })
	all := flinkser.NewReader[*cases.All](io.LimitReader(count, int64(len(many))), flinkser.WithReadAhead(1<<16))
	if !all.Next(new(cases.All)) || calls != 1 {
		t.Errorf("%d reads, %v", calls, all.Err())
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// TestReaderForgedLength checks that a length costs no more memory than the bytes that
// arrive, beyond 1 MiB.
func TestReaderForgedLength(t *testing.T) {
	for _, c := range []struct {
		length, arrive int
		most           uint64
	}{
		{math.MaxInt32, 0, 1<<20 + 16<<10},
		{math.MaxInt32, 1000, 1<<20 + 16<<10},
		{64 << 20, 3 << 20, 8 << 20},
		{500_000, 10, 520_000},
		{5000, 10, 20_000},
	} {
		b := append(binary.BigEndian.AppendUint32(nil, uint32(c.length)), make([]byte, c.arrive)...)
		r := flinkser.NewReader[*cases.All](bytes.NewReader(b), flinkser.WithMaxMessageSize(math.MaxInt32))
		m := new(cases.All)
		n := allocated(func() { r.Next(m) })
		if !errors.Is(r.Err(), flinkser.ErrTruncated) {
			t.Errorf("a length of %d, %d bytes arrive: %v", c.length, c.arrive, r.Err())
		}
		if n > c.most {
			t.Errorf("a length of %d, %d bytes arrive: %d bytes were allocated", c.length, c.arrive, n)
		}
	}
}

// TestReaderMemory checks that a reader keeps its buffer for safe messages, and gives each
// frame memory of its own when messages refer to it.
func TestReaderMemory(t *testing.T) {
	a, b := &cases.All{By: bytes.Repeat([]byte{'a'}, 100)}, &cases.All{By: bytes.Repeat([]byte{'b'}, 100)}
	stream := frames(t, a, b, a, b)
	for _, opts := range [][]flinkser.Option{nil, {flinkser.WithAliasing()}, {flinkser.WithAliasing(), flinkser.WithReadAhead(1000)}} {
		r := flinkser.NewReader[*cases.All](bytes.NewReader(stream), opts...)
		var all []*cases.All
		for m := new(cases.All); r.Next(m); m = new(cases.All) {
			all = append(all, m)
		}
		if len(all) != 4 || r.Err() != nil {
			t.Fatalf("%d messages, %v", len(all), r.Err())
		}
		for i, want := range []*cases.All{a, b, a, b} {
			if !proto.Equal(all[i], want) {
				t.Errorf("message %d is %v after the others were read", i, all[i])
			}
			for k := range i {
				if unsafe.SliceData(all[i].By) == unsafe.SliceData(all[k].By) {
					t.Errorf("messages %d and %d share memory", i, k)
				}
			}
		}
	}
	big := frames(t, &cases.All{By: make([]byte, 100_000)})
	r := flinkser.NewReader[*cases.All](bytes.NewReader(bytes.Repeat(big, 50)), flinkser.WithReuse())
	m := new(cases.All)
	if !r.Next(m) {
		t.Fatal(r.Err())
	}
	n := allocated(func() {
		for r.Next(m) {
		}
	})
	if r.Err() != nil || n > 50_000 {
		t.Errorf("%d bytes were allocated for 49 frames like the first (%v)", n, r.Err())
	}
}

// TestReaderSourceErrors checks that an error of the source comes out, and ends the stream.
func TestReaderSourceErrors(t *testing.T) {
	stream := frames(t, threeMessages()...)
	for n := range len(stream) {
		src := io.MultiReader(bytes.NewReader(stream[:n]), iotest.ErrReader(errDevice))
		r := flinkser.NewReader[*cases.All](src)
		for r.Next(new(cases.All)) {
		}
		var failed *flinkser.FrameError
		if !errors.Is(r.Err(), errDevice) || !errors.As(r.Err(), &failed) || errors.Is(r.Err(), flinkser.ErrTruncated) {
			t.Errorf("%d bytes: %v", n, r.Err())
		}
		err := r.Err()
		if r.Next(new(cases.All)) || r.Err() != err {
			t.Errorf("%d bytes: again: %v", n, r.Err())
		}
	}
	r := flinkser.NewReader[*cases.All](&stutter{src: bytes.NewReader(stream), empty: math.MaxInt})
	if r.Next(new(cases.All)) || !errors.Is(r.Err(), io.ErrNoProgress) {
		t.Errorf("a source that gives nothing: %v", r.Err())
	}
	for _, n := range []int{-1, 1 << 20} {
		for _, opts := range [][]flinkser.Option{nil, {flinkser.WithReadAhead(64)}} {
			r := flinkser.NewReader[*cases.All](readerFunc(func([]byte) (int, error) { return n, nil }), opts...)
			if r.Next(new(cases.All)) || r.Err() == nil || !strings.Contains(r.Err().Error(), "invalid count") {
				t.Errorf("a source that says it has read %d bytes: %v", n, r.Err())
			}
		}
	}
}

func TestWriter(t *testing.T) {
	messages := threeMessages()
	dst := new(recorder)
	w := flinkser.NewWriter[*cases.All](dst)
	for _, m := range messages {
		if err := w.Write(m); err != nil {
			t.Fatal(err)
		}
	}
	if want := frames(t, messages...); !bytes.Equal(dst.bytes(), want) || len(dst.calls) != 3 {
		t.Errorf("%d calls, %x, want %x", len(dst.calls), dst.bytes(), want)
	}
	big := &cases.All{By: make([]byte, 5<<20)}
	if err := w.Write(big); err != nil || len(dst.calls) != 4 || len(dst.calls[3]) != 4+proto.Size(big) {
		t.Errorf("a large message takes %d calls, %v", len(dst.calls)-3, err)
	}
	if err := w.Write(nil); err != nil || !bytes.Equal(dst.calls[4], make([]byte, 4)) {
		t.Errorf("a nil message: %v", err)
	}
	quiet := flinkser.NewWriter[*cases.All](io.Discard)
	if n := testing.AllocsPerRun(50, func() {
		if err := quiet.Write(messages[0]); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("writing allocates %v times a message", n)
	}
}

func TestWriterRefused(t *testing.T) {
	good, bad := &cases.All{S: "good"}, &cases.All{By: make([]byte, 50), Rs: []string{"\xff"}}
	dst := new(recorder)
	w := flinkser.NewWriter[proto.Message](dst)
	for _, m := range []proto.Message{good, bad, dynamic(bad), good} {
		err := w.Write(m)
		var failed *flinkser.EncodeError
		if m == proto.Message(good) && err != nil || m != proto.Message(good) && (!errors.As(err, &failed) || failed.Field != "rs[0]") {
			t.Errorf("%v", err)
		}
	}
	if want := frames(t, good, good); !bytes.Equal(dst.bytes(), want) || len(dst.calls) != 2 {
		t.Errorf("%d calls, %x, want %x", len(dst.calls), dst.bytes(), want)
	}
}

func TestWriterErrors(t *testing.T) {
	for name, c := range map[string]struct {
		dst  recorder
		want error
	}{
		"an error":                {recorder{at: 2, fail: errDevice}, errDevice},
		"an error after some":     {recorder{at: 2, short: 3, fail: errDevice}, errDevice},
		"a short write":           {recorder{at: 2, short: 3}, io.ErrShortWrite},
		"an error, all the same":  {recorder{at: 2, short: 1 << 20, fail: errDevice}, errDevice},
		"nothing, without a word": {recorder{at: 2}, io.ErrShortWrite},
	} {
		w := flinkser.NewWriter[*cases.All](&c.dst)
		if err := w.Write(&cases.All{S: "a"}); err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			if err := w.Write(&cases.All{S: "b"}); !errors.Is(err, c.want) {
				t.Errorf("%s: call %d: %v, want %v", name, i, err, c.want)
			}
			if err := w.Write(&cases.All{S: "\xff"}); !errors.Is(err, c.want) {
				t.Errorf("%s: a bad message behind it: %v, want %v", name, err, c.want)
			}
		}
		if len(c.dst.calls) != 2 {
			t.Errorf("%s: %d calls, want 2", name, len(c.dst.calls))
		}
	}
}

// TestCopyFrame copies frames that hold anything.
func TestCopyFrame(t *testing.T) {
	for name, payload := range map[string][]byte{
		"nothing":       {},
		"a message":     unhex(t, "0a0161"),
		"malformed":     unhex(t, "ffffffffffffffffffffff0c"),
		"too deep":      bytes.Repeat([]byte{0x0b}, 1000),
		"overlong tags": unhex(t, "88800001"),
		"one chunk":     make([]byte, 4092),
		"and a byte":    make([]byte, 4093),
		"two chunks":    bytes.Repeat([]byte("0123456"), 1169),
		"many chunks":   bytes.Repeat([]byte("0123456"), 100_000),
	} {
		stream := slices.Concat(frame(payload), frame(payload), []byte("behind"))
		for how, src := range sources(stream) {
			dst := new(recorder)
			for i := range 2 {
				n, err := flinkser.CopyFrame(dst, src, flinkser.Limits{})
				if err != nil || n != int64(4+len(payload)) {
					t.Fatalf("%s, %s: frame %d: %d bytes, %v", name, how, i, n, err)
				}
			}
			if !bytes.Equal(dst.bytes(), stream[:2*(4+len(payload))]) {
				t.Errorf("%s, %s: other bytes were written", name, how)
			}
			if rest, err := io.ReadAll(iotest.OneByteReader(src)); err != nil || string(rest) != "behind" {
				t.Errorf("%s, %s: left over: %q, %v", name, how, rest, err)
			}
			for _, call := range dst.calls {
				if len(call) > 4096 || len(call) == 0 {
					t.Errorf("%s, %s: a write of %d bytes", name, how, len(call))
				}
			}
		}
	}
	if n, err := flinkser.CopyFrame(io.Discard, bytes.NewReader(nil), flinkser.Limits{}); n != 0 || err != io.EOF {
		t.Errorf("a clean end: %d, %v", n, err)
	}
}

func TestCopyFrameErrors(t *testing.T) {
	// Too large: nothing is written, the prefix is consumed.
	for _, c := range []struct {
		prefix string
		limits flinkser.Limits
	}{
		{"00000065", flinkser.Limits{MaxMessageBytes: 100}},
		{"04000001", flinkser.Limits{}},
		{"80000000", flinkser.ProtobufLimits},
		{"ffffffff", flinkser.Limits{}},
	} {
		src := bytes.NewReader(append(unhex(t, c.prefix), make([]byte, 500)...))
		dst := new(recorder)
		n, err := flinkser.CopyFrame(dst, src, c.limits)
		var failed *flinkser.FrameError
		if n != 0 || !errors.Is(err, flinkser.ErrTooLarge) || !errors.As(err, &failed) || failed.Length != int64(binary.BigEndian.Uint32(unhex(t, c.prefix))) {
			t.Errorf("%s: %d, %v", c.prefix, n, err)
		}
		if len(dst.calls) != 0 || src.Len() != 500 {
			t.Errorf("%s: %d writes, %d bytes are left", c.prefix, len(dst.calls), src.Len())
		}
	}
	// At the limit.
	if n, err := flinkser.CopyFrame(io.Discard, bytes.NewReader(frame(make([]byte, 100))), flinkser.Limits{MaxMessageBytes: 100}); n != 104 || err != nil {
		t.Errorf("at the limit: %d, %v", n, err)
	}

	// Truncated: what has been written is a prefix of the frame.
	stream := frame(bytes.Repeat([]byte("0123456789"), 1500))
	for n := 1; n < len(stream); n += 1 + n/7 {
		for how, src := range sources(stream[:n]) {
			dst := new(recorder)
			written, err := flinkser.CopyFrame(dst, src, flinkser.Limits{})
			var failed *flinkser.FrameError
			if !errors.Is(err, flinkser.ErrTruncated) || !errors.Is(err, io.ErrUnexpectedEOF) || !errors.As(err, &failed) {
				t.Errorf("%d bytes, %s: %v", n, how, err)
			}
			if out := dst.bytes(); written != int64(len(out)) || !bytes.HasPrefix(stream[:n], out) || n < 4 && len(out) != 0 {
				t.Errorf("%d bytes, %s: %d bytes were written, %d reported", n, how, len(out), written)
			}
		}
	}

	// The destination fails.
	for name, c := range map[string]struct {
		dst  recorder
		want error
	}{
		"at once":       {recorder{at: 1, fail: errDevice}, errDevice},
		"later":         {recorder{at: 3, short: 10, fail: errDevice}, errDevice},
		"a short write": {recorder{at: 2, short: 10}, io.ErrShortWrite},
	} {
		n, err := flinkser.CopyFrame(&c.dst, bytes.NewReader(stream), flinkser.Limits{})
		if !errors.Is(err, c.want) || n != int64(len(c.dst.bytes())) {
			t.Errorf("%s: %d, %v", name, n, err)
		}
	}
	// The source fails.
	for _, n := range []int{0, 2, 4, 100, 9000} {
		src := io.MultiReader(bytes.NewReader(stream[:n]), iotest.ErrReader(errDevice))
		if _, err := flinkser.CopyFrame(io.Discard, src, flinkser.Limits{}); !errors.Is(err, errDevice) || errors.Is(err, flinkser.ErrTruncated) {
			t.Errorf("the source fails after %d bytes: %v", n, err)
		}
	}
	// It keeps no memory for a frame.
	big := frame(make([]byte, 10<<20))
	n := allocated(func() {
		if _, err := flinkser.CopyFrame(io.Discard, bytes.NewReader(big), flinkser.Limits{}); err != nil {
			t.Error(err)
		}
	})
	if n > 64<<10 {
		t.Errorf("%d bytes were allocated to copy a frame", n)
	}
}

// TestErrorTexts checks that errors name what a reader of a log needs.
func TestErrorTexts(t *testing.T) {
	_, frameErr := newSerializer[*cases.All](t).Decode(unhex(t, "00000007"), new(cases.All))
	_, encodeErr := flinkser.Marshal(&cases.All{Mss: map[string]string{"k": "\xff"}})
	for want, err := range map[string]error{
		"frame at offset 0 of 7 bytes: " + flinkser.ErrTruncated.Error(): frameErr,
		"frame at offset 5: x": &flinkser.FrameError{Offset: 5, Length: -1, Err: errors.New("x")},
		`encode cases.t3.All: field mss["k"]: ` + flinkser.ErrInvalidUTF8.Error():                 encodeErr,
		"decode cases.t3.All: field m.next.s: offset 4: " + flinkser.ErrInvalidUTF8.Error():       flinkser.Unmarshal(unhex(t, "1a0522032a01ff"), new(cases.All)),
		"decode cases.t3.All: offset 3: " + flinkser.ErrMalformed.Error():                         flinkser.Unmarshal(unhex(t, "8801010f"), new(cases.All)),
		fmt.Sprintf(`decode cases.t3.All: field msm["a"].r: offset 7: %v`, flinkser.ErrTruncated): flinkser.Unmarshal(unhex(t, "3a070a016112021a05"), new(cases.All)),
		fmt.Sprintf(`decode cases.t3.All: field rm[1].s: offset 6: %v`, flinkser.ErrInvalidUTF8):  flinkser.Unmarshal(unhex(t, "9201009201032a01ff"), new(cases.All)),
		"flinkser: WithRecursionLimit is 0, want 1 to 100000":                                     func() error { _, err := flinkser.New[*cases.All](flinkser.WithRecursionLimit(0)); return err }(),
	} {
		if err == nil {
			t.Errorf("no error, want %q", want)
			continue
		}
		if !strings.HasSuffix(err.Error(), want) || !strings.HasPrefix(err.Error(), "flinkser: ") {
			t.Errorf("%q, want %q at its end", err, want)
		}
	}
}
