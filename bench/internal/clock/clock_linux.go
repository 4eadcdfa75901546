package clock

import "golang.org/x/sys/unix"

// Name says what Now returns.
const Name = "processor time of the process"

// Now returns nanoseconds. Processor time leaves out what other processes take from
// the core.
func Now() int64 {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &ts); err != nil {
		panic(err)
	}
	return ts.Nano()
}
