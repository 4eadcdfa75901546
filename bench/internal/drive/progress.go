package drive

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// progress says on stderr what is going on. On a terminal it keeps to one line.
type progress struct {
	out      io.Writer
	terminal bool
	start    time.Time
	last     time.Time
}

func newProgress(out io.Writer) *progress {
	f, ok := out.(*os.File)
	return &progress{out: out, terminal: ok && term.IsTerminal(int(f.Fd())), start: time.Now()}
}

// say prints a line of its own.
func (p *progress) say(format string, args ...any) {
	p.print(fmt.Sprintf(format, args...))
	p.last = time.Time{}
}

// now and then prints where a long row of steps is: on a terminal every one, otherwise every ten
// seconds.
func (p *progress) step(format string, args ...any) {
	if !p.terminal && time.Since(p.last) < 10*time.Second {
		return
	}
	p.last = time.Now()
	p.print(fmt.Sprintf(format, args...))
}

func (p *progress) print(line string) {
	passed := time.Since(p.start).Round(time.Second)
	if p.terminal {
		fmt.Fprintf(p.out, "\r\033[K%8v  %s", passed, line)
		return
	}
	fmt.Fprintf(p.out, "%8v  %s\n", passed, line)
}

// end closes the line of a terminal.
func (p *progress) end() {
	if p.terminal {
		fmt.Fprintln(p.out)
	}
}

// left estimates the time that is left from what was done since begin.
func left(begin time.Time, done, all int) string {
	if done == 0 {
		return "unknown time left"
	}
	each := time.Since(begin) / time.Duration(done)
	return (each * time.Duration(all-done)).Round(time.Second).String() + " left"
}
