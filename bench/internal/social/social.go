// Package social makes the table of the workload social: how large a social media post is in
// several formats, and how long it takes to write and to read it, as the least, the mean and the
// median time of a single call.
package social

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/flinkser/flinkser/bench/internal/process"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// The formats, in the order of the table.
const (
	JSON       = "json"
	Protobuf   = "protobuf"
	AvroJSON   = "avro-json"
	AvroBinary = "avro-binary"
)

// Formats returns the formats in the order of the table.
func Formats() []string { return []string{JSON, Protobuf, AvroJSON, AvroBinary} }

// Directions returns the operations of the table.
func Directions() []string { return []string{suite.Serialize, suite.Deserialize} }

// Cell is what has been measured of one way to write or to read a format.
type Cell struct {
	Runtime   string  `json:"runtime"` // go or java
	Format    string  `json:"format"`
	Lane      string  `json:"lane"` // empty: the format has one lane
	Direction string  `json:"direction"`
	Size      float64 `json:"size"` // mean number of bytes of a post, without a frame
	suite.Calls
}

// lane is a way to write and read a format in Go.
type lane struct {
	format, name string
	worker       string // name of the program that has the lane
	frame        int    // bytes of a record that are no part of the format
}

// lanes are those of the table, in its order.
var lanes = []lane{
	{JSON, "json", "json", lineFeed},
	{JSON, "sonic", "sonic", lineFeed},
	{Protobuf, "ours", "ours", suite.PrefixBytes},
	{Protobuf, "protobuf-go", "protobufgo", suite.PrefixBytes},
	{AvroJSON, "avro-json", "twmb", lineFeed},
	{AvroBinary, "avro-twmb-specific", "twmb", 0},
	{AvroBinary, "avro-hamba-specific", "hamba", 0},
}

// lineFeed is the number of bytes behind a record of JSON.
const lineFeed = 1

// workers is the folder of the programs with the lanes.
const workers = "github.com/flinkser/flinkser/bench/internal/worker/"

// Effort says how long a cell is measured.
type Effort struct {
	Warmup time.Duration
	Calls  int // that are timed
}

// Full and Smoke are efforts: for figures, and to see that everything works.
var (
	Full  = Effort{Warmup: 500 * time.Millisecond, Calls: 200_000}
	Smoke = Effort{Warmup: 10 * time.Millisecond, Calls: 1000}
)

// Go measures the lanes of Go: each cell in a process of its own, after the lane has passed the
// gate. It builds the programs in a temporary folder, and needs the source of this module around
// the working directory. What it does is said on progress.
func Go(ctx context.Context, e Effort, progress io.Writer) ([]Cell, error) {
	dir, err := os.MkdirTemp("", "flinkser-social-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var cells []Cell
	for _, l := range lanes {
		fmt.Fprintf(progress, "social: %s\n", l.name)
		measured, err := l.measure(ctx, dir, e)
		if err != nil {
			return nil, fmt.Errorf("lane %s: %w", l.name, err)
		}
		cells = append(cells, measured...)
	}
	return cells, nil
}

// measure builds the program of a lane, where it is not there yet, and measures the lane.
func (l lane) measure(ctx context.Context, dir string, e Effort) ([]Cell, error) {
	program := filepath.Join(dir, l.worker)
	if _, err := process.Run(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-o", program, workers+l.worker); err != nil {
		return nil, err
	}
	args := []string{"-lane", l.name, "-workload", suite.Social}
	var gate suite.Checked
	if err := ask(ctx, &gate, program, append(args, "-gate")...); err != nil {
		return nil, err
	}
	var cells []Cell
	for _, direction := range Directions() {
		c := Cell{
			Runtime: "go", Format: l.format, Lane: l.name, Direction: direction,
			Size: gate.Sizes[suite.Social].Mean - float64(l.frame),
		}
		more := []string{"-operation", direction, "-warmup", e.Warmup.String(), "-calls", fmt.Sprint(e.Calls)}
		if err := ask(ctx, &c.Calls, program, slices.Concat(args, more)...); err != nil {
			return nil, err
		}
		cells = append(cells, c)
	}
	return cells, nil
}

// ask runs a program that answers in JSON.
func ask(ctx context.Context, answer any, program string, args ...string) error {
	out, err := process.Run(ctx, program, args...)
	if err != nil {
		return err
	}
	return json.Unmarshal(out, answer)
}

// trimLine returns a line without its end.
func trimLine(b []byte) []byte { return bytes.TrimRight(b, "\r\n") }
