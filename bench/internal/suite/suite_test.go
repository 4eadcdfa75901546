package suite

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/bench/internal/traces"
	"github.com/flinkser/flinkser/internal/corpus"
)

// TestReference compares the frames that lanes are held to with the check values, and those of traces
// with what google.golang.org/protobuf writes.
func TestReference(t *testing.T) {
	check := func(workload string, frames [][]byte) {
		if len(frames) != Size {
			t.Errorf("workload %s has %d records", workload, len(frames))
		}
		sum := sha256.Sum256(bytes.Join(frames, nil))
		if got, want := hex.EncodeToString(sum[:]), corpus.CheckValues()[workload].SHA256; got != want {
			t.Errorf("workload %s hashes to %s, want %s", workload, got, want)
		}
	}
	for _, w := range RecordWorkloads() {
		var frames [][]byte
		for _, r := range Records(w)() {
			frames = append(frames, reference(&r))
		}
		check(w, frames)
	}
	var frames [][]byte
	for _, p := range Posts() {
		frames = append(frames, reference(&p))
	}
	check(Social, frames)

	batches := Batches()
	for i, m := range traces.Make(Size) {
		want, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if got := reference(&batches[i])[PrefixBytes:]; !bytes.Equal(got, want) {
			t.Errorf("batch %d is %x, want %x", i, got, want)
		}
	}
}

func TestEqual(t *testing.T) {
	negative := math.Copysign(0, -1)
	for _, tt := range []struct {
		what string
		a, b *Wide
		want bool
	}{
		{"nothing", &Wide{}, &Wide{}, true},
		{"zero and its negative", &Wide{F13: ptr(0.)}, &Wide{F13: &negative}, false},
		{"absent and zero", &Wide{F13: ptr(0.)}, &Wide{}, false},
		{"the same behind pointers", &Wide{F13: ptr(1.)}, &Wide{F13: ptr(1.)}, true},
		{"NaN and itself", &Wide{F15: ptr(float32(math.NaN()))}, &Wide{F15: ptr(float32(math.NaN()))}, true},
		{"nil", nil, nil, false},
	} {
		if got := Equal(tt.a, tt.b); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.what, got, tt.want)
		}
	}
	a := &Record{Attributes: []Entry{{"a", 1}, {"b", 2}}, Values: []int64{}}
	if b := (&Record{Attributes: []Entry{{"b", 2}, {"a", 1}}}); !Equal(a, b) {
		t.Error("the order of entries counts, or an empty list is not none")
	}
	if b := (&Record{Attributes: []Entry{{"b", 2}, {"a", 2}}}); Equal(a, b) {
		t.Error("the value of an entry does not count")
	}
	if Equal(&Record{Values: []int64{1, 2}}, &Record{Values: []int64{2, 1}}) {
		t.Error("the order of a list does not count")
	}
}

// TestLoops counts what each operation calls, and on which records.
func TestLoops(t *testing.T) {
	records := []Record{{ID: 1}, {ID: 2}, {ID: 3}}
	var seen []int32
	note := func(m int32) { seen = append(seen, m) }
	lib := Type[Record, int32]{
		Build:      func(r *Record) (int32, error) { return r.ID, nil },
		Value:      func(m int32) (*Record, error) { return &Record{ID: m}, nil },
		Append:     func(dst []byte, m int32) ([]byte, error) { note(m); return append(dst, byte(m)), nil },
		Decode:     func(b []byte) (int32, error) { note(int32(b[0])); return int32(b[0]), nil },
		Reuse:      func(b []byte, m int32) (int32, error) { note(int32(b[0])); note(10 * m); return int32(b[0]), nil },
		Clone:      func(m int32) (int32, error) { note(m); return m, nil },
		CloneInto:  func(dst, src int32) (int32, error) { note(src); note(10 * dst); return src, nil },
		CopyStream: func(dst, s []byte) ([]byte, []byte, error) { note(int32(s[0])); return append(dst, s[0]), s[1:], nil },
		Read:       func(m int32) uint64 { note(100 * m); return uint64(m) },
	}
	for op, want := range map[string][]int32{
		Serialize:             {1, 2, 3, 1},
		SerializeSameInstance: {1, 1, 1, 1},
		BuildAndSerialize:     {1, 2, 3, 1},
		Deserialize:           {1, 2, 3, 1},
		DecodeAndRead:         {1, 100, 2, 200, 3, 300, 1, 100},
		DeserializeReuse:      {1, 30, 2, 10, 3, 20, 1, 30},
		ObjectCopy:            {1, 2, 3, 1},
		ObjectCopyReuse:       {1, 30, 2, 10, 3, 20, 1, 30},
		StreamCopy:            {1, 2, 3, 1},
	} {
		b := Bind(func() (Type[Record, int32], error) { return lib, nil }, func() []Record { return records })
		run, err := b.Operation(op)
		if err != nil {
			t.Fatal(err)
		}
		seen = nil
		// In two calls, since a cursor has to outlast one.
		for range 2 {
			if err := run.Run(2); err != nil {
				t.Fatal(err)
			}
		}
		if len(seen) != len(want) {
			t.Errorf("%s handles %v, want %v", op, seen, want)
			continue
		}
		for i := range want {
			if seen[i] != want[i] {
				t.Errorf("%s handles %v, want %v", op, seen, want)
				break
			}
		}
	}
}
