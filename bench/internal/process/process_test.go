package process_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/flinkser/flinkser/bench/internal/process"
)

func TestRun(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("sh is not here, so that no command can be run")
	}
	for _, name := range []string{"GOGC", "GOMEMLIMIT", "GODEBUG", "GOMAXPROCS", "GOAMD64", "GOEXPERIMENT"} {
		t.Setenv(name, "set")
	}
	t.Setenv("GOFLAGSX", "kept")
	out, err := process.Run(t.Context(), "sh", "-c", "echo $GOGC$GOMEMLIMIT$GODEBUG$GOMAXPROCS$GOAMD64$GOEXPERIMENT$GOFLAGSX")
	if err != nil || string(out) != "kept\n" {
		t.Errorf("the command has seen %q, error %v", out, err)
	}
	out, stderr, err := process.Output(t.Context(), "sh", "-c", "echo out; echo why >&2; exit 3")
	if string(out) != "out\n" || string(stderr) != "why\n" || err == nil || !strings.Contains(err.Error(), "exit status 3: why") {
		t.Errorf("a command that fails gives %q, %q and %v", out, stderr, err)
	}
}
