package main

import (
	"io"
	"os"
	"strings"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// isTerminal reports whether a stream is shown to somebody.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// colour marks the levels of a verdict, on a terminal only.
func colour(w io.Writer, text string) string {
	if !isTerminal(w) || os.Getenv("NO_COLOR") != "" {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		for prefix, code := range map[string]string{
			"break ": "\x1b[31m", "warning ": "\x1b[33m", "note ": "\x1b[36m", "compatible": "\x1b[32m", "incompatible": "\x1b[31m",
		} {
			if rest, ok := strings.CutPrefix(line, prefix); ok {
				lines[i] = code + prefix + "\x1b[0m" + rest
			}
		}
	}
	return strings.Join(lines, "")
}

// progress returns a reader that shows how far a file of a size is read, with the time left, if anybody
// looks and the file is long.
func progress(r io.Reader, size int64, stderr io.Writer) io.Reader {
	const long = 32 << 20
	if size < long || !isTerminal(stderr) {
		return r
	}
	bar := progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(stderr), progressbar.OptionShowBytes(true),
		progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(200_000_000))
	wrapped := progressbar.NewReader(r, bar)
	return &wrapped
}
