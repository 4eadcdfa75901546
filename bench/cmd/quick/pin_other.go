//go:build !linux

package main

import (
	"errors"
	"runtime"
)

// pin returns an error, since it knows no way.
func pin() (int, error) {
	return 0, errors.New("not implemented for " + runtime.GOOS)
}
