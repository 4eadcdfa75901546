// This program measures what one serializer does for several cores at once, and whether any of its code
// waits for a lock. It prints a table.
package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/flinkser/flinkser/internal/corpus"
	"github.com/flinkser/flinkser/internal/corpus/recordpb"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// each is how long a number of cores is measured, and repeats how often; the best counts.
const (
	each    = 400 * time.Millisecond
	repeats = 3
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "parallel:", err)
		os.Exit(1)
	}
}

func run() error {
	s, err := flinkser.New[*recordpb.Record]()
	if err != nil {
		return err
	}
	records := corpus.Records("collections")
	var frames [][]byte
	for _, r := range records {
		f, err := s.Append(nil, r)
		if err != nil {
			return err
		}
		frames = append(frames, f)
	}
	ops := []struct {
		name string
		do   func(buf []byte, i int) error
	}{
		{"serialize", func(buf []byte, i int) error {
			_, err := s.Append(buf[:0], records[i%len(records)])
			return err
		}},
		{"deserialize", func(_ []byte, i int) error {
			_, err := s.Decode(frames[i%len(frames)], new(recordpb.Record))
			return err
		}},
	}
	runtime.SetMutexProfileFraction(1)
	out := csv.NewWriter(os.Stdout)
	if err := out.Write([]string{"operation", "cores", "records_per_second", "to_one_core", "locks_waited_for_in_flinkser"}); err != nil {
		return err
	}
	waits := 0
	for _, op := range ops {
		one := 0.0
		for _, cores := range coreNumbers() {
			best := 0.0
			for range repeats {
				rate, err := rate(cores, op.do)
				if err != nil {
					return err
				}
				best = max(best, rate)
			}
			if cores == 1 {
				one = best
			}
			n := lockWaits()
			waits += n
			err := out.Write([]string{
				op.name, strconv.Itoa(cores), strconv.FormatFloat(best, 'f', 0, 64), strconv.FormatFloat(best/one, 'f', 2, 64), strconv.Itoa(n),
			})
			if err != nil {
				return err
			}
		}
	}
	out.Flush()
	if waits > 0 {
		return fmt.Errorf("the serializer waited %d times for a lock", waits)
	}
	return out.Error()
}

// coreNumbers are 1, 2, 4, ... up to all cores.
func coreNumbers() []int {
	var all []int
	for n := 1; n < runtime.NumCPU(); n *= 2 {
		all = append(all, n)
	}
	return append(all, runtime.NumCPU())
}

// rate returns how many records a number of goroutines on as many cores handles in a second.
func rate(cores int, do func(buf []byte, i int) error) (float64, error) {
	runtime.GOMAXPROCS(cores)
	counts, errs := make([]int, cores), make([]error, cores)
	start := time.Now()
	var wg sync.WaitGroup
	for g := range cores {
		wg.Go(func() {
			buf, n := make([]byte, 0, 1<<16), 0
			for ; errs[g] == nil && time.Since(start) < each; n += 64 {
				for i := range 64 {
					if err := do(buf, n+i); err != nil {
						errs[g] = err
						break
					}
				}
			}
			counts[g] = n
		})
	}
	wg.Wait()
	passed := time.Since(start).Seconds()
	total := 0
	for g := range cores {
		if errs[g] != nil {
			return 0, errs[g]
		}
		total += counts[g]
	}
	return float64(total) / passed, nil
}

// lockWaits returns at how many places the serializer's code has waited for a lock of package sync.
func lockWaits() int {
	records := make([]runtime.BlockProfileRecord, 10_000)
	n, _ := runtime.MutexProfile(records)
	waits := 0
	for _, r := range records[:n] {
		if waitsInFlinkser(r.Stack()) {
			waits++
		}
	}
	return waits
}

// waitsInFlinkser reports whether a stack is that of a lock of package sync under the serializer. Those
// of the allocator and the collector are in package runtime: the locks of every Go program.
func waitsInFlinkser(stack []uintptr) bool {
	locked := false
	for frames := runtime.CallersFrames(stack); ; {
		f, more := frames.Next()
		switch {
		case strings.HasPrefix(f.Function, "sync."):
			locked = true
		case strings.HasPrefix(f.Function, "github.com/flinkser/flinkser/runtime"):
			return locked
		case !strings.HasPrefix(f.Function, "runtime.") && !strings.HasPrefix(f.Function, "internal/") && !locked,
			!more:
			return false
		}
	}
}
