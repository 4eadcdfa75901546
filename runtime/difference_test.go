package flinkser_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/flinkser/flinkser/golden/cases"
	"github.com/flinkser/flinkser/golden/kinds"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// TestIntendedDifference holds, by its number, each difference from google.golang.org/protobuf
// that the README lists. TestDifferential in the folder golden shows that there is no other.
func TestIntendedDifference(t *testing.T) {
	for _, d := range []struct {
		number string
		test   func(*testing.T)
	}{
		{"1", differentDepth}, {"2", differentSize}, {"3", differentFieldOrder}, {"4", differentMapOrder},
		{"5", differentUnknownTags}, {"6", differentBudget}, {"7", differentPrecedence}, {"8", differentClone}, {"9", differentRequired},
	} {
		t.Run(d.number, d.test)
	}
}

// Depth: limit 100, inclusive, root at 0; groups of unknown fields count; checked on write.
func differentDepth(t *testing.T) {
	m := new(cases.Rec)
	for range 101 {
		m = &cases.Rec{Next: m}
	}
	b, err := proto.Marshal(m)
	if err != nil {
		t.Fatalf("reference: %v", err)
	}
	if err := proto.Unmarshal(b, new(cases.Rec)); err != nil {
		t.Fatalf("reference: %v", err)
	}
	for codec, m := range bothCodecs(m) {
		if _, err := flinkser.Marshal(m); !errors.Is(err, flinkser.ErrDepth) {
			t.Errorf("%s: write: %v", codec, err)
		}
		if err := flinkser.Unmarshal(b, m); !errors.Is(err, flinkser.ErrDepth) {
			t.Errorf("%s: read: %v", codec, err)
		}
	}
	groups := append(bytes.Repeat([]byte{0x33}, 101), bytes.Repeat([]byte{0x34}, 101)...)
	if err := (proto.UnmarshalOptions{RecursionLimit: 1}).Unmarshal(groups, new(cases.Rec)); err != nil {
		t.Errorf("the reference counts unknown groups: %v", err)
	}
	for codec, m := range emptyBoth(m) {
		if err := flinkser.Unmarshal(groups, m); !errors.Is(err, flinkser.ErrDepth) {
			t.Errorf("%s: groups: %v", codec, err)
		}
		if err := flinkser.Unmarshal(groups[1:201], m); err != nil {
			t.Errorf("%s: 100 levels of groups: %v", codec, err)
		}
	}
}

// Size: limit 64 MiB on write and read.
func differentSize(t *testing.T) {
	m := &cases.All{By: make([]byte, flinkser.DefaultMaxMessageBytes)}
	b, err := proto.Marshal(m)
	if err != nil {
		t.Fatalf("reference: %v", err)
	}
	if _, err := flinkser.Marshal(m); !errors.Is(err, flinkser.ErrTooLarge) {
		t.Errorf("write: %v", err)
	}
	if err := flinkser.Unmarshal(b, new(cases.All)); !errors.Is(err, flinkser.ErrTooLarge) {
		t.Errorf("read: %v", err)
	}
	m.By = m.By[:len(m.By)-5] // a tag and a length of 4 bytes
	b, err = flinkser.Marshal(m)
	if err != nil || len(b) != flinkser.DefaultMaxMessageBytes {
		t.Fatalf("%d bytes, %v", len(b), err)
	}
	if err := flinkser.Unmarshal(b, new(cases.All)); err != nil {
		t.Errorf("at the limit: %v", err)
	}
}

// Order: by field number, oneof members too.
func differentFieldOrder(t *testing.T) {
	m := &cases.All{O: &cases.All_Oi{Oi: 1}, Hi: 1}
	theirs, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil || !bytes.Equal(theirs, unhex(t, "f8ffffff0f01 d00101")) {
		t.Errorf("reference: %x, %v: it writes oneofs by number now, too", theirs, err)
	}
	for codec, m := range bothCodecs(m) {
		if b, err := flinkser.Marshal(m); err != nil || !bytes.Equal(b, unhex(t, "d00101 f8ffffff0f01")) {
			t.Errorf("%s: %x, %v", codec, b, err)
		}
	}
}

// Deterministic maps: as Java orders them.
func differentMapOrder(t *testing.T) {
	s := newSerializer[proto.Message](t, flinkser.WithDeterministic())
	for _, c := range []struct {
		m            *kinds.MapKeys
		ours, theirs string
	}{
		{&kinds.MapKeys{FString: map[string]string{"\ue000": "", "\U0001f600": ""}}, "62080a04f09f98801200", "62070a03ee80801200"},
		{&kinds.MapKeys{FUint32: map[uint32]string{1: "", math.MaxUint32: ""}}, "1a0808ffffffff0f1200", "1a0408011200"},
		{&kinds.MapKeys{FUint64: map[uint64]string{1: "", math.MaxUint64: ""}}, "220d08ffffffffffffffffff011200", "220408011200"},
		{&kinds.MapKeys{FFixed32: map[uint32]string{1: "", math.MaxUint32: ""}}, "42070dffffffff1200", "42070d010000001200"},
		{&kinds.MapKeys{FFixed64: map[uint64]string{1: "", math.MaxUint64: ""}}, "4a0b09ffffffffffffffff1200", "4a0b0901000000000000001200"},
	} {
		theirs, err := proto.MarshalOptions{Deterministic: true}.Marshal(c.m)
		if err != nil || !bytes.HasPrefix(theirs, unhex(t, c.theirs)) {
			t.Errorf("reference: %x, %v", theirs, err)
		}
		for codec, m := range bothCodecs(c.m) {
			if b, err := s.AppendPayload(nil, m); err != nil || !bytes.HasPrefix(b, unhex(t, c.ours)) || len(b) != len(theirs) {
				t.Errorf("%s: %x (%v), want %s first", codec, b, err, c.ours)
			}
		}
	}
}

// Unknown fields: byte for byte, an overlong tag included.
func differentUnknownTags(t *testing.T) {
	in := unhex(t, "a2868000 0161")
	if num, _, n := protowire.ConsumeTag(in); num != 100 || n != 4 {
		t.Fatalf("tag of field %d in %d bytes", num, n)
	}
	theirs := new(cases.All)
	if err := proto.Unmarshal(in, theirs); err != nil {
		t.Fatal(err)
	}
	if got := theirs.ProtoReflect().GetUnknown(); !bytes.Equal(got, unhex(t, "a2060161")) {
		t.Errorf("reference: %x: it keeps tags now, too", got)
	}
	for codec, m := range emptyBoth(theirs) {
		if err := flinkser.Unmarshal(in, m); err != nil {
			t.Fatal(err)
		}
		if b, err := flinkser.Marshal(m); err != nil || !bytes.Equal(b, in) {
			t.Errorf("%s: %x, %v", codec, b, err)
		}
	}
}

// Element budget.
func differentBudget(t *testing.T) {
	b := bytes.Repeat(unhex(t, "920100"), 1_000_000)
	m := new(cases.All)
	if err := proto.Unmarshal(b, m); err != nil || len(m.Rm) != 1_000_000 {
		t.Fatalf("reference: %d elements, %v", len(m.Rm), err)
	}
	var failed *flinkser.DecodeError
	if err := flinkser.Unmarshal(b, m); !errors.Is(err, flinkser.ErrBudget) || !errors.As(err, &failed) || failed.Field != "rm" {
		t.Errorf("%v", err)
	}
	if err := newSerializer[*cases.All](t, flinkser.WithoutElementBudget()).DecodePayload(b, m); err != nil || len(m.Rm) != 1_000_000 {
		t.Errorf("without budget: %d elements, %v", len(m.Rm), err)
	}
	s := newSerializer[proto.Message](t, flinkser.WithElementBudget(10))
	for codec, m := range emptyBoth(m) {
		if err := s.DecodePayload(b, m); !errors.Is(err, flinkser.ErrBudget) {
			t.Errorf("%s: a budget of 10: %v", codec, err)
		}
	}
}

// Several limits at once: the error is about one of them, whichever is met first.
func differentPrecedence(t *testing.T) {
	deep := &cases.Inner{}
	for range 20 {
		deep = &cases.Inner{Next: deep}
	}
	m := &cases.All{S: strings.Repeat("x", 100), M: deep, Rs: []string{"\xff"}, Hi: 1}
	reasons := []error{flinkser.ErrTooLarge, flinkser.ErrDepth, flinkser.ErrInvalidUTF8}
	for codec, m := range bothCodecs(m) {
		s := newSerializer[proto.Message](t, flinkser.WithMaxMessageSize(50), flinkser.WithRecursionLimit(10))
		out, err := s.Append([]byte("before"), m)
		met := 0
		for _, reason := range reasons {
			if errors.Is(err, reason) {
				met++
			}
		}
		if met != 1 || string(out) != "before" {
			t.Errorf("%s: %q, %v", codec, out, err)
		}
	}
	// Each of them alone is found.
	for i, opts := range [][]flinkser.Option{{flinkser.WithMaxMessageSize(50)}, {flinkser.WithRecursionLimit(10)}, nil} {
		one := &cases.All{S: strings.Repeat("x", 100)}
		switch i {
		case 1:
			one = &cases.All{M: deep}
		case 2:
			one = &cases.All{Rs: []string{"\xff"}}
		}
		if _, err := newSerializer[*cases.All](t, opts...).Append(nil, one); !errors.Is(err, reasons[i]) {
			t.Errorf("%v, want %v", err, reasons[i])
		}
	}
}

// Clone: a negative zero stays.
func differentClone(t *testing.T) {
	minus := math.Copysign(0, -1)
	m := &cases.All{D: minus, F: float32(minus), Rd: []float64{minus}, Msm: map[string]*cases.Inner{"": {}}}
	if !math.Signbit(m.D) {
		t.Fatal("no negative zero")
	}
	if c := proto.Clone(m).(*cases.All); math.Signbit(c.D) || math.Signbit(float64(c.F)) {
		t.Log("the reference keeps negative zeros now, too")
	}
	s := newSerializer[proto.Message](t)
	for codec, m := range bothCodecs(m) {
		d := m.ProtoReflect().Descriptor().Fields()
		if codec == "dynamic" { // the reference made it, without the zeros
			m.ProtoReflect().Set(d.ByName("d"), (&cases.All{D: minus}).ProtoReflect().Get(d.ByName("d")))
			m.ProtoReflect().Set(d.ByName("f"), (&cases.All{F: float32(minus)}).ProtoReflect().Get(d.ByName("f")))
		}
		want, err := flinkser.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(want, unhex(t, "b1010000000000000080 bd0100000080")) {
			t.Errorf("%s: the negative zeros are not written: %x", codec, want)
		}
		c, err := s.Clone(m)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := flinkser.Marshal(c); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: the clone is written as %x (%v), want %x", codec, got, err, want)
		}
	}
}

// Required fields: looked for in every member of a oneof, not only in the first.
func differentRequired(t *testing.T) {
	in := unhex(t, "1a00") // the second member, which lacks a field
	if err := proto.Unmarshal(in, new(cases.Pick)); err != nil {
		t.Errorf("the reference sees it now: %v", err)
	}
	if err := proto.Unmarshal(unhex(t, "1200"), new(cases.Pick)); err == nil {
		t.Error("the reference does not even see it in the first member")
	}
	if err := proto.Unmarshal(in, dynamicpb.NewMessage(new(cases.Pick).ProtoReflect().Descriptor())); err == nil {
		t.Error("the reference does not see it in a dynamic message")
	}
	for codec, m := range emptyBoth(new(cases.Pick)) {
		if err := flinkser.Unmarshal(in, m); !errors.Is(err, flinkser.ErrUninitialized) {
			t.Errorf("%s: read: %v", codec, err)
		}
	}
	for codec, m := range bothCodecs(&cases.Pick{O: &cases.Pick_Second{Second: &cases.Req{}}}) {
		if _, err := flinkser.Marshal(m); !errors.Is(err, flinkser.ErrUninitialized) {
			t.Errorf("%s: write: %v", codec, err)
		}
		if _, err := proto.Marshal(m); err == nil {
			t.Errorf("%s: the reference writes it", codec)
		}
	}
}
