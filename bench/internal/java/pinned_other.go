//go:build !linux

package java

import "context"

// runPinned is run: there is no way here to keep a program on one core.
func (p *Project) runPinned(ctx context.Context, args ...string) (lines [][]byte, core int, err error) {
	lines, err = p.run(ctx, args...)
	return lines, -1, err
}
