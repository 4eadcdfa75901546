// Package java builds the lanes of bench/java with Maven, and runs them: another runtime on the same
// machine. Where a JDK or Maven is missing, Find says so, and nothing else is possible.
package java

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// OldestJDK is the oldest release of Java that the lanes are compiled with.
const OldestJDK = 17

// ErrMissing is what errors of Find wrap: the Java lanes have to be left out on this machine.
var ErrMissing = errors.New("no Java lanes")

// Tools are the programs that the lanes need.
type Tools struct {
	Java    string // path of java
	Maven   string // path of mvn
	Version string // first line that java -version prints
}

// Find looks for a JDK and Maven on PATH.
func Find(ctx context.Context) (*Tools, error) {
	found := map[string]string{}
	for _, program := range []string{"java", "javac", "mvn"} {
		path, err := exec.LookPath(program)
		if err != nil {
			return nil, fmt.Errorf("%w: %s is not on PATH; they need a JDK of at least %d, and Maven", ErrMissing, program, OldestJDK)
		}
		found[program] = path
	}
	out, err := exec.CommandContext(ctx, found["java"], "-version").CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%w: java -version: %w: %s", ErrMissing, err, bytes.TrimSpace(out))
	}
	version, _, _ := strings.Cut(string(out), "\n")
	if release := release(version); release < OldestJDK {
		return nil, fmt.Errorf("%w: java is of release %d, and they need at least %d", ErrMissing, release, OldestJDK)
	}
	return &Tools{Java: found["java"], Maven: found["mvn"], Version: version}, nil
}

var quotedRelease = regexp.MustCompile(`"(\d+)(?:\.(\d+))?`)

// release returns the release that the first line of java -version names, and 0 where there is
// none. Before 9, it stands behind "1.".
func release(version string) int {
	m := quotedRelease.FindStringSubmatch(version)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	if n == 1 {
		n, _ = strconv.Atoi(m[2])
	}
	return n
}

// jvm are the arguments of every JVM: a heap of one size, and a collector that needs no threads, since the process
// has one core.
var jvm = []string{"-Xms512m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:-UsePerfData"}

// command returns a command of the program Main of the lanes.
func (p *Project) command(ctx context.Context, args ...string) *exec.Cmd {
	all := append([]string{}, jvm...)
	all = append(all, "-cp", p.classPath(), "flinkser.bench.Main")
	cmd := exec.CommandContext(ctx, p.tools.Java, append(all, args...)...)
	cmd.WaitDelay = time.Second
	return cmd
}

// run runs a command and returns the lines that it prints.
func (p *Project) run(ctx context.Context, args ...string) ([][]byte, error) {
	cmd := p.command(ctx, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("java %s: %w: %s", strings.Join(args, " "), err, tail(stderr.Bytes()))
	}
	return bytes.Split(bytes.TrimSpace(stdout.Bytes()), []byte("\n")), nil
}

// tailBytes is how much of what a program has printed goes into an error.
const tailBytes = 4 << 10

func tail(b []byte) []byte {
	b = bytes.TrimSpace(b)
	return b[max(0, len(b)-tailBytes):]
}

// one reads the only line of an answer.
func one[T any](lines [][]byte, err error) (*T, error) {
	if err != nil {
		return nil, err
	}
	if len(lines) != 1 {
		return nil, fmt.Errorf("java has printed %d lines instead of one", len(lines))
	}
	v := new(T)
	return v, json.Unmarshal(lines[0], v)
}

// each reads an answer of several lines.
func each[T any](lines [][]byte, err error) ([]T, error) {
	if err != nil {
		return nil, err
	}
	all := make([]T, len(lines))
	for i, line := range lines {
		if err := json.Unmarshal(line, &all[i]); err != nil {
			return nil, fmt.Errorf("java has printed %q: %w", line, err)
		}
	}
	return all, nil
}

// source is the folder of the lanes, below that of the module of the benchmarks.
func source(module string) string { return filepath.Join(module, "java") }
