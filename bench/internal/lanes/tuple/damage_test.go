package tuple

import (
	"bytes"
	"testing"

	"github.com/flinkser/flinkser/bench/internal/lanes/plain"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// TestDamaged reads a batch that ends early, and one with each byte changed: the first is an
// error, and the second must not take memory for what is not there.
func TestDamaged(t *testing.T) {
	lane, err := complete(plain.Batches(), (*writer).batch, (*reader).batch)
	if err != nil {
		t.Fatal(err)
	}
	m, err := lane.Build(&suite.Batches()[0])
	if err != nil {
		t.Fatal(err)
	}
	whole, err := lane.Append(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		if _, err := lane.Decode(whole[:n:n]); err == nil {
			t.Errorf("the first %d of %d bytes are read", n, len(whole))
		}
	}
	for i := range whole {
		damaged := bytes.Clone(whole)
		damaged[i] ^= 0xff
		if m, err := lane.Decode(damaged); err == nil && len(m.ResourceSpans) > len(whole) {
			t.Errorf("with byte %d changed, %d bytes give %d elements", i, len(whole), len(m.ResourceSpans))
		}
		if _, rest, err := lane.CopyStream(nil, damaged); err == nil && len(rest) > len(damaged) {
			t.Errorf("with byte %d changed, %d bytes are left of %d", i, len(rest), len(damaged))
		}
	}
	long := []byte{0xff, 0xff, 0xff, 0xff, 0}
	if allocated := testing.AllocsPerRun(10, func() { _, _ = lane.Decode(long) }); allocated > 1 {
		t.Errorf("a length without content makes %g allocations, want the message alone", allocated)
	}
}
