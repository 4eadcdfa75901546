package drive

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/flinkser/flinkser/bench/internal/clock"
	"github.com/flinkser/flinkser/bench/internal/process"
	"github.com/flinkser/flinkser/bench/internal/results"
	"github.com/flinkser/flinkser/bench/internal/suite"
	"github.com/flinkser/flinkser/bench/internal/wholefile"
	"github.com/flinkser/flinkser/internal/corpus"
)

// writeManifest writes what the run was made with.
func (s *session) writeManifest(ctx context.Context) error {
	var b strings.Builder
	line := func(key, value string) { fmt.Fprintf(&b, "%s=%s\n", key, strings.ReplaceAll(value, "\n", " ")) }
	line("format.version", "1")
	line("runtime", "go")
	line("go.version", runtime.Version())
	line("os", runtime.GOOS)
	line("arch", runtime.GOARCH)
	line("kernel", kernel())
	line("cpu", cpu())
	line("cpu.cores", fmt.Sprint(runtime.NumCPU()))
	line("clock", clock.Name)
	line("corpus.seed", fmt.Sprint(corpus.Seed))
	line("corpus.records", fmt.Sprint(suite.Size))
	line("blocks", fmt.Sprint(s.Blocks))
	line("layout.seeds", layouts(s.Blocks))
	line("warmup", s.Effort.Warmup.String())
	line("iteration.time", s.Effort.Time.String())
	line("iterations", fmt.Sprint(s.Effort.Iterations))
	line("workloads", strings.Join(s.Workloads, " "))
	line("operations", strings.Join(s.Operations, " "))
	line("source.revision", revision(ctx))
	status, err := sourceStatus(ctx, s.dir)
	if err != nil {
		return err
	}
	line("source.status", status)
	for _, f := range s.found {
		if p, ok := f.program.(interface{ properties() map[string]string }); ok {
			for k, v := range p.properties() {
				if !strings.Contains(b.String(), "\n"+k+"=") {
					line(k, v)
				}
			}
		}
	}
	line("timestamp.utc", time.Now().UTC().Format(time.RFC3339))
	return wholefile.Write(s.path(results.ManifestFile), []byte(b.String()))
}

// endManifest notes when the run has ended.
func (s *session) endManifest() error {
	text, err := os.ReadFile(s.path(results.ManifestFile))
	if err != nil {
		return err
	}
	if bytes.Contains(text, []byte("\ncompleted.utc=")) {
		return nil
	}
	busy, err := s.busyBlocks()
	if err != nil {
		return err
	}
	return appendFile(s.path(results.ManifestFile),
		"start.gate.failed="+busy+"\ncompleted.utc="+time.Now().UTC().Format(time.RFC3339)+"\n")
}

// busyBlocks returns the blocks that were begun on a busy machine, or "none".
func (s *session) busyBlocks() (string, error) {
	text, err := os.ReadFile(s.path(quietFile))
	if err != nil {
		return "", err
	}
	passed := map[string]bool{}
	var order []string
	for line := range strings.Lines(strings.TrimPrefix(string(text), quietHeader)) {
		fields := strings.Split(line, ",")
		if len(fields) < 6 {
			return "", fmt.Errorf("%s: line %q is malformed", quietFile, line)
		}
		if _, seen := passed[fields[0]]; !seen {
			order = append(order, fields[0])
		}
		// An interrupted block has begun more than once; the last look counts.
		passed[fields[0]] = fields[5] == "true"
	}
	var busy []string
	for _, block := range order {
		if !passed[block] {
			busy = append(busy, block)
		}
	}
	if len(busy) == 0 {
		return "none", nil
	}
	return strings.Join(busy, " "), nil
}

// sameSource fails unless the source is that with which an interrupted run has begun.
func (s *session) sameSource(ctx context.Context) error {
	text, err := os.ReadFile(s.path(results.ManifestFile))
	if err != nil {
		return err
	}
	status, err := sourceStatus(ctx, s.dir)
	if err != nil {
		return err
	}
	for _, want := range []string{"source.revision=" + revision(ctx), "source.status=" + status, "go.version=" + runtime.Version()} {
		if !bytes.Contains(text, []byte("\n"+want+"\n")) {
			return fmt.Errorf("the run was begun with another source or Go: now it is %s", want)
		}
	}
	return nil
}

func layouts(blocks int) string {
	var all []string
	for b := range blocks {
		all = append(all, fmt.Sprint(layout(b)))
	}
	return strings.Join(all, " ")
}

func revision(ctx context.Context) string {
	out, err := process.Run(ctx, "git", "rev-parse", "HEAD")
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}

// sourceStatus says whether the tree is that of the revision, or which changes it has, as a hash, or "unknown"
// without git. Files that git ignores do not count, nor do those of the run. What is in new files is not
// in the hash: a run that goes on compares the hashes of its programs.
func sourceStatus(ctx context.Context, dir string) (string, error) {
	status := []string{"status", "--porcelain", "--untracked-files=all", "--", ":/"}
	top, err := process.Run(ctx, "git", "rev-parse", "--show-toplevel")
	if inside := within(strings.TrimSpace(string(top)), dir); err == nil && inside != "" {
		status = append(status, ":(top,exclude,literal)"+inside)
	}
	out, err := process.Run(ctx, "git", status...)
	if err == nil && len(out) == 0 {
		return "clean", nil
	}
	diff, failed := process.Run(ctx, "git", "diff", "HEAD")
	if err = errors.Join(err, failed); err != nil {
		if ctx.Err() != nil {
			return "", err
		}
		return "unknown", nil
	}
	sum := sha256.Sum256(slices.Concat(diff, out))
	return "changed " + hex.EncodeToString(sum[:8]), nil
}

// within returns the name of a folder from top, or "" if it is not below.
func within(top, dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	// Git names the folder without links.
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	rel, err := filepath.Rel(filepath.FromSlash(top), dir)
	if err != nil || !filepath.IsLocal(rel) || rel == "." {
		return ""
	}
	return filepath.ToSlash(rel)
}

func kernel() string {
	text, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(text))
}

func cpu() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown"
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}
