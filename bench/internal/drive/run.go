package drive

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/flinkser/flinkser/bench/internal/process"
	"github.com/flinkser/flinkser/bench/internal/results"
	"github.com/flinkser/flinkser/bench/internal/suite"
	"github.com/flinkser/flinkser/bench/internal/wholefile"
)

// Options says what to run.
type Options struct {
	All        bool     // all lanes, not only those that are measured by default
	Lanes      []string // only these; empty: no restriction
	Workloads  []string
	Operations []string
	Blocks     int
	Effort     Effort
	Pause      time.Duration // before the start gate looks again
	Profiled   bool          // measure programs that were built with a profile, too
	Beyond     []string      // tables of MeasureBeyond that are written as well
	Java       bool          // the lanes of Java, where a JDK is there
	Plain      bool          // measure with the programs of the gate: one layout, and nothing is built twice
	JavaEffort Effort        // for them; the number of timings is that of Effort

	watch  time.Duration // instead of lookTime, for tests
	source []family      // of tests, instead of those that there are
	tables measureFunc   // of tests, instead of measureTable
}

// Names of the files that only the driver reads.
const (
	planFile     = "plan.txt"
	quietFile    = "start-gate.csv"
	programsFile = "programs-sha256.txt"
)

// found is a lane and where it is.
type found struct {
	family  family
	program program // that of the gate
	lane    suite.Checked
}

// families returns the families of all lanes that may be measured.
func (o *Options) families(ctx context.Context, p *progress) ([]family, error) {
	if o.source != nil {
		return o.source, nil
	}
	all, err := goFamilies(ctx)
	if err != nil || !o.Java {
		return all, err
	}
	e := o.JavaEffort
	e.Iterations = o.Effort.Iterations
	j, missing, err := javaFamily(ctx, e)
	if err != nil {
		return nil, err
	}
	if missing != "" {
		p.say("the lanes of Java are left out: %s", missing)
		return all, nil
	}
	return append(all, j), nil
}

// find builds the programs of the gate and returns the lanes that were asked for.
func (o *Options) find(ctx context.Context, dir string, p *progress) ([]found, error) {
	families, err := o.families(ctx, p)
	if err != nil {
		return nil, err
	}
	var all []found
	var names []string
	for _, f := range families {
		if len(o.Lanes) > 0 && len(all) == len(o.Lanes) {
			break
		}
		p.say("building the lanes of %s", f.name())
		prog, err := f.build(ctx, dir, -1, "")
		if err != nil {
			return nil, err
		}
		lanes, err := prog.lanes(ctx)
		if err != nil {
			return nil, err
		}
		for _, l := range lanes {
			if slices.Contains(names, l.Lane) {
				return nil, fmt.Errorf("there are two lanes %s", l.Lane)
			}
			names = append(names, l.Lane)
			if o.wants(&l) {
				all = append(all, found{f, prog, l})
			}
		}
	}
	for _, n := range o.Lanes {
		if !slices.Contains(names, n) {
			return nil, fmt.Errorf("no lane %q; there are %q", n, names)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("no lane is left")
	}
	// The order of reports: ours, what it is compared with, and the rest.
	roles := []string{results.RoleNative, results.RoleBaseline, results.RolePeer, results.RoleFormat, results.RoleAnalogue, results.RoleJava}
	slices.SortStableFunc(all, func(a, b found) int { return slices.Index(roles, a.lane.Role) - slices.Index(roles, b.lane.Role) })
	return all, nil
}

// wants reports whether a lane was asked for.
func (o *Options) wants(l *suite.Checked) bool {
	if len(o.Lanes) > 0 {
		return slices.Contains(o.Lanes, l.Lane)
	}
	return o.All || l.Core
}

// session is one run, or the rest of one.
type session struct {
	Options
	dir   string // of the results
	tmp   string // of the programs
	p     *progress
	found []found
	plan  []Cell
	done  map[string]bool // names of cells
}

// Run measures everything into dir, which must not be there, or hold a run with the same plan that
// was interrupted.
func Run(ctx context.Context, dir string, o Options, stderr io.Writer) (err error) {
	tmp, err := os.MkdirTemp("", "flinkser-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	o.watch = cmp.Or(o.watch, lookTime)
	if o.tables == nil {
		o.tables = measureTable
	}
	s := &session{Options: o, dir: dir, tmp: tmp, p: newProgress(stderr), done: map[string]bool{}}
	defer s.p.end()
	// Before anything takes time.
	if err := s.mayWrite(); err != nil {
		return err
	}
	if err := os.Mkdir(s.gateDir(), 0o777); err != nil {
		return err
	}
	if s.found, err = o.find(ctx, s.gateDir(), s.p); err != nil {
		return err
	}
	var lanes []suite.Checked
	for _, f := range s.found {
		lanes = append(lanes, f.lane)
	}
	s.plan = plan(lanes, o.Workloads, o.Operations, o.Blocks, o.Profiled)
	if err := s.open(ctx); err != nil {
		return err
	}
	if err := s.checkLanes(ctx); err != nil {
		return err
	}
	profiles, err := s.profiles(ctx)
	if err != nil {
		return err
	}
	begin, todo := time.Now(), len(s.plan)-len(s.done)
	for block := range o.Blocks {
		if err := s.block(ctx, block, profiles, begin, todo); err != nil {
			return err
		}
	}
	// What fails in the tables that are not about the time of a record is no reason to throw away the rest.
	failed := beyondTables(ctx, s.dir, s.Beyond, s.tables, s.p)
	if failed != nil {
		// Ctrl-C ends the program that measures a table, and may come here a little later.
		select {
		case <-ctx.Done():
		case <-time.After(interruptTime):
		}
	}
	if err := ctx.Err(); err != nil {
		return errors.Join(failed, fmt.Errorf("interrupted; the same command goes on: %w", err))
	}
	return errors.Join(failed, s.finish())
}

// interruptTime is how much later than other programs this one may hear of an interruption.
const interruptTime = 200 * time.Millisecond

// mayWrite refuses a folder that holds something else than an interrupted run.
func (s *session) mayWrite() error {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	names := map[string]bool{}
	for _, e := range entries {
		names[e.Name()] = true
	}
	switch {
	case !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return !begins(e.Name()) }):
		return nil
	case !names[planFile]:
		return fmt.Errorf("%s is there and holds no run that was interrupted", s.dir)
	case names[results.SumsFile]:
		return fmt.Errorf("%s holds a run that is complete", s.dir)
	}
	return nil
}

// begins reports whether a file may be all that is left of a run that was killed before its plan was written.
func begins(name string) bool {
	partial, _ := filepath.Match(wholefile.Partial, name)
	return partial || name == results.ManifestFile
}

// planText is what has to be the same when a run goes on.
func (s *session) planText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# warmup=%v time=%v iterations=%d blocks=%d\n", s.Effort.Warmup, s.Effort.Time, s.Effort.Iterations, s.Blocks)
	if slices.ContainsFunc(s.found, func(f found) bool { return f.lane.Role == results.RoleJava }) {
		fmt.Fprintf(&b, "# java: warmup=%v time=%v\n", s.JavaEffort.Warmup, s.JavaEffort.Time)
	}
	for _, c := range s.plan {
		fmt.Fprintln(&b, c.Name()+".json")
	}
	return b.String()
}

// open makes the folder, or finds out what is there of an interrupted run.
func (s *session) open(ctx context.Context) error {
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return err
	}
	text := s.planText()
	there, err := os.ReadFile(s.path(planFile))
	if errors.Is(err, os.ErrNotExist) {
		// The plan comes last: with it, a run has begun.
		if err := s.writeManifest(ctx); err != nil {
			return err
		}
		return wholefile.Write(s.path(planFile), []byte(text))
	}
	if err != nil {
		return err
	}
	if string(there) != text {
		return fmt.Errorf("%s holds a run with another plan: other lanes, cells or times", s.dir)
	}
	if err := s.sameSource(ctx); err != nil {
		return err
	}
	completed, err := os.ReadFile(s.path(results.CompletedFile))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	// A last line without an end was being written.
	for line := range strings.Lines(string(completed)) {
		if name, ok := strings.CutSuffix(strings.TrimSuffix(line, "\n"), ".json"); ok && strings.HasSuffix(line, "\n") {
			s.done[name] = true
		}
	}
	s.p.say("going on with %d of %d results", len(s.done), len(s.plan))
	return s.dropUnlisted()
}

// dropUnlisted removes what an interruption has left: results that are not listed, and half a line of
// the list. Halves of files go at the end.
func (s *session) dropUnlisted() error {
	var b strings.Builder
	for _, c := range s.plan {
		name := c.Name()
		if s.done[name] {
			fmt.Fprintln(&b, name+".json")
			continue
		}
		if err := os.Remove(s.path(name + ".json")); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	// The plan is the order in which results come.
	return wholefile.Write(s.path(results.CompletedFile), []byte(b.String()))
}

func (s *session) path(name string) string { return filepath.Join(s.dir, name) }

// checkLanes runs the gate of every lane before anything is timed.
func (s *session) checkLanes(ctx context.Context) error {
	for i := range s.found {
		f := &s.found[i]
		s.p.say("gate: %s", f.lane.Lane)
		c, err := f.program.gate(ctx, f.lane.Lane, s.Workloads)
		if err != nil {
			return fmt.Errorf("lane %s has not passed the gate: %w", f.lane.Lane, err)
		}
		f.lane = c
		if err := properties(s.dir, &c); err != nil {
			return err
		}
		if p, ok := f.program.(interface{ copies(lane string) []string }); ok {
			if err := s.keep(p.copies(c.Lane)); err != nil {
				return err
			}
		}
	}
	if s.Plain {
		return s.writeTables()
	}
	return errors.Join(s.writeTables(), os.RemoveAll(s.gateDir()))
}

// keep copies files into the run, in place of those of the same names.
func (s *session) keep(files []string) error {
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		if err := wholefile.Write(s.path(filepath.Base(f)), text); err != nil {
			return err
		}
	}
	return nil
}

// gateDir is where the programs of the gate are, which are not needed any longer.
func (s *session) gateDir() string { return filepath.Join(s.tmp, "gate") }

// block measures what is left of a block.
func (s *session) block(ctx context.Context, block int, profiles map[string]string, begin time.Time, todo int) error {
	var cells []Cell
	for _, c := range s.plan {
		if c.Block == block && !s.done[c.Name()] {
			cells = append(cells, c)
		}
	}
	if len(cells) == 0 {
		return nil
	}
	dir := filepath.Join(s.tmp, fmt.Sprintf("block-%d", block))
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	programs, err := s.buildBlock(ctx, dir, block, cells, profiles)
	if err != nil {
		return err
	}
	if err := s.quiet(ctx, block); err != nil {
		return err
	}
	finished := 0
	for _, c := range s.plan {
		if s.done[c.Name()] && c.Block <= block {
			finished++
		}
	}
	before := len(s.plan) - todo
	for _, c := range cells {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("interrupted; the same command goes on with block %d of %d: %w", block+1, s.Blocks, err)
		}
		s.p.step("block %d of %d, %d of %d, %s: %s %s %s", block+1, s.Blocks, finished, len(s.plan),
			left(begin, finished-before, todo), c.Lane, c.Workload, c.Operation)
		if err := s.measure(ctx, programs, c); err != nil {
			return err
		}
		finished++
	}
	return nil
}

// key names the program of a cell.
func (s *session) key(c Cell) string {
	for _, f := range s.found {
		if f.lane.Lane == c.Worker {
			if c.Profiled {
				return f.family.name() + profileSuffix
			}
			return f.family.name()
		}
	}
	return ""
}

// buildBlock builds the programs that the cells of a block need, and notes or compares their hashes.
func (s *session) buildBlock(ctx context.Context, dir string, block int, cells []Cell, profiles map[string]string) (map[string]program, error) {
	programs := map[string]program{}
	for _, c := range cells {
		key := s.key(c)
		if programs[key] != nil {
			continue
		}
		i := slices.IndexFunc(s.found, func(f found) bool { return f.lane.Lane == c.Worker })
		prog := s.found[i].program
		if !s.Plain {
			s.p.say("block %d of %d: building %s", block+1, s.Blocks, key)
			var err error
			if prog, err = s.found[i].family.build(ctx, dir, block, profiles[c.Lane]); err != nil {
				return nil, err
			}
		}
		programs[key] = prog
		if err := s.noteProgram(prog, fmt.Sprintf("block-%d/%s", block, key)); err != nil {
			return nil, err
		}
	}
	return programs, nil
}

// noteProgram writes the hash of a program. One that was there before an interruption must be the
// same.
func (s *session) noteProgram(p program, name string) error {
	sum, err := hashFile(p.file())
	if err != nil {
		return err
	}
	text, err := os.ReadFile(s.path(programsFile))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for line := range strings.Lines(string(text)) {
		if before, ok := strings.CutSuffix(strings.TrimSpace(line), "  "+name); ok {
			if before != sum {
				return fmt.Errorf("%s is another program than before the interruption: the source or a tool has changed", name)
			}
			return nil
		}
	}
	return appendFile(s.path(programsFile), sum+"  "+name+"\n")
}

// quiet waits for the machine to be quiet and notes what it has seen.
func (s *session) quiet(ctx context.Context, block int) error {
	if _, err := os.Stat(s.path(quietFile)); errors.Is(err, os.ErrNotExist) {
		if err := appendFile(s.path(quietFile), quietHeader); err != nil {
			return err
		}
	}
	for _, q := range waitForQuiet(ctx, block, s.watch, s.Pause, s.p) {
		if err := appendFile(s.path(quietFile), q.row()); err != nil {
			return err
		}
	}
	return nil
}

func appendFile(name, text string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// measure measures a cell and lists its result.
func (s *session) measure(ctx context.Context, programs map[string]program, c Cell) error {
	stdout, stderr, err := programs[s.key(c)].measure(ctx, c, s.Effort)
	if len(bytes.TrimSpace(stderr)) > 0 {
		err = errors.Join(err, wholefile.Write(s.path(c.Name()+".log"), stderr))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.Name(), err)
	}
	r, err := results.ParseResult(stdout)
	if err != nil {
		return fmt.Errorf("%s: the program has printed no result: %w", c.Name(), err)
	}
	if got, want := r.FileName(), c.Name()+".json"; got != want {
		return fmt.Errorf("the program has measured %s instead of %s", got, want)
	}
	if err := wholefile.Write(s.path(c.Name()+".json"), stdout); err != nil {
		return err
	}
	s.done[c.Name()] = true
	return appendFile(s.path(results.CompletedFile), c.Name()+".json\n")
}

// finish writes what is made from the results.
func (s *session) finish() error {
	if err := s.endManifest(); err != nil {
		return err
	}
	if err := results.Write(s.dir); err != nil {
		return err
	}
	s.p.say("%d results are in %s", len(s.plan), s.dir)
	return nil
}

// profileTime is how long each cell is looked at for a profile.
const profileTime = 500 * time.Millisecond

// profiles makes a profile for each lane that is built with one, by the name of that lane, unless an
// interrupted run has made it.
func (s *session) profiles(ctx context.Context) (map[string]string, error) {
	all := map[string]string{}
	if !s.Profiled {
		return all, nil
	}
	for _, name := range profileLanes {
		i := slices.IndexFunc(s.found, func(f found) bool { return f.lane.Lane == name })
		if i < 0 {
			continue
		}
		file, err := filepath.Abs(s.path(name + profileSuffix + ".pprof"))
		if err != nil {
			return nil, err
		}
		all[name+profileSuffix] = file
		if _, err := os.Stat(file); err == nil {
			continue
		}
		if err := s.profile(ctx, s.found[i], file); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// profile makes one profile of all workloads and operations that count.
func (s *session) profile(ctx context.Context, f found, file string) error {
	dir := filepath.Join(s.tmp, "profile-"+f.lane.Lane)
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	prog, err := f.family.build(ctx, dir, -1, "")
	if err != nil {
		return err
	}
	var parts []string
	for _, w := range s.Workloads {
		for _, op := range s.Operations {
			if !slices.Contains(profileOperations, op) || !measures(&f.lane, w, op) {
				continue
			}
			s.p.step("profile: %s %s %s", f.lane.Lane, w, op)
			part := filepath.Join(dir, w+"-"+op)
			c := Cell{Lane: f.lane.Lane, Worker: f.lane.Lane, Workload: w, Operation: op}
			if err := prog.profile(ctx, c, profileTime, part); err != nil {
				return err
			}
			parts = append(parts, part)
		}
	}
	merged := filepath.Join(dir, "merged")
	if said, err := process.Run(ctx, "go", append([]string{"tool", "pprof", "-proto", "-output=" + merged}, parts...)...); err != nil {
		return fmt.Errorf("%w: %s", err, said)
	}
	text, err := os.ReadFile(merged)
	if err != nil {
		return err
	}
	return wholefile.Write(file, text)
}

// writeTables writes what is known of the lanes.
func (s *session) writeTables() error {
	var lanes []results.Lane
	var sizes []results.Size
	var reasons []results.Reason
	for _, f := range s.found {
		l := &f.lane
		if l.Deterministic != "" {
			continue
		}
		lanes = append(lanes, row(l))
		for _, w := range s.Workloads {
			if size, ok := l.Sizes[w]; ok {
				sizes = append(sizes, results.Size{
					Lane: l.Lane, Workload: w, Records: size.Records, Mean: size.Mean, Min: float64(size.Min), Max: float64(size.Max),
				})
			}
		}
		reasons = append(reasons, s.reasons(l)...)
	}
	if s.Profiled {
		more, why := s.profiledRows()
		lanes, reasons = append(lanes, more...), append(reasons, why...)
	}
	var l, z, r bytes.Buffer
	err := errors.Join(results.WriteLanes(&l, lanes), results.WriteSizes(&z, sizes), results.WriteUnsupported(&r, reasons))
	if err != nil {
		return err
	}
	return errors.Join(
		wholefile.Write(s.path(results.LanesFile), l.Bytes()), wholefile.Write(s.path(results.SizesFile), z.Bytes()),
		wholefile.Write(s.path(results.UnsupportedFile), r.Bytes()))
}

func row(l *suite.Checked) results.Lane {
	lane := results.Lane{
		Name: l.Lane, Role: l.Role, Runtime: l.Runtime, Library: l.Library, Version: l.Version,
		UTF8: l.Checks.UTF8, Depth: l.Checks.Depth, Size: l.Checks.Size, Required: l.Checks.Required, Unknown: l.Checks.Unknown,
		SharesInput: l.SharesInput, OptIn: l.OptIn, Immutable: l.Immutable,
	}
	return lane
}

// reasons returns why cells of a lane are left out, in the order of the run.
func (s *session) reasons(l *suite.Checked) []results.Reason {
	var all []results.Reason
	for _, w := range s.Workloads {
		if why := l.Unsupported[w]; why != "" {
			all = append(all, results.Reason{Lane: l.Lane, Workload: w, Reason: why})
			continue
		}
		for _, op := range s.Operations {
			if why := l.Unsupported[w+"/"+op]; why != "" {
				all = append(all, results.Reason{Lane: l.Lane, Workload: w, Operation: op, Reason: why})
			}
		}
	}
	return all
}

// profiledRows are the rows of the lanes that were built with a profile.
func (s *session) profiledRows() (lanes []results.Lane, reasons []results.Reason) {
	for _, name := range profileLanes {
		i := slices.IndexFunc(s.found, func(f found) bool { return f.lane.Lane == name })
		if i < 0 {
			continue
		}
		l := row(&s.found[i].lane)
		l.Name, l.Role = name+profileSuffix, results.RoleSupplement
		lanes = append(lanes, l)
		for _, op := range s.Operations {
			if !slices.Contains(profileOperations, op) {
				reasons = append(reasons, results.Reason{
					Lane: l.Name, Operation: op, Reason: "programs that were built with a profile serialize and deserialize only",
				})
			}
		}
	}
	return lanes, reasons
}
