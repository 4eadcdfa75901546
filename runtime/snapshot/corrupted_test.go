package snapshot

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"sync/atomic"
	"testing"
	"time"
)

// corrupted is the environment variable with the number of inputs of TestCorrupted. make nightly sets it.
const corrupted = "FLINKSER_CORRUPTED"

// TestCorrupted reads damaged snapshots: each is refused with a typed error, or is a snapshot that says what its bytes say. Half of them
// have a digest that fits, since whoever changes descriptors on purpose changes it too. No damage makes a snapshot compatible that is not. It
// watches the memory.
func TestCorrupted(t *testing.T) {
	n := 20_000
	if text := os.Getenv(corrupted); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	list := fixtures(t)
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	debug.FreeOSMemory()
	stop := watchHeap()
	accepted, compatible := 0, 0
	whole := make([]*Snapshot, len(list))
	for i, x := range list {
		var err error
		if whole[i], _, err = Parse(x.bytes); err != nil {
			t.Fatal(err)
		}
	}
	for range n {
		i := rng.IntN(len(list))
		b, fit := corrupt(rng, bytes.Clone(list[i].bytes))
		s, rest, err := Parse(b)
		var typed *Error
		switch {
		case err != nil && (s != nil || !errors.As(err, &typed) || len(rest) != len(b)):
			t.Fatalf("%x: %v", b, err)
		case err == nil:
			accepted++
			again, err := s.Append(nil)
			if err != nil {
				t.Fatalf("%x: %v", b, err)
			}
			// What is not minimal becomes so; everything else is as it was.
			if second, _, err := Parse(again); err != nil || show(second) != show(s) {
				t.Fatalf("%x: %v", b, err)
			}
			if compatibleAfter(t, rng, b, fit, s, whole[i]) {
				compatible++
			}
		}
	}
	peak := stop()
	t.Logf("corrupted snapshots: %d, refused %d, accepted as what they say %d, compatible in truth %d, heap at most %.1f MiB above the beginning",
		n, n-accepted, accepted, compatible, float64(peak)/(1<<20))
	if peak > 64<<20 {
		t.Errorf("the heap grew by %d bytes", peak)
	}
}

// compatibleAfter reports whether a damaged snapshot may restore under the wire policy, and fails where that is wrong: with
// the digest as it was, only the flag, the class name, and a limit that is not above the new one may have
// changed; with a digest that fits, payloads of the damaged schema must survive in the whole one.
func compatibleAfter(t *testing.T, rng *rand.Rand, b []byte, fit bool, damaged, whole *Snapshot) bool {
	t.Helper()
	strict, wire := Check(damaged, whole, Options{}), Check(damaged, whole, Options{Policy: Wire})
	if strict.Compatible && (!wire.Compatible || damaged.JavaClass() != whole.JavaClass()) {
		t.Fatalf("%x: strict %v, wire %v", b, strict, wire)
	}
	if !wire.Compatible {
		return false
	}
	if damaged.MessageName() != whole.MessageName() || damaged.MaxMessageSize() > whole.MaxMessageSize() || damaged.RecursionLimit() > whole.RecursionLimit() {
		t.Fatalf("%x: %v", b, wire)
	}
	if damaged.Digest() == whole.Digest() {
		return true
	}
	if !fit {
		t.Fatalf("%x: other descriptors with a digest that was not changed", b)
	}
	for i := range 3 {
		payload, err := write(rng, damaged, i)
		if err != nil {
			continue // required fields that hold each other
		}
		if err := survives(damaged.root, whole.root, payload); err != nil {
			t.Fatalf("%x: compatible, but payload %x: %v\n%v", b, payload, err, wire)
		}
	}
	return true
}

// corrupt changes a snapshot in one to four places, and says whether it has made the digest fit again.
func corrupt(rng *rand.Rand, b []byte) ([]byte, bool) {
	fit := rng.IntN(2) == 0
	for range 1 + rng.IntN(4) {
		at := rng.IntN(len(b))
		switch rng.IntN(5) {
		case 0:
			b[at] = byte(rng.IntN(256))
		case 1:
			b[at] ^= 1 << rng.IntN(8)
		case 2:
			b = append(b[:at:at], append([]byte{byte(rng.IntN(256))}, b[at:]...)...)
		case 3:
			b = append(b[:at], b[min(len(b), at+1+rng.IntN(8)):]...)
		default:
			from := rng.IntN(len(b))
			n := min(rng.IntN(16), len(b)-from, len(b)-at)
			copy(b[at:at+n], b[from:from+n])
		}
		if len(b) == 0 {
			return b, false
		}
	}
	if fit {
		fitDigest(b)
	}
	return b, fit
}

// fitDigest puts the length and the digest of its descriptors into a snapshot whose names have not changed.
func fitDigest(b []byte) {
	at := front + 8
	for range 2 {
		if at+2 > len(b) {
			return
		}
		at += 2 + int(b[at])<<8 + int(b[at+1])
	}
	at += 1 + 4 + 4
	n := len(b) - (at + 4) - sha256.Size
	if n < 0 {
		return
	}
	copy(b[at:], int4(n))
	sum := sha256.Sum256(b[at+4 : at+4+n])
	copy(b[at+4+n:], sum[:])
}

// watchHeap looks at the size of the heap until the function that it returns is called, which tells by how much it has grown at most.
func watchHeap() (stop func() uint64) {
	heap := func() uint64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	start := heap()
	var peak atomic.Uint64
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
				if now := heap(); now > start+peak.Load() {
					peak.Store(now - start)
				}
			}
		}
	}()
	return func() uint64 {
		close(done)
		<-ended
		return peak.Load()
	}
}
