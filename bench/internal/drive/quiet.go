package drive

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// quiet is what the start gate has seen of the machine before a block.
type quiet struct {
	Block, Attempt int
	Idle           float64 // part of all cores that was idle in that time
	Load           float64 // mean length of the run queue over a minute, for each core
	Swapped        int64   // pages written or read in that time
	Passed         bool
	Unknown        string // why nothing could be seen
}

// The limits of the start gate.
const (
	quietIdle     = .9
	quietLoad     = .5
	quietAttempts = 3
)

// lookTime is how long the start gate watches the machine.
const lookTime = time.Second

// look watches the machine for a while.
func look(ctx context.Context, block, attempt int, d time.Duration) quiet {
	q := quiet{Block: block, Attempt: attempt}
	busy, total, swapped, err := counters()
	if err == nil {
		select {
		case <-time.After(d):
		case <-ctx.Done():
		}
		var b, t, s int64
		if b, t, s, err = counters(); err == nil && t > total {
			q.Idle = 1 - float64(b-busy)/float64(t-total)
			q.Swapped = s - swapped
		}
	}
	if err == nil {
		q.Load, err = load()
	}
	if err != nil {
		// Other systems than Linux: nothing is known, and nothing is held up.
		q.Unknown, q.Passed = err.Error(), true
		return q
	}
	q.Passed = q.Idle >= quietIdle && q.Load <= quietLoad && q.Swapped == 0
	return q
}

// counters reads how long the cores were busy and how long they have run, and how many pages were
// swapped.
func counters() (busy, total, swapped int64, err error) {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, 0, 0, err
	}
	line, _, _ := strings.Cut(string(stat), "\n")
	for i, field := range strings.Fields(line) {
		if i == 0 || i > 8 { // "cpu"; guests are counted among the users
			continue
		}
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, 0, 0, fmt.Errorf("/proc/stat: %w", err)
		}
		total += n
		if i != 4 && i != 5 { // idle, and waiting for a disk
			busy += n
		}
	}
	vmstat, err := os.ReadFile("/proc/vmstat")
	if err != nil {
		return 0, 0, 0, err
	}
	for lines := bufio.NewScanner(bytes.NewReader(vmstat)); lines.Scan(); {
		if name, value, _ := strings.Cut(lines.Text(), " "); name == "pswpin" || name == "pswpout" {
			n, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				return 0, 0, 0, fmt.Errorf("/proc/vmstat: %w", err)
			}
			swapped += n
		}
	}
	return busy, total, swapped, nil
}

func load() (float64, error) {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(string(text), " ")
	n, err := strconv.ParseFloat(first, 64)
	return n / float64(runtime.NumCPU()), err
}

// waitForQuiet looks up to three times, with a pause in between, and returns all that it has seen.
func waitForQuiet(ctx context.Context, block int, watch, pause time.Duration, p *progress) []quiet {
	var seen []quiet
	for attempt := range quietAttempts {
		q := look(ctx, block, attempt, watch)
		seen = append(seen, q)
		if q.Passed || ctx.Err() != nil {
			return seen
		}
		p.say("block %d: the machine is busy: %.0f %% idle, load %.2f for each core, %d pages swapped", block+1, 100*q.Idle, q.Load, q.Swapped)
		if attempt == quietAttempts-1 {
			break
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
	p.say("block %d: measured on a busy machine; start-gate.csv says so", block+1)
	return seen
}

func (q quiet) row() string {
	return fmt.Sprintf("%d,%d,%.3f,%.3f,%d,%t,%s\n", q.Block, q.Attempt, q.Idle, q.Load, q.Swapped, q.Passed, strings.ReplaceAll(q.Unknown, ",", ";"))
}

const quietHeader = "block,attempt,idle,load_per_core,pages_swapped,passed,unknown\n"
