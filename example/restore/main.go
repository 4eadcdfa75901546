// Command restore shows what happens to stored state when the schema changes. It builds a
// program for each version of a schema, lets one write a framed file with its snapshot, and
// another one restore, read and rewrite it: for changes that are accepted and for some that
// are refused, forwards and back.
//
//	go run ./example/restore
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const versions = "github.com/flinkser/flinkser/example/restore/"

// A step runs the program of a version on the folder that the steps of a story share.
type step struct {
	version string
	args    []string
	refused string // the code of a break, where the version must refuse
}

type story struct {
	title string
	keeps string // what all records hold in the file after each step, also where a version does not know the field
	steps []step
}

var stories = []story{
	{"A field and an enum value are added, a field is removed and reserved. Then back, and forth again", "as it was", []step{
		{version: "base", args: []string{"-new", "1000"}},
		{version: "added"},
		{version: "base", args: []string{"-rollback"}},
		{version: "added"},
	}},
	{"New records of that schema, read by the old program", "pen", []step{
		{version: "added", args: []string{"-new", "1000"}},
		{version: "base", args: []string{"-rollback"}},
		{version: "added"},
	}},
	{"int32 becomes int64: the Java library would refuse, the bytes allow it", "as it was", []step{
		{version: "base", args: []string{"-new", "1000"}},
		{version: "widened", refused: "FIELD_TYPE_WIDENED"},
		{version: "widened", args: []string{"-wire"}},
		{version: "base", args: []string{"-wire", "-rollback"}, refused: "FIELD_TYPE_CHANGED"},
		{version: "widened"},
	}},
	{"int32 becomes sint32: all records would be read as other values, without an error", "as it was", []step{
		{version: "base", args: []string{"-new", "1000"}},
		{version: "zigzag", refused: "FIELD_TYPE_CHANGED"},
		{version: "zigzag", args: []string{"-wire"}, refused: "FIELD_TYPE_CHANGED"},
		{version: "base"},
	}},
}

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "restore:", err)
		os.Exit(1)
	}
}

// run tells all stories, and fails where one ends otherwise.
func run(out io.Writer) error {
	dir, err := os.MkdirTemp("", "restore")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, version := range []string{"base", "added", "widened", "zigzag"} {
		build := exec.Command("go", "build", "-buildvcs=false", "-o", filepath.Join(dir, version), versions+version)
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("building %s: %w", version, err)
		}
	}
	for i, s := range stories {
		fmt.Fprintf(out, "%s:\n", s.title)
		state := filepath.Join(dir, fmt.Sprint("state", i))
		if err := os.Mkdir(state, 0o755); err != nil {
			return err
		}
		if err := s.run(out, dir, state); err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	return nil
}

func (s story) run(out io.Writer, programs, state string) error {
	digest := "" // of the first version that has restored; all others must give the same
	for _, step := range s.steps {
		before, err := contents(state)
		if err != nil {
			return err
		}
		cmd := exec.Command(filepath.Join(programs, step.version), append(step.args, state)...)
		output, err := cmd.CombinedOutput()
		text := string(output)
		fmt.Fprintf(out, "  %-32s %s", strings.Join(append([]string{step.version}, step.args...), " "), firstLines(text))
		var exit *exec.ExitError
		refused := errors.As(err, &exit) && exit.ExitCode() == 1
		switch {
		case err != nil && !refused:
			return fmt.Errorf("%s: %w\n%s", step.version, err, text)
		case refused != (step.refused != ""):
			return fmt.Errorf("%s: refused is %v\n%s", step.version, refused, text)
		case refused && !strings.Contains(text, "break "+step.refused+" at shop.v1.Order number 3 (amount)"):
			return fmt.Errorf("%s: refused for another reason\n%s", step.version, text)
		}
		after, err := contents(state)
		if err != nil {
			return err
		}
		if refused && !bytes.Equal(before, after) {
			return fmt.Errorf("%s: refused, but it has changed the state", step.version)
		}
		if got := bytes.Count(after, []byte(s.keeps)); got != 1000 {
			return fmt.Errorf("%s: %d records hold %q, not all", step.version, got, s.keeps)
		}
		if restored, ok := strings.CutPrefix(text, "restored 1000, digest "); ok {
			if digest == "" {
				digest = restored
			}
			if restored != digest {
				return fmt.Errorf("%s: other values: digest %s, before %s", step.version, restored, digest)
			}
		} else if !refused && len(step.args) == 0 {
			return fmt.Errorf("%s: not restored\n%s", step.version, text)
		}
	}
	return nil
}

// contents returns all that is in a folder.
func contents(dir string) ([]byte, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var all []byte
	for _, entry := range entries {
		b, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		all = append(append(all, entry.Name()...), b...)
	}
	return all, nil
}

// firstLines returns a text up to its second paragraph's first line, which names the first break.
func firstLines(text string) string {
	lines := strings.SplitN(text, "\n", 4)
	if len(lines) < 4 {
		return text
	}
	return lines[0] + "\n    " + lines[2] + "\n"
}
