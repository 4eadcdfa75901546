package drive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/flinkser/flinkser/bench/internal/process"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// workers is the folder with the programs, one for each family of lanes.
const workers = "github.com/flinkser/flinkser/bench/internal/worker"

// family makes the programs of a number of lanes.
type family interface {
	// name is unique.
	name() string

	// build makes the program for a block, or the one of the gate where block is negative, in a
	// folder of its own. Where profile is not empty, it is used for optimization.
	build(ctx context.Context, dir string, block int, profile string) (program, error)
}

// program holds lanes.
type program interface {
	// file returns the name of what was built, for its hash.
	file() string

	// lanes lists the lanes without running them.
	lanes(ctx context.Context) ([]suite.Checked, error)

	// gate checks a lane on some workloads, or on all.
	gate(ctx context.Context, lane string, workloads []string) (suite.Checked, error)

	// measure measures a cell. The first result is what the program has printed, a result in JSON.
	measure(ctx context.Context, c Cell, e Effort) (stdout, stderr []byte, err error)

	// profile measures a cell for a while and writes a profile.
	profile(ctx context.Context, c Cell, d time.Duration, file string) error
}

// Effort says how long each cell is measured.
type Effort struct {
	Warmup     time.Duration
	Time       time.Duration // of one timing
	Iterations int           // number of timings
}

// goFamilies returns the families of lanes in Go.
func goFamilies(ctx context.Context) ([]family, error) {
	out, err := process.Run(ctx, "go", "list", workers+"/...")
	if err != nil {
		return nil, err
	}
	var all []family
	for line := range strings.FieldsSeq(string(out)) {
		all = append(all, goFamily{line})
	}
	if len(all) == 0 {
		return nil, errors.New("there is no program to measure with")
	}
	return all, nil
}

// goFamily is a package with a program.
type goFamily struct{ importPath string }

func (f goFamily) name() string { return path.Base(f.importPath) }

func (f goFamily) build(ctx context.Context, dir string, block int, profile string) (program, error) {
	bin := filepath.Join(dir, f.name())
	args := []string{"build", "-trimpath", "-buildvcs=false", "-o", bin}
	if block >= 0 {
		// The functions in a random order: where code lies changes its speed by up to three quarters.
		args = append(args, fmt.Sprintf("-ldflags=-randlayout=%d", layout(block)))
	}
	if profile != "" {
		bin += profileSuffix
		args[4] = bin
		args = append(args, "-pgo="+profile)
	}
	_, err := process.Run(ctx, "go", append(args, f.importPath)...)
	return goProgram(bin), err
}

// layout returns the seed of the layout of a block. The linker takes 0 as none.
func layout(block int) int { return block + 1 }

// goProgram is the name of a program whose main function is suite.Main.
type goProgram string

func (p goProgram) file() string { return string(p) }

func (p goProgram) lanes(ctx context.Context) ([]suite.Checked, error) {
	out, err := process.Run(ctx, string(p), "-list")
	if err != nil {
		return nil, err
	}
	var all []suite.Checked
	return all, json.Unmarshal(out, &all)
}

func (p goProgram) gate(ctx context.Context, lane string, workloads []string) (suite.Checked, error) {
	var c suite.Checked
	out, err := process.Run(ctx, string(p), "-gate", "-lane", lane, "-workload", strings.Join(workloads, ","))
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(out, &c)
}

func (p goProgram) measure(ctx context.Context, c Cell, e Effort) (stdout, stderr []byte, err error) {
	return process.Output(ctx, string(p), p.args(c, e)...)
}

func (p goProgram) args(c Cell, e Effort) []string {
	args := []string{
		"-lane", c.Worker, "-workload", c.Workload, "-operation", c.Operation, "-block", fmt.Sprint(c.Block),
		"-warmup", e.Warmup.String(), "-time", e.Time.String(), "-iterations", fmt.Sprint(e.Iterations),
	}
	if c.Profiled {
		args = append(args, "-as", c.Lane)
	}
	return args
}

func (p goProgram) profile(ctx context.Context, c Cell, d time.Duration, file string) error {
	args := p.args(c, Effort{Warmup: d / 10, Time: d, Iterations: 1})
	_, err := process.Run(ctx, string(p), append(args, "-cpuprofile", file)...)
	return err
}
