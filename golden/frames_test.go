//go:build !race

// The race detector makes frames larger than they are otherwise.

package golden_test

import (
	"os"
	"os/exec"
	"runtime/debug"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/internal/randpb"
	flinkser "github.com/flinkser/flinkser/runtime"
	"github.com/flinkser/flinkser/runtime/wire"
)

const envFrames = "FLINKSER_TEST_FRAMES"

// TestFrames checks that generated code needs little stack for a level of nesting. A stack
// may take 1 GB, and the recursion limit may be 100,000: a function with a frame of
// more than 10,000 bytes could end the program instead of returning an error.
//
// It runs itself with stacks of at most 16 KiB, the power of two above that, and calls the
// code of one message without others in it, which fails by the end of the process.
func TestFrames(t *testing.T) {
	if os.Getenv(envFrames) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestFrames$")
		cmd.Env = append(os.Environ(), envFrames+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%.2000s", err, out)
		}
		return
	}
	for i, mt := range goldenTypes() {
		m, used := mt.New().Interface(), mt.New().Interface()
		r := newRand(uint64(i))
		randpb.Message(r, m, randpb.Options{})
		b, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		g, ok := m.(flinkser.Message)
		if !ok {
			t.Fatalf("%s has no generated code", mt.Descriptor().FullName())
		}
		dirty, fresh := used.(flinkser.Message), mt.New().Interface().(flinkser.Message)
		e := wire.NewEncoder(1 << 30)
		e.Deterministic = true
		d := wire.NewDecoder(0)
		buf := make([]byte, len(b)+1<<16)
		name := mt.Descriptor().FullName()
		done := make(chan int)
		old := debug.SetMaxStack(16 << 10)
		go func() {
			_, n := g.AppendFlinkser(&e, buf, 0, 1)
			if g.SizeFlinkser(&e, 1) != n || fresh.DecodeFlinkser(&d, string(b), 1) != nil || dirty.ReuseFlinkser(&d, string(b), 1) != nil || g.CloneFlinkser() == nil {
				n = -1
			}
			done <- n
		}()
		n := <-done
		debug.SetMaxStack(old)
		if n != len(b) {
			t.Errorf("%s: %d bytes, want %d", name, n, len(b))
		}
	}
}
