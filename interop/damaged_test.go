package interop_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/flinkser/flinkser/runtime/snapshot"
)

// descriptors returns where the descriptors of a snapshot begin. They end 32 bytes before the end, where their digest is.
func descriptors(t *testing.T, b []byte) int {
	t.Helper()
	end := len(b) - sha256.Size
	for i := range end {
		if digest := sha256.Sum256(b[i:end]); bytes.Equal(digest[:], b[end:]) {
			return i
		}
	}
	t.Fatal("no part of the snapshot has its digest")
	return 0
}

// TestDamagedSnapshots cuts snapshots short, and changes bytes at random, with and without a digest that fits. What
// Java refuses Go must refuse, and what both accept they must write equally again. Go is stricter in one point: it refuses descriptors
// that protoc would not make, such as a syntax that does not exist, an enum without a zero, or an invalid name.
func TestDamagedSnapshots(t *testing.T) {
	p, all := peer(t), asked(t)
	r := rand.New(rand.NewPCG(30012026, 10))
	var damaged [][]byte
	for _, s := range all.Snapshots {
		if !strings.HasSuffix(s.Name, ", root, old") && len(damaged) > 5000 {
			continue
		}
		for n := 0; n < len(s.Bytes); n += 1 + r.IntN(8) {
			damaged = append(damaged, s.Bytes[:n])
		}
		start := descriptors(t, s.Bytes)
		for range 40 {
			b := bytes.Clone(s.Bytes)
			for range 1 + r.IntN(2) {
				i := r.IntN(len(b))
				if r.IntN(2) == 0 {
					b[i] ^= 1 << r.IntN(8)
				} else {
					b[i] = byte(r.Uint32())
				}
			}
			if end := len(b) - sha256.Size; r.IntN(4) > 0 {
				digest := sha256.Sum256(b[start:end])
				copy(b[end:], digest[:])
			}
			damaged = append(damaged, b)
		}
	}
	results, err := p.Reread("", damaged)
	if err != nil {
		t.Fatal(err)
	}
	accepted, stricter := 0, 0
	for i, result := range results {
		s, rest, err := snapshot.Parse(damaged[i])
		if err == nil && len(rest) > 0 {
			err = errors.New("bytes are left")
		}
		if result.Error == "" && errors.Is(err, snapshot.ErrInvalidGraph) {
			stricter++
			continue
		}
		if (err == nil) != (result.Error == "") {
			t.Errorf("%q: Go %v, Java %q", damaged[i], err, result.Error)
			continue
		}
		if err != nil {
			continue
		}
		accepted++
		sameSnapshot(t, "damaged", result.Bytes, appended(t, s))
	}
	t.Logf("%d damaged snapshots, %d of them accepted by both, %d by Java alone", len(damaged), accepted, stricter)
	if accepted < 100 || len(damaged)-accepted < 1000 || stricter == 0 || stricter*20 > len(damaged) {
		t.Errorf("of %d damaged snapshots %d were accepted by both and %d by Java alone", len(damaged), accepted, stricter)
	}
}
