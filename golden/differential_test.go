package golden_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/flinkser/flinkser/internal/corpus"
	"github.com/flinkser/flinkser/internal/differ"
	"github.com/flinkser/flinkser/internal/protocheck"
	"github.com/flinkser/flinkser/internal/randpb"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// effort is what one round does with a message type.
var effort = differ.Effort{Messages: 3, Prefixes: 150, Mutations: 60}

func newCodecs(t testing.TB) *differ.Codecs {
	t.Helper()
	c, err := differ.New()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Environment variables that change what TestDifferential does.
const (
	// How long it runs, as "10m"; the seed is then another one each time.
	envTime = "FLINKSER_DIFF_TIME"
	// The seed, and the one round to run, of a failure that was printed.
	envSeed, envRound = "FLINKSER_DIFF_SEED", "FLINKSER_DIFF_ROUND"
)

// TestDifferential compares the module with google.golang.org/protobuf on random messages of
// every golden type, on damaged payloads and on prefixes of valid ones. What the module
// does differently on purpose is in runtime/difference_test.go; anything else fails.
func TestDifferential(t *testing.T) {
	seed, length := uint64(1), 3*time.Second
	if v := os.Getenv(envTime); v != "" {
		var err error
		if length, err = time.ParseDuration(v); err != nil {
			t.Fatalf("%s: %v", envTime, err)
		}
		seed = rand.Uint64()
	}
	number := func(name string, v *uint64) bool {
		s := os.Getenv(name)
		if s == "" {
			return false
		}
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		*v = n
		return true
	}
	number(envSeed, &seed)

	types, codecs := goldenTypes(), newCodecs(t)
	var inputs atomic.Int64
	run := func(round uint64) error {
		typ := types[round%uint64(len(types))]
		c := codecs.Compare(rand.New(rand.NewPCG(seed, round)), typ)
		err := c.Round(effort)
		inputs.Add(int64(c.Inputs))
		if err != nil {
			return fmt.Errorf("%s=%d %s=%d: %s: %w", envSeed, seed, envRound, round, c.Type.Descriptor().FullName(), err)
		}
		return nil
	}
	var only uint64
	if number(envRound, &only) {
		if err := run(only); err != nil {
			t.Error(err)
		}
		return
	}

	t.Logf("differential seed: %d", seed)
	deadline := time.Now().Add(length)
	var next atomic.Uint64
	var failures atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for failures.Load() < 5 {
				round := next.Add(1) - 1
				// Every type has its turn, however slow the machine is.
				if round >= uint64(len(types)) && time.Now().After(deadline) {
					return
				}
				if err := run(round); err != nil {
					failures.Add(1)
					t.Error(err)
				}
			}
		})
	}
	workers.Wait()
	t.Logf("differential rounds: %d over %d message types", next.Load(), len(types))
	t.Logf("differential inputs: %d", inputs.Load())
}

// TestPrefixes compares the two on every prefix of every case of the corpus and of a short
// message of every type.
func TestPrefixes(t *testing.T) {
	codecs := newCodecs(t)
	inputs := 0
	for i, typ := range goldenTypes() {
		c := codecs.Compare(newRand(uint64(i)), typ)
		m := c.Type.New().Interface()
		randpb.Message(c.Rand, m, randpb.Options{Depth: 1, Unknown: true})
		b, err := differ.Reference(m)
		if err != nil {
			t.Fatal(err)
		}
		b = b[:min(len(b), 600)] // a prefix of a prefix is one
		if err := c.Prefixes(b, len(b)); err != nil {
			t.Errorf("%s: %v", c.Type.Descriptor().FullName(), err)
		}
		inputs += c.Inputs
	}
	for i, k := range corpus.Cases() {
		c := codecs.Compare(newRand(uint64(i)), typeOf(t, k.Message))
		for n := range len(k.In) + 1 {
			if err := c.Payload(k.In[:n], true); err != nil {
				t.Errorf("case %s: %v", k.ID, err)
			}
		}
		inputs += c.Inputs
	}
	t.Logf("differential inputs: %d", inputs)
}

// TestEveryFileIsCompared checks that the comparison knows every file that code is generated
// for here, so that a new one is not left out.
func TestEveryFileIsCompared(t *testing.T) {
	files, err := protocheck.Read(os.DirFS(".."), "golden")
	if err != nil {
		t.Fatal(err)
	}
	types := goldenTypes()
	seen := 0
	for path, text := range files {
		switch {
		case !bytes.Contains([]byte(text), []byte("\nmessage ")),
			path == "golden/suffix/f_windows.proto",                                     // its Go code is for Windows alone
			bytes.HasPrefix([]byte(path), []byte("golden/peers/")),                      // a module of its own
			bytes.HasPrefix([]byte(path), []byte("golden/published/")),                  // another one
			!protoLegacy && bytes.HasPrefix([]byte(path), []byte("golden/messageset/")): // needs the tag protolegacy
			continue
		}
		seen++
		if !slices.ContainsFunc(types, func(mt protoreflect.MessageType) bool { return mt.Descriptor().ParentFile().Path() == path }) {
			t.Errorf("no message of %s is compared: import its Go package in this test", path)
		}
	}
	if seen < 20 {
		t.Errorf("only %d files were found", seen)
	}
	for _, mt := range types {
		if _, ok := mt.Zero().Interface().(flinkser.Message); !ok {
			t.Errorf("%s has no generated code", mt.Descriptor().FullName())
		}
	}
}

// FuzzDifferential does what TestDifferential does, with payloads that the fuzzer makes. The
// number selects the message type.
func FuzzDifferential(f *testing.F) {
	types, codecs := goldenTypes(), newCodecs(f)
	for _, k := range corpus.Cases() {
		i := slices.IndexFunc(types, func(mt protoreflect.MessageType) bool { return string(mt.Descriptor().FullName()) == k.Message })
		if i < 0 {
			f.Fatalf("case %s: no type %s", k.ID, k.Message)
		}
		f.Add(uint16(i), k.In)
	}
	r := newRand(2)
	for i, typ := range types {
		m := typ.New().Interface()
		randpb.Message(r, m, randpb.Options{Depth: 2, Unknown: true})
		b, err := differ.Reference(m)
		if err != nil {
			f.Fatal(err)
		}
		if len(b) <= 300 { // long seeds slow the fuzzer down and find no more
			f.Add(uint16(i), b)
		}
	}
	f.Fuzz(func(t *testing.T, i uint16, b []byte) {
		c := codecs.Compare(newRand(uint64(len(b))), types[int(i)%len(types)])
		// The second time, reuse meets what the first has left.
		for range 2 {
			if err := c.Payload(b, true); err != nil {
				t.Fatalf("%s: %v", c.Type.Descriptor().FullName(), err)
			}
			if proto.Unmarshal(b, c.Type.New().Interface()) == nil {
				c.Previous = b
			}
		}
	})
}
