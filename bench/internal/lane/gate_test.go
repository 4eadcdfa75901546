package lane

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/bench/internal/traces"
	"github.com/flinkser/flinkser/internal/corpus"
	"github.com/flinkser/flinkser/internal/corpus/recordpb"
)

func TestCheck(t *testing.T) {
	for _, c := range Comparisons() {
		for _, w := range c.Workloads {
			t.Run(c.Name+"/"+w, func(t *testing.T) { testCheck(t, c, w) })
		}
		if _, err := New(c, "strange"); err == nil || !strings.Contains(err.Error(), "strange") {
			t.Errorf("New of an unknown workload returns error %v", err)
		}
	}
}

func testCheck(t *testing.T, c Comparison, w string) {
	s, err := New(c, w)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	records := corpus.Size
	if w == Traces || w == ForeignTraces {
		records = traces.Size
	}
	if got := s.Records(); got != records {
		t.Errorf("there are %d records, want %d", got, records)
	}
	if v, ok := corpus.CheckValues()[w]; ok {
		if got, want := s.FrameBytes(), float64(v.Total)/corpus.Size; got != want {
			t.Errorf("the frames have %v bytes on average, want %v", got, want)
		}
	}
	for _, op := range Ops() {
		var got, want []string
		for _, l := range s.Of(op) {
			got = append(got, l.Name)
		}
		for _, name := range c.Lanes {
			// vtprotobuf has no code for messages of other modules. Reuse and new memory are about
			// reading.
			if w == ForeignTraces && name == VTProto {
				continue
			}
			if op == Deserialize || name != MemcpyAlloc && !strings.HasPrefix(name, OursReuse) {
				want = append(want, name)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the lanes are %q, want %q", op, got, want)
		}
	}
}

// TestCheckCatches adds lanes that do something wrong.
func TestCheckCatches(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		add        func(s *Set)
	}{
		{"field dropped on write", "record 1: the result is", func(s *Set) {
			s.add(Serialize, "wrong", encode(s, func(m *recordpb.Record) []byte {
				m.Timestamp = 0
				return mustFrame(m)
			}))
		}},
		{"presence dropped on write", "record 1: the result is", func(s *Set) {
			s.add(Serialize, "wrong", encode(s, func(m *recordpb.Record) []byte {
				if m.GetNote() == "" {
					m.Note = nil
				}
				return mustFrame(m)
			}))
		}},
		{"no prefix", "record 0: ", func(s *Set) {
			s.add(Serialize, "wrong", encode(s, func(m *recordpb.Record) []byte { return mustFrame(m)[prefixBytes:] }))
		}},
		{"nothing written", "record 0: " + errShort.Error(), func(s *Set) {
			s.add(Serialize, "wrong", encode(s, func(*recordpb.Record) []byte { return nil }))
		}},
		{"more than a frame", "record 0: " + errRest.Error(), func(s *Set) {
			s.add(Serialize, "wrong", encode(s, func(m *recordpb.Record) []byte { return append(mustFrame(m), 0) }))
		}},
		{"field dropped on read", "record 0: the result is", func(s *Set) {
			s.add(Deserialize, "wrong", decode(s, func(_ []byte, m *recordpb.Record) { m.Child = nil }))
		}},
		{"content of the record before", "record 1: the result is", func(s *Set) {
			held := &recordpb.Record{}
			s.add(Deserialize, "wrong", decode(s, func(_ []byte, m *recordpb.Record) {
				proto.Merge(held, m)
				proto.Reset(m)
				proto.Merge(m, held)
			}))
		}},
		{"memory shared with the frame", "record 0: the result is", func(s *Set) {
			s.add(Deserialize, "wrong", decode(s, func(frame []byte, m *recordpb.Record) {
				at := strings.Index(string(frame), string(m.Payload))
				m.Payload = frame[at : at+len(m.Payload)]
			}))
		}},
		{"frame changed after the last look at it", "changed frame 63", func(s *Set) {
			calls := 0
			s.add(Deserialize, "wrong", decode(s, func(frame []byte, _ *recordpb.Record) {
				if calls++; calls == 2*corpus.Size {
					frame[0] ^= 1
				}
			}))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := New(Libraries(), "text")
			if err != nil {
				t.Fatal(err)
			}
			s.Lanes = nil
			tt.add(s)
			err = s.Check()
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

// encode makes a lane of a function that returns a frame. It may change the message.
func encode(s *Set, f func(*recordpb.Record) []byte) func(*result) func(from, to int) error {
	return func(last *result) func(from, to int) error {
		return func(from, to int) error {
			for _, m := range s.want[from:to] {
				last.frame = f(proto.CloneOf(m.(*recordpb.Record)))
			}
			return nil
		}
	}
}

// decode makes a lane of a function that changes what has been read from a frame.
func decode(s *Set, f func(frame []byte, m *recordpb.Record)) func(*result) func(from, to int) error {
	return func(last *result) func(from, to int) error {
		return func(from, to int) error {
			for _, frame := range s.frames[from:to] {
				b, err := payload(frame)
				if err != nil {
					return err
				}
				m := &recordpb.Record{}
				if err := proto.Unmarshal(b, m); err != nil {
					return err
				}
				f(frame, m)
				last.message = m
			}
			return nil
		}
	}
}

func mustFrame(m proto.Message) []byte {
	b, err := frame(m)
	if err != nil {
		panic(err)
	}
	return b
}

func TestPayload(t *testing.T) {
	for _, tt := range []struct {
		frame, want string
		err         error
	}{
		{"\x00\x00\x00\x02ab", "ab", nil},
		{"\x00\x00\x00\x01ab", "a", nil},
		{"\x00\x00\x00\x00", "", nil},
		{"\x00\x00\x00\x03ab", "", errShort},
		{"\xff\xff\xff\xffab", "", errShort},
		{"\x00\x00\x00", "", errShort},
	} {
		got, err := payload([]byte(tt.frame))
		if string(got) != tt.want || err != tt.err {
			t.Errorf("payload(%q) is %q and %v, want %q and %v", tt.frame, got, err, tt.want, tt.err)
		}
	}
}
