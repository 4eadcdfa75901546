package drive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/flinkser/flinkser/bench/internal/suite"
	"github.com/flinkser/flinkser/bench/internal/wholefile"
)

// Gate runs the gate of all lanes and prints a line for each. It returns an error if one has not
// passed, after it has tried the others.
func Gate(ctx context.Context, o Options, stdout, stderr io.Writer) error {
	dir, err := os.MkdirTemp("", "flinkser-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p := newProgress(stderr)
	found, err := o.find(ctx, dir, p)
	if err != nil {
		return err
	}
	failed := 0
	for _, f := range found {
		p.say("gate: %s", f.lane.Lane)
		c, err := f.program.gate(ctx, f.lane.Lane, o.Workloads)
		if err != nil {
			failed++
			fmt.Fprintf(stdout, "FAILED  %-24s %v\n", f.lane.Lane, err)
			continue
		}
		fmt.Fprintf(stdout, "ok      %-24s %d workloads, %d left out, %s\n", c.Lane, len(c.Sizes), len(c.Unsupported), sharing(&c))
		if c.Faults != "" {
			fmt.Fprintf(stdout, "        known to be wrong: %s\n", c.Faults)
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d lanes have not passed the gate", failed, len(found))
	}
	fmt.Fprintf(stdout, "all %d lanes have passed the gate\n", len(found))
	return nil
}

func sharing(c *suite.Checked) string {
	if c.SharesInput {
		return "shares memory with the input"
	}
	return "memory of its own"
}

// properties writes what the gate has found out about a lane.
func properties(dir string, c *suite.Checked) error {
	var b strings.Builder
	line := func(key, value string) { fmt.Fprintf(&b, "%s=%s\n", key, strings.ReplaceAll(value, "\n", " ")) }
	line("lane", c.Lane)
	line("status", "supported")
	line("role", c.Role)
	line("library", c.Library)
	line("version", c.Version)
	line("faults", c.Faults)
	line("immutable", strconv.FormatBool(c.Immutable))
	line("shares.input", strconv.FormatBool(c.SharesInput))
	line("opt.in", strconv.FormatBool(c.OptIn))
	for _, check := range []struct {
		name string
		on   bool
	}{
		{"utf8", c.Checks.UTF8},
		{"depth", c.Checks.Depth},
		{"size", c.Checks.Size},
		{"required", c.Checks.Required},
		{"unknown", c.Checks.Unknown},
	} {
		line("checks."+check.name, strconv.FormatBool(check.on))
	}
	for _, w := range suite.Workloads() {
		if s, ok := c.Sizes[w]; ok {
			line(w+".records", strconv.Itoa(s.Records))
			line(w+".encoded.mean", strconv.FormatFloat(s.Mean, 'f', -1, 64))
			line(w+".encoded.min", strconv.Itoa(s.Min))
			line(w+".encoded.max", strconv.Itoa(s.Max))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.Unsupported)) {
		line("unsupported."+key, c.Unsupported[key])
	}
	return wholefile.Write(filepath.Join(dir, c.Lane+"-plain.properties"), []byte(b.String()))
}

// hashFile returns the SHA-256 of a file.
func hashFile(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
