package java

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestPinned shows that the program runs on one core, and that this one keeps all of its own.
func TestPinned(t *testing.T) {
	if _, err := exec.LookPath("nproc"); err != nil {
		t.Skip("nproc is not on PATH, so nobody tells how many cores a program has: ", err)
	}
	before, err := exec.CommandContext(t.Context(), "nproc").Output()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "nproc")
	var out strings.Builder
	cmd.Stdout = &out
	core, err := startPinned(cmd)
	if err == nil {
		err = cmd.Wait()
	}
	if err != nil {
		t.Fatal(err)
	}
	if core < 0 {
		t.Skip("the system does not let programs be kept on one core, so results say that they are not")
	}
	if strings.TrimSpace(out.String()) != "1" {
		t.Errorf("the program has %s cores", out.String())
	}
	after, err := exec.CommandContext(t.Context(), "nproc").Output()
	if err != nil || !slices.Equal(before, after) {
		t.Errorf("this program had %s cores, and now has %s: %v", before, after, err)
	}
}
