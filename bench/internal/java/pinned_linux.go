package java

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// runPinned is run on one core, whose number it returns, or -1 where the system does not allow that.
func (p *Project) runPinned(ctx context.Context, args ...string) (lines [][]byte, core int, err error) {
	cmd := p.command(ctx, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	core, err = startPinned(cmd)
	if err == nil {
		err = cmd.Wait()
	}
	if err != nil {
		return nil, core, fmt.Errorf("java %s: %w: %s", strings.Join(args, " "), err, tail(stderr.Bytes()))
	}
	return bytes.Split(bytes.TrimSpace(stdout.Bytes()), []byte("\n")), core, nil
}

// startPinned starts a program from a thread that may use one core only: the program inherits that. The core is the one
// on which the Go lanes run.
func startPinned(cmd *exec.Cmd) (core int, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var all, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		return -1, cmd.Start()
	}
	for c := range 64 * len(all) {
		if all.IsSet(c) {
			core = c
		}
	}
	one.Set(core)
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		return -1, cmd.Start()
	}
	err = cmd.Start()
	if undo := unix.SchedSetaffinity(0, &all); err == nil && undo != nil {
		// This thread cannot go back to the others as it is: it ends with its goroutine.
		runtime.LockOSThread()
	}
	return core, err
}
