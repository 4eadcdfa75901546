package flinkser_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/golden/cases"
	"github.com/flinkser/flinkser/golden/kinds"
	"github.com/flinkser/flinkser/golden/numbers"
	"github.com/flinkser/flinkser/golden/wellknown"
	flinkser "github.com/flinkser/flinkser/runtime"
)

func TestLimitsDefaults(t *testing.T) {
	want := flinkser.Limits{MaxMessageBytes: 64 << 20, RecursionLimit: 100}
	if flinkser.DefaultMaxMessageBytes != 67_108_864 || flinkser.DefaultRecursionLimit != 100 || flinkser.MaxRecursionLimit != 100_000 {
		t.Error("the constants have other values than the documentation says")
	}
	for name, opts := range map[string][]flinkser.Option{
		"no options":       nil,
		"zero limits":      {flinkser.WithLimits(flinkser.Limits{})},
		"the last one":     {flinkser.WithRecursionLimit(7), flinkser.WithMaxMessageSize(9), flinkser.WithElementBudget(3), flinkser.WithLimits(flinkser.Limits{})},
		"the same, spelt":  {flinkser.WithLimits(want)},
		"other options":    {flinkser.WithDeterministic(), flinkser.WithAliasing(), flinkser.WithReuse(), flinkser.WithPartial(), flinkser.WithReadAhead(16)},
		"require the code": {flinkser.RequireGenerated()},
	} {
		if got := newSerializer[*cases.All](t, opts...).Limits(); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	got := newSerializer[*cases.All](t, flinkser.WithLimits(flinkser.ProtobufLimits), flinkser.WithRecursionLimit(5), flinkser.WithMaxMessageSize(6), flinkser.WithElementBudget(7)).Limits()
	if want := (flinkser.Limits{MaxMessageBytes: 6, RecursionLimit: 5, ElementBudget: 7, UnknownGroupLimit: flinkser.ProtobufLimits.UnknownGroupLimit}); got != want {
		t.Errorf("options behind WithLimits: %+v, want %+v", got, want)
	}
	if got := newSerializer[*cases.All](t, flinkser.WithoutElementBudget()).Limits().ElementBudget; got != flinkser.NoElementBudget {
		t.Errorf("without budget: %d", got)
	}
}

func TestOptionErrors(t *testing.T) {
	tooLarge := int64(math.MaxInt32) + 1
	for _, c := range []struct {
		name   string
		value  int64
		option flinkser.Option
	}{
		{"WithMaxMessageSize", 0, flinkser.WithMaxMessageSize(0)},
		{"WithMaxMessageSize", -1, flinkser.WithMaxMessageSize(-1)},
		{"WithRecursionLimit", 0, flinkser.WithRecursionLimit(0)},
		{"WithRecursionLimit", -100, flinkser.WithRecursionLimit(-100)},
		{"RecursionLimit", flinkser.MaxRecursionLimit + 1, flinkser.WithRecursionLimit(flinkser.MaxRecursionLimit + 1)},
		{"RecursionLimit", math.MaxInt32, flinkser.WithRecursionLimit(math.MaxInt32)},
		{"WithElementBudget", 0, flinkser.WithElementBudget(0)},
		{"WithElementBudget", -1, flinkser.WithElementBudget(-1)},
		{"WithReadAhead", 0, flinkser.WithReadAhead(0)},
		{"WithReadAhead", 15, flinkser.WithReadAhead(15)},
		{"WithReadAhead", 1<<30 + 1, flinkser.WithReadAhead(1<<30 + 1)},
		{"WithReadAhead", -1, flinkser.WithReadAhead(-1)},
		{"MaxMessageBytes", -1, flinkser.WithLimits(flinkser.Limits{MaxMessageBytes: -1})},
		// Where int has 32 bits these are negative, which is refused as well.
		{"MaxMessageBytes", int64(int(tooLarge)), flinkser.WithLimits(flinkser.Limits{MaxMessageBytes: int(tooLarge)})},
		{"RecursionLimit", -1, flinkser.WithLimits(flinkser.Limits{RecursionLimit: -1})},
		{"ElementBudget", math.MinInt, flinkser.WithLimits(flinkser.Limits{ElementBudget: math.MinInt})},
		{"UnknownGroupLimit", -1, flinkser.WithLimits(flinkser.Limits{UnknownGroupLimit: -1})},
	} {
		check := func(where string, err error) {
			t.Helper()
			var failed *flinkser.OptionError
			if !errors.As(err, &failed) || failed.Option != c.name || failed.Value != c.value || failed.Want == "" {
				t.Errorf("%s %d: %s: error %v", c.name, c.value, where, err)
				return
			}
			if text := failed.Error(); !strings.Contains(text, failed.Option) || !strings.Contains(text, failed.Want) {
				t.Errorf("%s %d: %s: error %q", c.name, c.value, where, text)
			}
		}
		s, err := flinkser.New[*cases.All](c.option)
		check("New", err)
		if s != nil {
			t.Errorf("%s %d: New returns a serializer, too", c.name, c.value)
		}
		r := flinkser.NewReader[*cases.All](bytes.NewReader(nil), c.option)
		if r.Next(new(cases.All)) {
			t.Errorf("%s %d: Next returns true", c.name, c.value)
		}
		check("Reader", r.Err())
		if r.Next(new(cases.All)) {
			t.Errorf("%s %d: Next returns true", c.name, c.value)
		}
		w := flinkser.NewWriter[*cases.All](io.Discard, c.option)
		check("Writer", w.Write(new(cases.All)))
		check("Writer, again", w.Write(new(cases.All)))
	}

	if _, err := flinkser.New[*cases.All](flinkser.WithMerge(), flinkser.WithReuse()); !isOptionError(err) {
		t.Errorf("merge and reuse: %v", err)
	}
	if _, err := flinkser.New[*cases.All](flinkser.WithReuse(), flinkser.WithMerge()); !isOptionError(err) {
		t.Errorf("reuse and merge: %v", err)
	}
	bad := flinkser.Limits{RecursionLimit: -1}
	if b, err := bad.Marshal(new(cases.All)); !isOptionError(err) || b != nil {
		t.Errorf("Limits.Marshal: %x, %v", b, err)
	}
	if err := bad.Unmarshal(nil, new(cases.All)); !isOptionError(err) {
		t.Errorf("Limits.Unmarshal: %v", err)
	}
	src := strings.NewReader("\x00\x00\x00\x00")
	if n, err := flinkser.CopyFrame(io.Discard, src, bad); !isOptionError(err) || n != 0 || src.Len() != 4 {
		t.Errorf("CopyFrame: %d, %v", n, err)
	}
}

func isOptionError(err error) bool {
	var failed *flinkser.OptionError
	return errors.As(err, &failed)
}

func TestLimitsBounds(t *testing.T) {
	// The smallest and largest values do what they say.
	for _, opts := range [][]flinkser.Option{
		{flinkser.WithMaxMessageSize(1), flinkser.WithRecursionLimit(1), flinkser.WithElementBudget(1), flinkser.WithReadAhead(16)},
		{flinkser.WithMaxMessageSize(math.MaxInt32), flinkser.WithRecursionLimit(deepest), flinkser.WithElementBudget(math.MaxInt)},
		{flinkser.WithLimits(flinkser.Limits{MaxMessageBytes: math.MaxInt32, RecursionLimit: deepest, ElementBudget: math.MaxInt, UnknownGroupLimit: math.MaxInt32})},
	} {
		s := newSerializer[*cases.Empty](t, opts...)
		b, err := s.Append(nil, &cases.Empty{})
		if err != nil || len(b) != 4 {
			t.Errorf("%+v: %x, %v", s.Limits(), b, err)
		}
		if rest, err := s.Decode(b, &cases.Empty{}); err != nil || len(rest) != 0 {
			t.Errorf("%+v: %v", s.Limits(), err)
		}
	}
	s := newSerializer[*cases.Inner](t, flinkser.WithMaxMessageSize(1))
	if _, err := s.Append(nil, &cases.Inner{A: 1}); !errors.Is(err, flinkser.ErrTooLarge) {
		t.Errorf("two bytes, limit 1: %v", err)
	}
}

func TestLimitsFunctions(t *testing.T) {
	m := &cases.Inner{Next: &cases.Inner{Next: &cases.Inner{A: 1}}}
	b, err := flinkser.Limits{RecursionLimit: 2}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	got := &cases.Inner{S: "old"}
	if err := (flinkser.Limits{RecursionLimit: 2}).Unmarshal(b, got); err != nil || !proto.Equal(m, got) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := (flinkser.Limits{RecursionLimit: 1}).Marshal(m); !errors.Is(err, flinkser.ErrDepth) {
		t.Errorf("write: %v", err)
	}
	if err := (flinkser.Limits{RecursionLimit: 1}).Unmarshal(b, got); !errors.Is(err, flinkser.ErrDepth) {
		t.Errorf("read: %v", err)
	}
	if _, err := (flinkser.Limits{MaxMessageBytes: len(b) - 1}).Marshal(m); !errors.Is(err, flinkser.ErrTooLarge) {
		t.Errorf("write: %v", err)
	}
	if err := (flinkser.Limits{MaxMessageBytes: len(b) - 1}).Unmarshal(b, got); !errors.Is(err, flinkser.ErrTooLarge) {
		t.Errorf("read: %v", err)
	}
}

// TestProtobufLimits checks that ProtobufLimits end exactly where google.golang.org/protobuf
// does.
func TestProtobufLimits(t *testing.T) {
	// wrap puts b into this many messages, each of which is a field with one of the tags, in
	// turn from the inside.
	wrap := func(b []byte, levels int, tags ...byte) []byte {
		out := make([]byte, len(b)+levels*5) // filled from its end
		at := len(out) - copy(out[len(out)-len(b):], b)
		for i := range levels {
			length := protowire.AppendVarint(nil, uint64(len(out)-at))
			at -= len(length) + 1
			out[at] = tags[i%len(tags)]
			copy(out[at+1:], length)
		}
		return out[at:]
	}
	nested := func(levels int) []byte { return wrap(nil, levels, 0x12) }
	entries := func(levels int) []byte { return wrap(nil, 2*levels, 0x12, 0x1a) } // two each
	groups := func(levels int) []byte {
		return append(bytes.Repeat([]byte{0x33}, levels), bytes.Repeat([]byte{0x34}, levels)...)
	}
	below := func(levels int, b []byte) []byte { return wrap(b, levels, 0x12) }
	for name, build := range map[string]func(int) []byte{
		"messages":                nested,
		"map entries":             func(n int) []byte { return entries((n + 1) / 2) },
		"groups":                  groups,
		"groups below a message":  func(n int) []byte { return below(1, groups(n)) },
		"groups below 50 of them": func(n int) []byte { return below(50, groups(n)) },
		"groups of two fields":    func(n int) []byte { return append(groups(n-1), groups(n)...) },
	} {
		accepted, refused := 0, 0
		for n := 9_996; n < 10_006; n++ {
			b := build(n)
			want := proto.Unmarshal(b, new(cases.Rec))
			for codec, m := range emptyBoth(new(cases.Rec)) {
				err := flinkser.ProtobufLimits.Unmarshal(b, m)
				if (err == nil) != (want == nil) {
					t.Errorf("%s, %d levels, %s: error %v, reference %v", name, n, codec, err, want)
				}
				if err == nil {
					accepted++
				} else if refused++; !errors.Is(err, flinkser.ErrDepth) {
					t.Errorf("%s, %d levels, %s: error %v", name, n, codec, err)
				}
			}
		}
		if accepted == 0 || refused == 0 {
			t.Errorf("%s: %d accepted, %d refused: the border is elsewhere", name, accepted, refused)
		}
	}
}

// TestElementBudget checks what counts as an element, with a budget that is just enough and
// one that is not.
func TestElementBudget(t *testing.T) {
	for name, c := range map[string]struct {
		m        proto.Message
		elements int
	}{
		"list of messages":             {&cases.All{Rm: []*cases.Inner{{}, {A: 1}, {}}}, 3},
		"list of empty messages":       {&cases.All{Re0: []*cases.Empty{{}, {}, {}}}, 3},
		"list of strings":              {&cases.All{Rs: []string{"", "a", ""}}, 3},
		"list of byte strings":         {&kinds.Lists{FBytes: [][]byte{{}, {1}, {}}}, 3},
		"map of strings":               {&cases.All{Mss: map[string]string{"a": "", "b": "", "c": ""}}, 3},
		"map of numbers":               {&cases.All{Mie: map[int32]cases.Neg{1: 1, 2: 2, 3: 3}}, 3},
		"map of messages":              {&cases.All{Msm: map[string]*cases.Inner{"a": {}, "b": {}}}, 4},
		"map of foreign messages":      {&wellknown.Maps{}, 0},
		"messages in messages":         {&cases.Rec{Next: &cases.Rec{Next: &cases.Rec{Next: &cases.Rec{}}}}, 3},
		"a member of a oneof":          {&cases.All{O: &cases.All_Om{Om: &cases.Inner{Next: &cases.Inner{}}}}, 2},
		"numbers, in lists too":        {&cases.All{Pk: []int32{1, 2, 3, 4}, Up: []int32{1, 2, 3, 4}, Rd: []float64{1, 2}, Rb: []bool{true}, Hi: 1, M: &cases.Inner{R: []int32{1, 2, 3}}}, 1},
		"strings that stand alone":     {&cases.All{S: "a", By: []byte("b"), Opt: proto.String("c"), Optb: []byte("d"), O: &cases.All_Os{Os: "e"}}, 0},
		"everything together":          {&cases.All{M: &cases.Inner{}, Rm: []*cases.Inner{{}, {}}, Rs: []string{"", ""}, Msm: map[string]*cases.Inner{"": {}}, Mbb: map[bool][]byte{true: nil}}, 8},
		"lists of messages, long tags": {&numbers.MessageLists{F536870911: []*numbers.Leaf{{}, {}, {}}, F2048: []*numbers.Leaf{{}, {}}}, 5},
	} {
		b, err := flinkser.Marshal(c.m)
		if err != nil {
			t.Fatal(err)
		}
		for _, opts := range [][]flinkser.Option{nil, {flinkser.WithReuse()}, {flinkser.WithMerge()}, {flinkser.WithAliasing()}} {
			for codec, m := range emptyBoth(c.m) {
				if c.elements > 0 {
					s := newSerializer[proto.Message](t, append(opts, flinkser.WithElementBudget(c.elements))...)
					for range 2 { // a budget is for one payload
						if err := s.DecodePayload(b, m); err != nil {
							t.Errorf("%s, %s: a budget of %d: %v", name, codec, c.elements, err)
						}
					}
				}
				if c.elements > 1 {
					s := newSerializer[proto.Message](t, append(opts, flinkser.WithElementBudget(c.elements-1))...)
					if err := s.DecodePayload(b, m); !errors.Is(err, flinkser.ErrBudget) {
						t.Errorf("%s, %s: a budget of %d: %v", name, codec, c.elements-1, err)
					}
				}
			}
		}
	}
}

// TestDefaultElementBudget checks the border of 65,536 and a quarter of the payload's bytes.
func TestDefaultElementBudget(t *testing.T) {
	// n elements of 2 bytes: the budget is 65,536 + n/2, enough for 131,072 and 131,073.
	for n, want := range map[int]error{131_072: nil, 131_073: flinkser.ErrBudget, 200_000: flinkser.ErrBudget} {
		b := bytes.Repeat([]byte{0x0a, 0x00}, n)
		for codec, m := range emptyBoth(new(kinds.Lists)) {
			if err := flinkser.Unmarshal(b, m); !errors.Is(err, want) {
				t.Errorf("%s: %d elements of 2 bytes: %v, want %v", codec, n, err, want)
			}
		}
	}
	// Elements of 6 bytes earn more than they cost.
	b := bytes.Repeat([]byte{0x0a, 0x04, 'a', 'b', 'c', 'd'}, 190_000)
	if err := flinkser.Unmarshal(b, new(kinds.Lists)); err != nil {
		t.Errorf("190,000 elements of 6 bytes: %v", err)
	}
	// 5 bytes cost a little more, and the base pays for it: 300,000 of 440,536.
	b = bytes.Repeat([]byte{0x0a, 0x03, 'a', 'b', 'c'}, 300_000)
	if err := flinkser.Unmarshal(b, new(kinds.Lists)); err != nil {
		t.Errorf("300,000 elements of 5 bytes: %v", err)
	}
}
