//go:build worker

package main

import (
	"context"
	"errors"
	"io"
)

// drive is left out of the programs that are measured: the packages that it needs would
// give the collector more to look at in every cycle than the lanes do.
func drive(context.Context, options, io.Writer, io.Writer) error {
	return errors.New("this program can only measure in its own process: -worker")
}
