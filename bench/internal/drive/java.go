package drive

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/flinkser/flinkser/bench/internal/java"
	"github.com/flinkser/flinkser/bench/internal/process"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// javaFamily returns the lanes of Java, or what is missing for them. They are measured with an effort of
// their own, since a JVM is slow for a second or more.
func javaFamily(ctx context.Context, e Effort) (f family, missing string, err error) {
	tools, err := java.Find(ctx)
	if errors.Is(err, java.ErrMissing) {
		return nil, err.Error(), nil
	}
	if err != nil {
		return nil, "", err
	}
	module, err := moduleDir(ctx)
	return javaLanes{tools, module, e}, "", err
}

// moduleDir returns the folder of the module of the benchmarks.
func moduleDir(ctx context.Context) (string, error) {
	out, err := process.Run(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/flinkser/flinkser/bench")
	return strings.TrimSpace(string(out)), err
}

type javaLanes struct {
	tools  *java.Tools
	module string
	effort Effort
}

func (javaLanes) name() string { return "java" }

// build builds at the first call. There are no layouts: a JVM compiles anew in each process.
func (f javaLanes) build(ctx context.Context, dir string, _ int, _ string) (program, error) {
	p, err := java.Open(ctx, f.module, f.tools)
	if err != nil {
		return nil, err
	}
	hashes, err := p.ClassPathSHA256()
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, classPathFile)
	return javaProgram{p, file, dir, f.effort}, os.WriteFile(file, []byte(hashes), 0o666)
}

// classPathFile holds the hashes of the class path.
const classPathFile = "classpath-sha256.txt"

type javaProgram struct {
	project *java.Project
	hashes  string
	dir     string
	effort  Effort
}

// file is the list of the hashes of all that was built.
func (p javaProgram) file() string { return p.hashes }

func (p javaProgram) properties() map[string]string {
	all := p.project.Properties()
	all["java.warmup"] = p.effort.Warmup.String()
	all["java.iteration.time"] = p.effort.Time.String()
	return all
}

// copies returns the files that are kept with the results: what the gate of a lane has written, and the hashes.
func (p javaProgram) copies(lane string) []string {
	return []string{filepath.Join(p.dir, lane+"-plain.properties"), p.hashes}
}

func (p javaProgram) lanes(ctx context.Context) ([]suite.Checked, error) { return p.project.Lanes(ctx) }

func (p javaProgram) gate(ctx context.Context, lane string, workloads []string) (suite.Checked, error) {
	c, err := p.project.Gate(ctx, lane, p.dir, workloads...)
	if err != nil {
		return suite.Checked{}, err
	}
	return *c, nil
}

func (p javaProgram) measure(ctx context.Context, c Cell, _ Effort) (stdout, stderr []byte, err error) {
	b := java.Block{Lane: c.Worker, Workload: c.Workload, Operation: c.Operation, Block: c.Block}
	stdout, err = p.project.Measure(ctx, b, p.effort.java())
	return stdout, nil, err
}

// java is the effort in the units of Java, where warm-ups are as long as timings.
func (e Effort) java() java.Effort {
	warmups := max(1, int((e.Warmup+e.Time-1)/e.Time))
	return java.Effort{Warmups: warmups, Iterations: e.Iterations, Time: max(e.Time, time.Millisecond)}
}

func (javaProgram) profile(context.Context, Cell, time.Duration, string) error {
	return errors.New("lanes of Java are not built with a profile")
}
