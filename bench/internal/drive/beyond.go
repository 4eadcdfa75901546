package drive

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/flinkser/flinkser/bench/internal/beyond/curves"
	"github.com/flinkser/flinkser/bench/internal/compile"
	"github.com/flinkser/flinkser/bench/internal/measure"
	"github.com/flinkser/flinkser/bench/internal/process"
	"github.com/flinkser/flinkser/bench/internal/results"
	"github.com/flinkser/flinkser/bench/internal/wholefile"
)

// beyondPrograms is the folder of the programs that look at more than the time of a record. Each prints
// a table.
const beyondPrograms = "github.com/flinkser/flinkser/bench/internal/beyond/"

// growth is the table that fails a run, and compiled the one that no program prints.
const (
	growth   = "growth"
	compiled = "compile"
)

// Beyond returns the names of the tables of MeasureBeyond.
func Beyond() []string {
	return []string{growth, "firstuse", "parallel", "retention", "heldout", compiled}
}

// MeasureBeyond writes tables about more than the time of a record into dir: growth, first use, several
// cores, memory that is kept alive, records that nothing was tuned on, and compile time. All tables are
// tried, and an error is returned at the end. The hashes of a run that has ended are made anew.
func MeasureBeyond(ctx context.Context, dir string, names []string, stderr io.Writer) error {
	for _, n := range names {
		if !slices.Contains(Beyond(), n) {
			return fmt.Errorf("no table %q; there are %q", n, Beyond())
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	p := newProgress(stderr)
	defer p.end()
	err := beyondTables(ctx, dir, names, measureTable, p)
	if _, missing := os.Stat(filepath.Join(dir, results.SumsFile)); missing == nil {
		err = errors.Join(err, results.WriteSums(dir))
	}
	return err
}

// measureFunc measures a table, in a folder for programs. The table is whole if there is no error, or
// one that wraps curves.ErrTooSteep.
type measureFunc func(ctx context.Context, tmp, name string, p *progress) ([]byte, error)

func beyondTables(ctx context.Context, dir string, names []string, measure measureFunc, p *progress) error {
	tmp, err := os.MkdirTemp("", "flinkser-beyond-")
	if err != nil {
		return err
	}
	var failed []error
	for _, n := range names {
		if err := ctx.Err(); err != nil {
			failed = append(failed, fmt.Errorf("interrupted before the table %s: %w", n, err))
			break
		}
		p.say("%s", n)
		if err := beyondTable(ctx, dir, tmp, n, measure, p); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", n, err))
		}
	}
	return errors.Join(append(failed, os.RemoveAll(tmp))...)
}

// beyondTable measures a table, unless it is there of a run that was interrupted. A growth that is too steep
// fails in either case: its table is kept, since measuring until it passes would hide it.
func beyondTable(ctx context.Context, dir, tmp, name string, measure measureFunc, p *progress) error {
	file := filepath.Join(dir, name+".csv")
	table, err := os.ReadFile(file)
	if err == nil && name == growth {
		return curves.Check(table)
	}
	if !errors.Is(err, os.ErrNotExist) {
		return err
	}
	table, err = measure(ctx, tmp, name, p)
	if err == nil || errors.Is(err, curves.ErrTooSteep) {
		err = errors.Join(err, wholefile.Write(file, table))
	}
	return err
}

// measureTable builds a program and returns what it prints. What a program has printed before it failed or
// was killed is no table.
func measureTable(ctx context.Context, tmp, name string, p *progress) ([]byte, error) {
	if name == compiled {
		return compileTable(ctx, tmp, p)
	}
	bin := filepath.Join(tmp, name)
	if _, err := process.Run(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-o", bin, beyondPrograms+name); err != nil {
		return nil, err
	}
	table, err := process.Run(ctx, bin)
	var exit *exec.ExitError
	if name == growth && errors.As(err, &exit) && exit.ExitCode() == curves.ExitTooSteep {
		return table, curves.Check(table)
	}
	if err != nil {
		return nil, err
	}
	return table, nil
}

// compileMessages and compileRepeats say how much is compiled, and how often.
const (
	compileMessages = 200
	compileRepeats  = 5
)

// compileTable compiles packages of generated code in turns and builds a program with each.
func compileTable(ctx context.Context, tmp string, p *progress) ([]byte, error) {
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
