package pin

import (
	"fmt"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// Pin starts this program again so that all of its threads stay on one core, and does
// not return then. Where it may use only one core anyway, it returns the number of it.
func Pin() (int, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return 0, fmt.Errorf("cannot read the set of cores: %w", err)
	}
	// The last core: the first often serves most interrupts.
	last := 0
	for core := range 64 * len(set) {
		if set.IsSet(core) {
			last = core
		}
	}
	if set.Count() == 1 {
		return last, nil
	}
	var one unix.CPUSet
	one.Set(last)
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		return 0, fmt.Errorf("cannot pin to core %d: %w", last, err)
	}
	// That holds for this thread alone. A program that it starts inherits it with all
	// its threads.
	bin, err := os.Executable()
	if err == nil {
		err = unix.Exec(bin, os.Args, os.Environ())
	}
	return 0, fmt.Errorf("cannot start again: %w", err)
}
