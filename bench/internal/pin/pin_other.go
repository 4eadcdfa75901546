//go:build !linux

package pin

import (
	"errors"
	"runtime"
)

// Pin returns an error, since it knows no way.
func Pin() (int, error) {
	return 0, errors.New("not implemented for " + runtime.GOOS)
}
