package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	flinkserbeam "github.com/flinkser/flinkser/integration/beam"
	"github.com/flinkser/flinkser/integration/beam/internal/alone"
)

const (
	// jobServerEnv names a file with the class path of the job server, which tools/beam.sh makes.
	jobServerEnv = "FLINKSER_BEAM_JOBSERVER"
	// clusterEnv names a file with the class path of a Flink cluster: a JobManager and a TaskManager run apart then.
	clusterEnv = "FLINKSER_BEAM_CLUSTER"
	// labEnv is in the environment of all that is started for a lab.
	labEnv = "FLINKSER_BEAM_LAB"
	// roundsEnv is how often the failures are tried.
	roundsEnv = "FLINKSER_BEAM_ROUNDS"
)

func TestMain(m *testing.M) {
	os.Exit(alone.Main(m, func() {
		flinkserbeam.MustRegister()
		flag.Parse()
		beam.Init()
		slog.SetDefault(slog.New(slog.DiscardHandler))
	}))
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%.2000v", err)
	}
}

// TestPrism runs the example's pipeline in all ways that Prism knows.
func TestPrism(t *testing.T) {
	dir := t.TempDir()
	check(t, makeOrders(dir, 5000, 70, 3))
	paths, err := filepath.Glob(filepath.Join(dir, "*.frames"))
	check(t, err)
	want, err := expect(paths)
	check(t, err)
	for _, x := range []struct {
		growing bool
		how     string
	}{{false, "fold"}, {false, "state"}, {false, "group"}, {true, "fold"}} {
		name := fmt.Sprintf("growing %v, %s", x.growing, x.how)
		p, s := beam.NewPipelineWithRoot()
		prefix := filepath.Join(dir, strings.ReplaceAll(name, " ", "-"))
		pipeline(s, paths, prefix, flinkserbeam.ReadOptions{Growing: x.growing, Quiet: time.Millisecond, Poll: 10 * time.Millisecond}, x.how, trouble{})
		result, err := flinkserbeam.Run(context.Background(), p, flinkserbeam.Prism{})
		check(t, err)
		got, err := results(prefix)
		check(t, err)
		if len(got) != 70 || text(got) != text(want) {
			t.Errorf("%s: totals differ:\n%s", name, head(text(got)))
		}
		t.Logf("%s: %v", name, result.Took)
	}
}

// A lab is a job server and what is run on it.
type lab struct {
	t        *testing.T
	dir      string
	programs map[string]string // by version of the schema
	boot     string
}

// newLab starts a job server, and a cluster if there is one, and builds the program with each version of the schema.
func newLab(t *testing.T, orders int) *lab {
	t.Helper()
	jars := os.Getenv(jobServerEnv)
	if jars == "" {
		t.Skip("no job server: " + jobServerEnv + " is not set, see tools/beam.sh; nothing is known of Flink then")
	}
	l := &lab{t: t, dir: t.TempDir(), programs: map[string]string{}}
	t.Cleanup(l.sweep)
	for _, version := range []string{"v1", "v2", "v3"} {
		l.programs[version] = l.build(version, "-tags="+version, ".")
	}
	l.boot = l.build("boot", "github.com/apache/beam/sdks/v2/go/container")
	check(t, makeOrders(filepath.Join(l.dir, "orders"), orders, 50, 4))
	master := "[local]"
	if cluster := os.Getenv(clusterEnv); cluster != "" {
		l.cluster(cluster)
		master = "localhost:8081"
	}
	l.java("jobserver", jars, 8099, []string{"-Xmx512m"}, "org.apache.beam.runners.flink.FlinkJobServerDriver",
		"--flink-master="+master, "--flink-conf-dir="+l.conf("../../jobserver/flink-conf.yaml"), "--job-host=localhost", "--job-port=8099", "--artifact-port=8098",
		"--expansion-port=-1", "--artifacts-dir="+filepath.Join(l.dir, "artifacts"))
	return l
}

func (l *lab) build(name string, args ...string) string {
	l.t.Helper()
	path := filepath.Join(l.dir, name)
	out, err := exec.Command("go", append([]string{"build", "-ldflags=-s -w", "-o", path}, args...)...).CombinedOutput()
	if err != nil {
		l.t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// conf makes a folder with a configuration in it, with paths in the lab's folder.
func (l *lab) conf(file string) string {
	l.t.Helper()
	b, err := os.ReadFile(file)
	check(l.t, err)
	dir := filepath.Join(l.dir, filepath.Base(filepath.Dir(file)))
	check(l.t, os.MkdirAll(dir, 0o755))
	check(l.t, os.WriteFile(filepath.Join(dir, filepath.Base(file)), bytes.ReplaceAll(b, []byte("LAB"), []byte(l.dir)), 0o600))
	return dir
}

// java starts a program and waits until it listens.
func (l *lab) java(name, jars string, port int, flags []string, args ...string) *exec.Cmd {
	l.t.Helper()
	cp, err := os.ReadFile(jars)
	check(l.t, err)
	logFile, err := os.Create(filepath.Join(l.dir, name+".log"))
	check(l.t, err)
	cmd := exec.Command("java", append(append(flags, "-cp", strings.TrimSpace(string(cp))), args...)...)
	cmd.Dir = l.dir // workers write a file of options where they are
	cmd.Env = append(os.Environ(), labEnv+"="+l.dir)
	cmd.Stdout, cmd.Stderr = logFile, logFile
	check(l.t, cmd.Start())
	l.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended
		_ = cmd.Wait()
		logFile.Close()
	})
	l.waitFor(name+" listens", func() bool {
		conn, err := net.Dial("tcp", fmt.Sprintf("localhost:%d", port))
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	return cmd
}

// sweep ends the workers that Beam's boot program has started, with their folders: they outlive it where it is killed.
func (l *lab) sweep() {
	environments, err := filepath.Glob("/proc/[0-9]*/environ")
	check(l.t, err)
	for _, environment := range environments {
		b, err := os.ReadFile(environment)
		if err != nil || !bytes.Contains(b, []byte(labEnv+"="+l.dir)) {
			continue // it has ended, or is somebody else's
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(environment)))
		check(l.t, err)
		program, _ := os.Readlink(filepath.Join(filepath.Dir(environment), "exe")) // it may end now
		_ = syscall.Kill(pid, syscall.SIGKILL)
		if folder := filepath.Dir(program); filepath.Base(program) == "worker" && strings.HasPrefix(filepath.Base(folder), "bin") {
			_ = os.RemoveAll(folder) // boot makes it in /tmp, wherever TMPDIR is
		}
	}
}

func (l *lab) log(name string) string {
	b, _ := os.ReadFile(filepath.Join(l.dir, name+".log")) // as far as it is there
	return string(b)
}

// flinkLog is where Flink itself says what it does.
func (l *lab) flinkLog() string { return l.log("jobserver") + l.log("jobmanager") }

// streaming are the flags of a run that takes some seconds, so that something can happen in it.
func (l *lab) streaming(name string) []string {
	return []string{
		"-dir", filepath.Join(l.dir, "orders"), "-out", filepath.Join(l.dir, name), "-schemas", l.schemas(name), "-engine=flink", "-growing", "-quiet=1s",
		"-burst=10", "-pause=60ms", "-checkpoint=500ms", "-end-after=12s", "-fail-marker", l.marker(name),
	}
}

// schemas is the folder in which the schemas of a run are kept. Each has its own: a job does not start without a savepoint
// where those of another one are.
func (l *lab) schemas(name string) string {
	l.t.Helper()
	folder := filepath.Join(l.dir, name+"-schemas")
	check(l.t, os.MkdirAll(folder, 0o755))
	return folder
}

// waitFor waits until something holds.
func (l *lab) waitFor(what string, holds func() bool) {
	l.t.Helper()
	for start := time.Now(); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Since(start) > 2*time.Minute {
			l.t.Fatalf("%s: not within two minutes\n%s\n%s", what, tail(l.flinkLog()), tail(l.log("taskmanager")))
		}
	}
}

// halfway waits until the run has come so far that something may happen to it.
func (l *lab) halfway(name string) {
	l.t.Helper()
	l.waitFor(name+": the middle of the run", func() bool {
		_, err := os.Stat(l.marker(name))
		return err == nil
	})
}

func (l *lab) marker(name string) string { return filepath.Join(l.dir, name+".marker") }

// A job is a run of the program.
type job struct {
	*exec.Cmd
	out bytes.Buffer
	end chan error
}

func (l *lab) start(version string, args ...string) *job {
	l.t.Helper()
	j := &job{Cmd: exec.Command(l.programs[version], args...), end: make(chan error, 1)}
	j.Stdout, j.Stderr = &j.out, &j.out
	check(l.t, j.Start())
	go func() { j.end <- j.Wait() }()
	l.t.Cleanup(func() { _ = j.Process.Kill() })
	return j
}

// wait waits for the end of a run and returns what it has printed.
func (l *lab) wait(j *job) (string, error) {
	l.t.Helper()
	select {
	case err := <-j.end:
		return j.out.String(), err
	case <-time.After(3 * time.Minute):
		_ = j.Process.Kill()
		l.t.Fatalf("the job does not end:\n%s\n%.3000s", <-j.end, tail(l.flinkLog()))
		return "", nil
	}
}

func tail(s string) string { return s[max(0, len(s)-3000):] }

// exact waits for the end of a run, whose totals have to be those of a loop over the files.
func (l *lab) exact(j *job, name string) {
	l.t.Helper()
	out, err := l.wait(j)
	if err != nil || !strings.Contains(out, "the same totals") {
		l.t.Fatalf("%s: %v\n%s\n%s", name, err, tail(out), tail(l.flinkLog()))
	}
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "flink ") {
			l.t.Logf("%s: %s", name, strings.TrimSpace(line))
		}
	}
}

const restoring = "Restoring job"

// restored counts restores from checkpoints.
func (l *lab) restored() int { return strings.Count(l.flinkLog(), restoring) }

// TestFlink runs the pipeline on Flink and lets things happen to it. Every total has to be exact.
func TestFlink(t *testing.T) {
	l := newLab(t, 3000)
	rounds := 1
	if n, err := strconv.Atoi(os.Getenv(roundsEnv)); err == nil {
		rounds = n
	}
	for round := range rounds {
		suffix := fmt.Sprint("-", round)
		l.stopped("stopped" + suffix)
		l.batch("batch" + suffix)
		l.savepoints("savepoint" + suffix)
		l.failing("error"+suffix, "-fail=error")
		l.failing("killed"+suffix, "-fail=pid", "-boot="+l.boot)
	}
	t.Logf("%d restores from checkpoints", l.restored())
}

func (l *lab) batch(name string) {
	l.t.Helper()
	l.exact(l.start("v1", "-dir", filepath.Join(l.dir, "orders"), "-out", filepath.Join(l.dir, name), "-engine=flink"), name)
}

// failing lets something happen in the middle, after some checkpoints.
func (l *lab) failing(name string, args ...string) {
	l.t.Helper()
	before := l.restored()
	j := l.start("v1", append(append(l.streaming(name), "-fail-at=600"), args...)...)
	if args[0] == "-fail=pid" {
		l.kill(name)
	}
	l.exact(j, name)
	if _, err := os.Stat(l.marker(name)); err != nil || l.restored() == before {
		l.t.Errorf("%s: nothing has happened: %v, or Flink has not restored a checkpoint", name, err)
	}
}

// kill kills the worker that has written its process id.
func (l *lab) kill(name string) {
	l.t.Helper()
	var b []byte
	l.waitFor(name+": a worker in the middle", func() bool {
		b, _ = os.ReadFile(l.marker(name)) // it may not be there yet
		return len(b) > 0
	})
	pid, err := strconv.Atoi(string(b))
	check(l.t, err)
	if pid == os.Getpid() {
		l.t.Fatal("the worker is this process")
	}
	check(l.t, syscall.Kill(pid, syscall.SIGKILL))
}

// savepoints stops a job with a savepoint, goes on with two fields more, and tries a version that would misread the
// state, which must not reach the job server.
func (l *lab) savepoints(name string) {
	l.t.Helper()
	// The same steps in all versions, and slowly: on a busy machine the job would otherwise have come to its end before it
	// is stopped, and what starts from the savepoint has nothing left to do.
	args := append(l.streaming(name), "-fail=pid", "-fail-at=600", "-pause=200ms", "-end-after=30s")
	j := l.start("v1", args...)
	l.halfway(name)
	savepoint := l.stop(name)
	// Beam's runner may work off what is left before it ends; that is not in the savepoint, and must not be looked at.
	if _, err := l.wait(j); err != nil {
		l.t.Logf("%s: the job that was stopped has left totals of a part", name)
	}
	left, err := filepath.Glob(filepath.Join(l.dir, name+"-*.frames"))
	check(l.t, err)
	for _, file := range left {
		check(l.t, os.Remove(file))
	}
	if os.Getenv(clusterEnv) == "" {
		l.t.Logf("%s: the Flink within the job server does not start from savepoints, so that is left to a cluster", name)
	} else {
		l.exact(l.start("v2", append(args, "-savepoint", savepoint)...), name+" with two fields more")
		if !strings.Contains(strings.ToLower(l.flinkLog()), "from savepoint ") {
			l.t.Errorf("%s: Flink has not started from the savepoint", name)
		}
	}

	jobs := strings.Count(l.log("jobserver"), "Invoking job")
	out, err := l.wait(l.start("v3", append(args, "-savepoint", savepoint)...))
	if err == nil || !strings.Contains(out, "may not be restored") || !strings.Contains(out, "orders") {
		l.t.Errorf("%s with a sint64: %v\n%s", name, err, tail(out))
	}
	if jobs == 0 || strings.Count(l.log("jobserver"), "Invoking job") != jobs {
		l.t.Errorf("%s with a sint64: it has reached Flink, or the log of %d jobs has another form", name, jobs)
	}
}

// stop stops the running job with a savepoint. Flink may refuse one, and then the job goes on from its last checkpoint: one
// more is asked for, a few times.
func (l *lab) stop(name string) (savepoint string) {
	l.t.Helper()
	for range 4 {
		out, err := l.wait(l.start("v1", "-stop", "file://"+filepath.Join(l.dir, "savepoints"), "-schemas", l.schemas(name)))
		if err == nil {
			return strings.TrimSpace(out)
		}
		l.t.Logf("%s: no savepoint: %v\n%.3000s\n%s", name, err, out, causes(l.flinkLog()))
		time.Sleep(time.Second)
	}
	l.t.Fatalf("%s: no savepoint:\n%s", name, tail(l.flinkLog()))
	return ""
}

// causes returns the last lines of a log that name an exception.
func causes(log string) string {
	var lines []string
	for line := range strings.Lines(log) {
		if strings.Contains(line, "Exception") {
			lines = append(lines, line[:min(len(line), 300)])
		}
	}
	return strings.Join(lines[max(0, len(lines)-12):], "\n")
}

// stopped tells the program to stop: its job must not go on.
func (l *lab) stopped(name string) {
	l.t.Helper()
	j := l.start("v1", append(l.streaming(name), "-fail=pid", "-fail-at=400")...)
	l.halfway(name)
	check(l.t, j.Process.Signal(syscall.SIGTERM))
	out, err := l.wait(j)
	if err == nil || !strings.Contains(out, flinkserbeam.ErrCancelled.Error()) {
		l.t.Errorf("%s: %v\n%s", name, err, tail(out))
	}
	response, err := http.Get("http://localhost:8081/jobs/overview")
	if err != nil {
		if os.Getenv(clusterEnv) != "" {
			l.t.Errorf("%s: whether the job goes on is not known: %v", name, err)
		}
		return // the Flink in the job server has gone with its job
	}
	defer response.Body.Close()
	var known struct{ Jobs []struct{ State string } }
	check(l.t, json.NewDecoder(response.Body).Decode(&known))
	if len(known.Jobs) == 0 && os.Getenv(clusterEnv) != "" {
		l.t.Errorf("%s: the cluster knows of no job, so whether it goes on is not known: %s", name, response.Status)
	}
	for _, j := range known.Jobs {
		if j.State != "FINISHED" && j.State != "CANCELED" && j.State != "FAILED" {
			l.t.Errorf("%s: a job goes on, it is %s", name, j.State)
		}
	}
}
