package flinkser_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/flinkser/flinkser/golden/cases"
	"github.com/flinkser/flinkser/internal/corpus"
	"github.com/flinkser/flinkser/internal/corpus/recordpb"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// samples are messages with something in every corner.
func samples() []*cases.All {
	full := &cases.All{
		S: "text", By: []byte{0, 1}, M: &cases.Inner{A: 1, R: []int32{1, 2}, Next: &cases.Inner{S: "deep"}}, Pk: []int32{1, 2}, Up: []int32{3},
		Mss: map[string]string{"k": "v", "": ""}, Msm: map[string]*cases.Inner{"k": {A: 1}}, Mie: map[int32]cases.Neg{-1: cases.Neg_NEG_MIN},
		O: &cases.All_Ob{Ob: []byte("member")}, Opt: proto.String(""), Optb: []byte{}, Rm: []*cases.Inner{{}, {B: 2}}, Rs: []string{"", "é"},
		Mbb: map[bool][]byte{true: {1}}, Hi: 1,
	}
	full.ProtoReflect().SetUnknown([]byte{0xa2, 0x06, 0x01, 'u'})
	return []*cases.All{{}, {S: "a"}, {Rm: []*cases.Inner{{A: 1}}}, {By: make([]byte, 300)}, {S: strings.Repeat("é", 5000)}, full}
}

// TestAppendRoom appends to slices with and without room.
func TestAppendRoom(t *testing.T) {
	for _, det := range []bool{false, true} {
		opts := []flinkser.Option{flinkser.WithDeterministic()}
		if !det {
			opts = nil
		}
		s := newSerializer[proto.Message](t, opts...)
		for i, sample := range samples() {
			for codec, m := range bothCodecs(sample) {
				payload, err := flinkser.Marshal(m)
				if err != nil {
					t.Fatal(err)
				}
				n := 4 + len(payload)
				for _, have := range []int{0, 1, 7, 1000} {
					for _, room := range []int{0, 1, 3, 4, 5, n - 1, n, n + 1, n + 1000} {
						backing := bytes.Repeat([]byte{0xaa}, have+room+32)
						dst := backing[: have : have+room]
						out, err := s.Append(dst, m)
						if err != nil {
							t.Fatal(err)
						}
						what := fmt.Sprintf("sample %d, %s: %d bytes, room for %d more", i, codec, have, room)
						if len(out) != have+n || !bytes.Equal(out[:have], bytes.Repeat([]byte{0xaa}, have)) {
							t.Errorf("%s: %d bytes are returned, want %d behind what was there", what, len(out), have+n)
						}
						if !bytes.Equal(backing[have+room:], bytes.Repeat([]byte{0xaa}, 32)) {
							t.Errorf("%s: bytes behind the capacity were changed", what)
						}
						back := sample.ProtoReflect().New().Interface()
						if rest, err := s.Decode(out[have:], back); err != nil || len(rest) != 0 || !proto.Equal(back, sample) {
							t.Errorf("%s: read back: %v", what, err)
						}
						out, err = s.AppendPayload(dst, m)
						if err != nil || len(out) != have+n-4 || !bytes.Equal(out[:have], bytes.Repeat([]byte{0xaa}, have)) {
							t.Errorf("%s: payload: %d bytes, %v", what, len(out), err)
						}
						if err := s.DecodePayload(out[have:], back); err != nil || !proto.Equal(back, sample) {
							t.Errorf("%s: payload, read back: %v", what, err)
						}
					}
				}
			}
		}
	}
	// With room enough, nothing is allocated, and the memory is the caller's.
	s := newSerializer[*cases.All](t)
	m := samples()[2]
	dst := make([]byte, 3, 4096)
	out, err := s.Append(dst, m)
	if err != nil || unsafe.SliceData(out) != unsafe.SliceData(dst) {
		t.Errorf("the frame is not in the memory of dst (%v)", err)
	}
	if n := testing.AllocsPerRun(100, func() {
		if _, err := s.Append(dst, m); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("appending to a slice with room allocates %v times", n)
	}
}

// TestAppendRefused checks that a message that is refused leaves the output as it was.
func TestAppendRefused(t *testing.T) {
	deep := new(cases.All)
	for m, i := &deep.M, 0; i < 200; i++ {
		*m = new(cases.Inner)
		m = &(*m).Next
	}
	for reason, c := range map[error]struct {
		m    *cases.All
		opts []flinkser.Option
	}{
		flinkser.ErrInvalidUTF8: {&cases.All{By: make([]byte, 100), Rs: []string{"good", "\xff"}}, nil},
		flinkser.ErrDepth:       {deep, nil},
		flinkser.ErrTooLarge:    {&cases.All{S: "a", Rm: []*cases.Inner{{S: strings.Repeat("x", 200)}}}, []flinkser.Option{flinkser.WithMaxMessageSize(100)}},
	} {
		for codec, m := range bothCodecs(c.m) {
			for _, room := range []int{0, 10, 10_000} {
				s := newSerializer[proto.Message](t, c.opts...)
				const before = "what was there"
				dst := append(make([]byte, 0, len(before)+room), before...)
				for name, write := range map[string]func([]byte, proto.Message) ([]byte, error){"Append": s.Append, "AppendPayload": s.AppendPayload} {
					out, err := write(dst, m)
					var failed *flinkser.EncodeError
					if !errors.Is(err, reason) || !errors.As(err, &failed) || failed.Message != "cases.t3.All" {
						t.Errorf("%s, %s: error %v, want %v", codec, name, err, reason)
					}
					if string(out) != before || unsafe.SliceData(out) != unsafe.SliceData(dst) || cap(out) != cap(dst) {
						t.Errorf("%s, %s: %v: the output is %q", codec, name, reason, out)
					}
				}
				if out, err := s.Append(dst, &cases.All{Hi: 1}); err != nil || len(out) != len(before)+4+6 {
					t.Errorf("%s: afterwards: %x, %v", codec, out, err)
				}
			}
		}
	}
}

func TestNilMessages(t *testing.T) {
	s := newSerializer[proto.Message](t)
	var all *cases.All
	var stamp *timestamppb.Timestamp
	var dyn *dynamicpb.Message
	for name, m := range map[string]proto.Message{"nil": nil, "generated": all, "of another package": stamp, "dynamic": dyn} {
		if b, err := flinkser.Marshal(m); err != nil || len(b) != 0 {
			t.Errorf("%s: Marshal: %x, %v", name, b, err)
		}
		if b, err := s.Append([]byte{9}, m); err != nil || !bytes.Equal(b, []byte{9, 0, 0, 0, 0}) {
			t.Errorf("%s: Append: %x, %v", name, b, err)
		}
		if b, err := s.AppendPayload([]byte{9}, m); err != nil || !bytes.Equal(b, []byte{9}) {
			t.Errorf("%s: AppendPayload: %x, %v", name, b, err)
		}
		if n, err := s.Size(m); err != nil || n != 0 {
			t.Errorf("%s: Size: %d, %v", name, n, err)
		}
		if c, err := s.Clone(m); err != nil || c != m {
			t.Errorf("%s: Clone: %v, %v", name, c, err)
		}
		for _, err := range []error{
			flinkser.Unmarshal([]byte{}, m),
			s.DecodePayload(nil, m),
			newSerializer[proto.Message](t, flinkser.WithReuse()).DecodePayload([]byte{8, 1}, m),
			newSerializer[proto.Message](t, flinkser.WithMerge()).DecodePayload([]byte{8, 1}, m),
		} {
			var failed *flinkser.DecodeError
			if !errors.Is(err, flinkser.ErrNilMessage) || !errors.As(err, &failed) {
				t.Errorf("%s: decode: %v", name, err)
			}
		}
		rest, err := s.Decode([]byte{0, 0, 0, 0, 7}, m)
		if !errors.Is(err, flinkser.ErrNilMessage) || !bytes.Equal(rest, []byte{7}) {
			t.Errorf("%s: Decode: %x, %v", name, rest, err)
		}
		r := flinkser.NewReader[proto.Message](bytes.NewReader(make([]byte, 8)))
		if r.Next(m) || !errors.Is(r.Err(), flinkser.ErrNilMessage) || !r.Next(new(cases.All)) {
			t.Errorf("%s: Reader: %v", name, r.Err())
		}
	}
	typed := newSerializer[*cases.All](t)
	if err := typed.DecodePayload(nil, nil); !errors.Is(err, flinkser.ErrNilMessage) {
		t.Errorf("typed serializer: %v", err)
	}
	if c, err := typed.Clone(nil); err != nil || c != nil {
		t.Errorf("typed serializer: Clone: %v, %v", c, err)
	}
}

func TestDecodeRest(t *testing.T) {
	s := newSerializer[*cases.All](t, flinkser.WithMaxMessageSize(100))
	good := frames(t, &cases.All{S: "a"})
	after := []byte("what follows")
	m := &cases.All{Opt: proto.String("old")}
	b := append(bytes.Clone(good), after...)
	rest, err := s.Decode(b, m)
	if err != nil || string(rest) != string(after) || unsafe.SliceData(rest) != &b[len(good)] {
		t.Errorf("a good frame: rest %q, %v", rest, err)
	}
	if want := (&cases.All{S: "a"}); !proto.Equal(m, want) {
		t.Errorf("a good frame: %v, want %v", m, want)
	}

	bad := append(frame([]byte{0x0a, 0x01, 0xff}), after...)
	rest, err = s.Decode(bad, m)
	var decode *flinkser.DecodeError
	if !errors.As(err, &decode) || !errors.Is(err, flinkser.ErrInvalidUTF8) || string(rest) != string(after) {
		t.Errorf("a bad payload: rest %q, %v", rest, err)
	}

	for name, c := range map[string]struct {
		b      []byte
		reason error
		length int64
	}{
		"nothing":          {nil, flinkser.ErrTruncated, -1},
		"half a prefix":    {good[:3], flinkser.ErrTruncated, -1},
		"a prefix":         {good[:4], flinkser.ErrTruncated, 3},
		"half a payload":   {good[:6], flinkser.ErrTruncated, 3},
		"too large":        {append(frame(make([]byte, 101)), after...), flinkser.ErrTooLarge, 101},
		"a huge length":    {[]byte{0xff, 0xff, 0xff, 0xff, 1, 2}, flinkser.ErrTooLarge, 1<<32 - 1},
		"too large, alone": {[]byte{0, 0, 0, 101}, flinkser.ErrTooLarge, 101},
	} {
		m := &cases.All{S: "untouched"}
		rest, err := s.Decode(c.b, m)
		var failed *flinkser.FrameError
		if !errors.As(err, &failed) || !errors.Is(err, c.reason) || failed.Length != c.length || failed.Offset != 0 {
			t.Errorf("%s: %#v", name, err)
		}
		if !bytes.Equal(rest, c.b) {
			t.Errorf("%s: rest %x", name, rest)
		}
		if m.S != "untouched" {
			t.Errorf("%s: the message was changed to %v", name, m)
		}
	}
}

// TestDecodeReplaces checks that decoding replaces the content, unless it merges.
func TestDecodeReplaces(t *testing.T) {
	for _, sample := range samples() {
		for name, opts := range map[string][]flinkser.Option{"safe": nil, "reuse": {flinkser.WithReuse()}, "aliasing": {flinkser.WithAliasing()}} {
			for codec, m := range emptyBoth(sample) {
				s := newSerializer[proto.Message](t, opts...)
				for _, old := range samples() {
					for _, next := range []*cases.All{old, sample} {
						b, err := flinkser.Marshal(next)
						if err != nil {
							t.Fatal(err)
						}
						if err := s.DecodePayload(b, m); err != nil {
							t.Fatal(err)
						}
						if got := proto.Clone(m); !proto.Equal(got, m) || !equalContent(m, next) {
							t.Errorf("%s, %s: %v, want %v", name, codec, m, next)
						}
					}
				}
			}
		}
	}
}

// equalContent compares messages of one descriptor and any Go types.
func equalContent(a, b proto.Message) bool {
	x := a.ProtoReflect().Descriptor()
	m, n := dynamicpb.NewMessage(x), dynamicpb.NewMessage(x)
	proto.Merge(m, a)
	proto.Merge(n, b)
	return proto.Equal(m, n)
}

// TestConcurrent uses one serializer in several goroutines; the race detector watches.
func TestConcurrent(t *testing.T) {
	for name, opts := range map[string][]flinkser.Option{
		"plain":                {},
		"deterministic, reuse": {flinkser.WithDeterministic(), flinkser.WithReuse(), flinkser.WithElementBudget(1000)},
		"aliasing, generated":  {flinkser.WithAliasing(), flinkser.RequireGenerated()},
	} {
		t.Run(name, func(t *testing.T) {
			typed := newSerializer[*recordpb.Record](t, opts...)
			open := newSerializer[proto.Message](t, opts...)
			records := corpus.Records("collections")
			var work sync.WaitGroup
			for g := range 8 {
				work.Go(func() {
					m := new(recordpb.Record)
					var buf []byte
					for i := range 200 {
						record := records[(i*7+g)%len(records)] // shared: writing must not change it
						var err error
						if i%2 == 0 {
							buf, err = typed.Append(buf[:0], record)
						} else {
							buf, err = open.Append(buf[:0], record)
						}
						if err != nil {
							t.Error(err)
							return
						}
						if _, err = typed.Decode(bytes.Clone(buf), m); err != nil || !proto.Equal(m, record) {
							t.Errorf("goroutine %d: %v", g, err)
							return
						}
						if n, err := open.Size(record); err != nil || n != len(buf)-4 {
							t.Errorf("goroutine %d: size %d, %v", g, n, err)
							return
						}
						if c, err := open.Clone(record); err != nil || !proto.Equal(c, record) {
							t.Errorf("goroutine %d: clone: %v", g, err)
							return
						}
						if b, err := flinkser.Marshal(record); err != nil || len(b) != len(buf)-4 {
							t.Errorf("goroutine %d: Marshal: %v", g, err)
							return
						}
						if err := typed.DecodePayload([]byte{0x22, 0x01, 0xff}, new(recordpb.Record)); !errors.Is(err, flinkser.ErrInvalidUTF8) {
							t.Errorf("goroutine %d: %v", g, err)
							return
						}
						if i%50 == 0 {
							if _, err := open.AppendPayload(nil, dynamic(record)); (err == nil) == (name == "aliasing, generated") {
								t.Errorf("goroutine %d: dynamic message: %v", g, err)
								return
							}
						}
					}
				})
			}
			work.Wait()
		})
	}
}

// TestAliasing checks what an aliasing serializer promises about memory.
func TestAliasing(t *testing.T) {
	sample := samples()[5]
	sample.Rs = []string{"string", "strong"}
	in := frames(t, sample)
	for codec, m := range emptyBoth(sample) {
		s := newSerializer[proto.Message](t, flinkser.WithAliasing())
		b := bytes.Clone(in)
		if _, err := s.Decode(b, m); err != nil {
			t.Fatal(err)
		}
		fields := m.ProtoReflect().Descriptor().Fields()
		by := m.ProtoReflect().Get(fields.ByName("by")).Bytes()
		if p := unsafe.SliceData(by); uintptr(unsafe.Pointer(p)) < uintptr(unsafe.Pointer(&b[0])) || uintptr(unsafe.Pointer(p)) > uintptr(unsafe.Pointer(&b[len(b)-1])) {
			t.Errorf("%s: a byte string was copied", codec)
		}
		if cap(by) != len(by) {
			t.Errorf("%s: a byte string has room for %d bytes of the input behind it", codec, cap(by)-len(by))
		}
		_ = append(by, 0xff, 0xff)
		if !bytes.Equal(b, in) {
			t.Errorf("%s: appending to a byte string has changed the input", codec)
		}
		if !equalContent(m, sample) {
			t.Errorf("%s: %v", codec, m)
		}
	}
}

// TestReuseAllocatesNothing checks that a second read of the same content into the same
// message finds all its memory there.
func TestReuseAllocatesNothing(t *testing.T) {
	s := newSerializer[*recordpb.Record](t, flinkser.WithReuse())
	for _, workload := range []string{"scalar", "text", "nested", "collections", "large"} {
		records := corpus.Records(workload)
		m := new(recordpb.Record)
		b, err := s.Append(nil, records[2])
		if err != nil {
			t.Fatal(err)
		}
		read := func() {
			if _, err := s.Decode(b, m); err != nil {
				t.Fatal(err)
			}
		}
		read()
		n := testing.AllocsPerRun(20, read)
		if workload == "collections" {
			// Keys of maps are new strings each time.
			if n > 20 {
				t.Errorf("%s: %v allocations", workload, n)
			}
		} else if n != 0 {
			t.Errorf("%s: %v allocations", workload, n)
		}
	}
}

// TestAppendAtLimit writes a message of exactly the largest size into slices with every
// amount of room. Its innermost messages are small, so that the bytes which are left for
// the lengths around them are more than they take in the end.
func TestAppendAtLimit(t *testing.T) {
	chain := new(cases.Rec)
	for range 60 {
		chain = &cases.Rec{Next: chain}
	}
	m := &cases.Rec{Kids: map[string]*cases.Rec{strings.Repeat("k", 1000): {}}, K: &cases.Rec_Alt{Alt: chain}}
	size := proto.Size(m)
	for codec, m := range bothCodecs(m) {
		s := newSerializer[proto.Message](t, flinkser.WithMaxMessageSize(size))
		less := newSerializer[proto.Message](t, flinkser.WithMaxMessageSize(size-1))
		refused, accepted := 0, 0
		for room := range size + 400 {
			for _, write := range []func([]byte, proto.Message) ([]byte, error){s.Append, s.AppendPayload} {
				if _, err := write(make([]byte, 0, room), m); err != nil {
					if refused++; refused == 1 {
						t.Errorf("%s: %d bytes, the limit, with room for %d: %v", codec, size, room, err)
					}
				}
			}
			for _, write := range []func([]byte, proto.Message) ([]byte, error){less.Append, less.AppendPayload} {
				if _, err := write(make([]byte, 0, room), m); !errors.Is(err, flinkser.ErrTooLarge) {
					if accepted++; accepted == 1 {
						t.Errorf("%s: a byte above the limit, with room for %d: %v", codec, room, err)
					}
				}
			}
		}
		if refused+accepted > 0 {
			t.Errorf("%s: %d calls at the limit were refused, %d above it accepted", codec, refused, accepted)
		}
	}
}

// TestOddMessages decodes into messages with nil where only Go code can put it.
func TestOddMessages(t *testing.T) {
	odd := func() []*cases.All {
		return []*cases.All{
			{O: (*cases.All_Os)(nil)}, {O: (*cases.All_Oe)(nil)}, {O: (*cases.All_Om)(nil)}, {O: (*cases.All_Od)(nil)}, {O: (*cases.All_Ob)(nil)},
			{O: (*cases.All_Oi)(nil)}, {O: (*cases.All_Of)(nil)}, {O: (*cases.All_On)(nil)}, {O: (*cases.All_Obl)(nil)},
			{O: &cases.All_Oe{}}, {O: &cases.All_Om{}}, {O: &cases.All_Ob{}},
			{Rm: []*cases.Inner{nil, nil}, Re0: []*cases.Empty{nil}},
			{Rm: make([]*cases.Inner, 0, 4)},
			{Rm: make([]*cases.Inner, 2, 4)[:1]},
			{Msm: map[string]*cases.Inner{"a": nil}},
		}
	}
	payloads := []string{
		"", "4a0161", "5200", "5a020801", "61000000000000f03f", "ca010161", "d00105", "dd0100000000", "e00101", "e80101",
		"92010208019201020801920102080192010208019201020801", "920100", "9201002001920100", "920200920200920200920200", "3a070a0161120208013a030a0162",
	}
	for name, opts := range map[string][]flinkser.Option{
		"safe": nil, "reuse": {flinkser.WithReuse()}, "merge": {flinkser.WithMerge()},
		"reuse, aliasing": {flinkser.WithReuse(), flinkser.WithAliasing()}, "merge, aliasing": {flinkser.WithMerge(), flinkser.WithAliasing()},
	} {
		s := newSerializer[*cases.All](t, opts...)
		for i := range odd() {
			for _, payload := range payloads {
				got, want := odd()[i], odd()[i]
				b := unhex(t, payload)
				err := s.DecodePayload(b, got)
				refErr := proto.UnmarshalOptions{Merge: strings.HasPrefix(name, "merge")}.Unmarshal(b, want)
				if (err == nil) != (refErr == nil) || err == nil && !proto.Equal(got, want) {
					t.Errorf("%s: message %d, payload %s: %v (%v), want %v (%v)", name, i, payload, got, err, want, refErr)
				}
			}
		}
	}
}

// TestLengths writes and reads messages, lists, maps and strings whose lengths are around
// those at which a length takes one byte more.
func TestLengths(t *testing.T) {
	lengths := []int{0, 1, 2, 100, 125, 126, 127, 128, 129, 130, 16370, 16380, 16381, 16382, 16383, 16384, 16385, 16390, 1<<21 - 4, 1<<21 - 1, 1 << 21}
	s := newSerializer[*cases.All](t, flinkser.WithDeterministic())
	for _, n := range lengths {
		text := strings.Repeat("x", n)
		inner := func() *cases.Inner { return &cases.Inner{S: text} }
		small := &cases.Inner{A: 1}
		for name, m := range map[string]*cases.All{
			"field":         {M: inner()},
			"nested":        {M: &cases.Inner{Next: &cases.Inner{Next: inner()}}},
			"list":          {Rm: []*cases.Inner{inner(), small, inner(), inner(), {}, small}},
			"map of text":   {Mss: map[string]string{"a": text, "b": "", text + "c": text}},
			"map":           {Msm: map[string]*cases.Inner{"a": inner(), "b": small, text + "c": inner()}},
			"map of bytes":  {Mbb: map[bool][]byte{true: []byte(text), false: nil}},
			"oneof":         {O: &cases.All_Om{Om: inner()}},
			"oneof text":    {O: &cases.All_Os{Os: text}},
			"packed":        {Pk: slicesOf(n, int32(1)), Rb: slicesOf(n, true), M: &cases.Inner{R: slicesOf(n, int32(1))}},
			"packed, large": {Pk: slicesOf(n/10, int32(-1)), Re: slicesOf(n/10, cases.Neg_NEG_M1), Rd: slicesOf(n/8, 1.5)},
			"packed, mixed": {Pk: append(slicesOf(n, int32(1)), 300, -1, 0), M: &cases.Inner{R: []int32{1, -1, int32(n)}}},
			"text":          {Rs: []string{text, "", text}, By: []byte(text), Opt: &text},
		} {
			want, err := proto.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.AppendPayload(nil, m)
			if err != nil || len(got) != len(want) {
				t.Errorf("%s of %d: %d bytes (%v), want %d", name, n, len(got), err, len(want))
				continue
			}
			back := new(cases.All)
			if err := proto.Unmarshal(got, back); err != nil || !proto.Equal(back, m) {
				t.Errorf("%s of %d: the reference reads another message: %v", name, n, err)
			}
			if err := s.DecodePayload(got, back); err != nil || !proto.Equal(back, m) {
				t.Errorf("%s of %d: another message is read: %v", name, n, err)
			}
			if size, err := s.Size(m); err != nil || size != len(want) {
				t.Errorf("%s of %d: size %d (%v), want %d", name, n, size, err, len(want))
			}
		}
	}
}

func slicesOf[T any](n int, v T) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = v
	}
	return s
}

// TestUTF8 puts a bad byte, and a good character, at every place of strings of every length.
func TestUTF8(t *testing.T) {
	s := newSerializer[*cases.All](t)
	check := func(text string, valid bool) {
		t.Helper()
		m := &cases.All{S: text}
		room := make([]byte, 0, len(text)+4+len(text)%3*200)
		if _, err := s.Append(room, m); valid != (err == nil) || !valid && !errors.Is(err, flinkser.ErrInvalidUTF8) {
			t.Fatalf("%q: write: %v", text, err)
		}
		b, err := proto.MarshalOptions{}.Marshal(&cases.All{By: []byte(text)})
		if err != nil {
			t.Fatal(err)
		}
		if len(b) > 0 {
			b[0] = 0x0a // the string field in its place
		}
		if err := s.DecodePayload(b, m); valid != (err == nil) || !valid && !errors.Is(err, flinkser.ErrInvalidUTF8) {
			t.Fatalf("%q: read: %v", text, err)
		}
	}
	for n := range 150 {
		ascii := strings.Repeat("a", n)
		check(ascii, true)
		for at := range n + 1 {
			for _, good := range []string{"é", "日", "😀"} {
				check(ascii[:at]+good+ascii[at:], true)
			}
			for _, bad := range []string{"\x80", "\xff", "\xc3", "\xe6\x97", "\xf0\x9f\x98", "\xed\xa0\x80", "\xc0\x80", "\xf4\x90\x80\x80"} {
				check(ascii[:at]+bad+ascii[at:], false)
			}
		}
	}
}
