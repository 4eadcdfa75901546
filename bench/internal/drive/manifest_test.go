package drive

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSourceStatus looks at a tree without and with changes.
func TestSourceStatus(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here, so that no tree has a status")
	}
	top := t.TempDir()
	t.Chdir(top)
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(top))
	status := func(dir string) string {
		t.Helper()
		s, err := sourceStatus(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) {
		t.Helper()
		args = append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false"}, args...)
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	const run = "some [run]"
	if got := status(run); got != "unknown" {
		t.Errorf("without a repository the source is %s", got)
	}
	git("init", "-q")
	write("file.go", "one")
	write(".gitignore", "*.out\n")
	git("add", ".")
	git("commit", "-q", "-m", "first")
	// From a folder in the tree, as a run does.
	write("sub/ignored.out", "")
	write("sub/"+run+"/manifest.properties", "")
	t.Chdir("sub")
	for _, dir := range []string{run, filepath.Join(top, "sub", run)} {
		if got := status(dir); got != "clean" {
			t.Errorf("run in %s: a tree without changes is %s", dir, got)
		}
	}
	outside := t.TempDir()
	if got := status(outside); !strings.HasPrefix(got, "changed ") {
		t.Errorf("a tree with a new file is %s", got)
	}
	if got := status(filepath.Join(outside, "not", "there", "yet")); !strings.HasPrefix(got, "changed ") {
		t.Errorf("a tree with a new file is %s", got)
	}
	write("../new.go", "")
	untracked := status(run)
	write("../file.go", "two")
	two := status(run)
	write("../file.go", "three")
	three := status(run)
	for _, s := range []string{untracked, two, three} {
		if !strings.HasPrefix(s, "changed ") {
			t.Errorf("a tree with changes is %s", s)
		}
	}
	if untracked == two || two == three {
		t.Errorf("other changes have the same hash: %s, %s, %s", untracked, two, three)
	}
}
