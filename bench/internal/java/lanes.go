package java

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/flinkser/flinkser/bench/internal/suite"
)

// Lanes returns what there is, without sizes.
func (p *Project) Lanes(ctx context.Context) ([]suite.Checked, error) {
	return each[suite.Checked](p.run(ctx, "lanes"))
}

// Frames are what the records of a workload come to as frames with sorted maps.
type Frames struct {
	Workload        string
	Records         int
	Total, Min, Max int    // bytes, length prefixes included
	SHA256          string // of all frames, one after the other, in lower-case hex
}

// Corpus returns the frames of all workloads, which a program in Go can compare with its own.
func (p *Project) Corpus(ctx context.Context) ([]Frames, error) {
	return each[Frames](p.run(ctx, "corpus"))
}

// Gate checks a lane with all workloads, in a process of its own, and writes LANE-plain.properties into dir: what was
// found, also where the lane fails. No workloads are all.
func (p *Project) Gate(ctx context.Context, lane, dir string, workloads ...string) (*suite.Checked, error) {
	return one[suite.Checked](p.run(ctx, "check", "--lane", lane, "--out", dir, "--workloads", strings.Join(workloads, ",")))
}

// Effort says how long a JVM measures: it compiles what it runs again and again, and for a second or
// more it is slower than it will be, by up to forty times.
type Effort struct {
	Warmups    int
	Iterations int
	Time       time.Duration // of a warm-up and of an iteration
}

var (
	// Full is the effort of a run: nine seconds for a result.
	Full = Effort{Warmups: 4, Iterations: 5, Time: time.Second}

	// Smoke shows that everything works. Its figures mean nothing.
	Smoke = Effort{Warmups: 1, Iterations: 1, Time: 100 * time.Millisecond}
)

func (e Effort) flags() []string {
	return []string{
		"--warmups", strconv.Itoa(e.Warmups), "--iterations", strconv.Itoa(e.Iterations),
		"--millis", strconv.FormatInt(e.Time.Milliseconds(), 10),
	}
}

// Block names a result. That of a lane with sorted maps bears the name of the lane that it is a supplement of.
type Block struct {
	Lane, Workload, Operation string
	Block                     int
}

// Measure measures one operation in a process of its own, on one core where the system allows that, and returns
// the result as JSON, in the form that the Go lanes print.
func (p *Project) Measure(ctx context.Context, b Block, e Effort) ([]byte, error) {
	args := []string{
		"measure", "--lane", b.Lane, "--workload", b.Workload, "--operation", b.Operation, "--block", strconv.Itoa(b.Block),
	}
	lines, core, err := p.runPinned(ctx, append(args, e.flags()...)...)
	if err != nil {
		return nil, err
	}
	if len(lines) != 1 {
		return nil, fmt.Errorf("java has printed %d lines instead of one result", len(lines))
	}
	var r map[string]json.RawMessage
	if err := json.Unmarshal(lines[0], &r); err != nil {
		return nil, fmt.Errorf("java has printed %q: %w", lines[0], err)
	}
	r["core"] = json.RawMessage(strconv.Itoa(core))
	return json.Marshal(r)
}

// SocialFormats are the formats of the social table, in its order.
func SocialFormats() []string { return []string{"json", "protobuf", "avro-json", "avro-binary"} }

// SocialCell is a part of the social table: times of single calls, and the size of what is written.
type SocialCell struct {
	Format    string  `json:"format"`
	Direction string  `json:"direction"` // serialize or deserialize
	Size      float64 `json:"size"`      // mean bytes of a post, without a frame
	Min       float64 `json:"min_ns"`
	Avg       float64 `json:"avg_ns"`
	Median    float64 `json:"median_ns"`
	Calls     int64   `json:"calls"`
}

// Social measures a cell of the social table, serialize or deserialize.
func (p *Project) Social(ctx context.Context, format, direction string, e Effort) (*SocialCell, error) {
	args := []string{"social", "--format", format, "--direction", direction}
	lines, _, err := p.runPinned(ctx, append(args, e.flags()...)...)
	return one[SocialCell](lines, err)
}
