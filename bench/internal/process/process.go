// Package process runs the programs that are measured, and the tools that build them, so that what the
// caller has set for his own programs changes no figure.
package process

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Run runs a command and returns what it prints. The error has what it says.
func Run(ctx context.Context, name string, args ...string) ([]byte, error) {
	stdout, _, err := Output(ctx, name, args...)
	return stdout, err
}

// Output runs a command and returns what it prints, on stdout and on stderr, however it ends.
func Output(ctx context.Context, name string, args ...string) (stdout, stderr []byte, err error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = Environment()
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s %s: %w: %s", filepath.Base(name), strings.Join(args, " "), err, bytes.TrimSpace(errs.Bytes()))
	}
	return out, errs.Bytes(), err
}

// Environment is that of this process without what would change the collector or the compiler.
func Environment() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"GOGC", "GOMEMLIMIT", "GODEBUG", "GOMAXPROCS", "GOAMD64", "GOEXPERIMENT"}, name)
	})
}
