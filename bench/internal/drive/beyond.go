package drive

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/flinkser/flinkser/bench/internal/compile"
	"github.com/flinkser/flinkser/bench/internal/measure"
	"github.com/flinkser/flinkser/bench/internal/process"
	"github.com/flinkser/flinkser/bench/internal/wholefile"
)

// beyondPrograms is the folder of the programs that look at more than the time of a record. Each prints
// a table.
const beyondPrograms = "github.com/flinkser/flinkser/bench/internal/beyond/"

// compiled is the table that no program prints.
const compiled = "compile"

// Beyond returns the names of the tables of MeasureBeyond.
func Beyond() []string {
	return []string{"growth", "firstuse", "parallel", "retention", "heldout", compiled}
}

// MeasureBeyond writes tables about more than the time of a record into dir: growth, first use, several
// cores, memory that is kept alive, records that nothing was tuned on, and compile time. All tables are
// tried, and an error is returned at the end.
func MeasureBeyond(ctx context.Context, dir string, names []string, stderr io.Writer) error {
	for _, n := range names {
		if !slices.Contains(Beyond(), n) {
			return fmt.Errorf("no table %q; there are %q", n, Beyond())
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "flinkser-beyond-")
	if err != nil {
		return err
	}
	p := newProgress(stderr)
	defer p.end()
	var failed []error
	for _, n := range names {
		p.say("%s", n)
		file := filepath.Join(dir, n+".csv")
		if _, err := os.Stat(file); err == nil {
			continue // of a run that was interrupted
		}
		measure := measureTable
		if n == compiled {
			measure = compileTable
		}
		table, err := measure(ctx, tmp, n, p)
		if len(table) > 0 {
			err = errors.Join(err, wholefile.Write(file, table))
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", n, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(append(failed, os.RemoveAll(tmp))...)
}

// measureTable builds a program and returns what it prints. A program that fails may have printed its table:
// then a figure in it is too large.
func measureTable(ctx context.Context, tmp, name string, _ *progress) ([]byte, error) {
	bin := filepath.Join(tmp, name)
	if _, err := process.Run(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-o", bin, beyondPrograms+name); err != nil {
		return nil, err
	}
	return process.Run(ctx, bin)
}

// compileMessages and compileRepeats say how much is compiled, and how often.
const (
	compileMessages = 200
	compileRepeats  = 5
)

// compileTable compiles packages of generated code in turns and builds a program with each.
func compileTable(ctx context.Context, tmp, _ string, p *progress) ([]byte, error) {
	kinds := []compile.Kind{compile.Ours, compile.VTProto, compile.Protobuf}
	dir := filepath.Join(tmp, compiled)
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	b, err := compile.New(ctx, dir, compileMessages, kinds...)
	if err != nil {
		return nil, err
	}
	seconds := make([][]float64, len(kinds))
	for r := range compileRepeats {
		p.step("compile: %d of %d", r+1, compileRepeats)
		for i, k := range kinds {
			d, err := b.Compile(ctx, k)
			if err != nil {
				return nil, err
			}
			seconds[i] = append(seconds[i], d.Seconds())
		}
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	rows := [][]string{{"generated_by", "messages", "lines", "compiler_seconds", "to_protobuf_go", "program_bytes"}}
	for i, k := range kinds {
		lines, err := b.Lines(k)
		if err != nil {
			return nil, err
		}
		size, err := b.Size(ctx, k)
		if err != nil {
			return nil, err
		}
		rows = append(rows, []string{
			strings.TrimSpace(k.What), strconv.Itoa(compileMessages), strconv.Itoa(lines), strconv.FormatFloat(measure.Median(seconds[i]), 'f', 2, 64),
			strconv.FormatFloat(measure.Ratio(seconds[i], seconds[len(kinds)-1]), 'f', 2, 64), strconv.FormatInt(size, 10),
		})
	}
	err = w.WriteAll(rows)
	return out.Bytes(), err
}
