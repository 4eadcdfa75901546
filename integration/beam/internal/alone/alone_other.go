//go:build !linux

package alone

import (
	"fmt"
	"os"
	"testing"
)

func run(m *testing.M, setup func()) int {
	fmt.Fprintln(os.Stderr, "no network namespaces on this system, so Prism and Flink listen on all interfaces")
	setup()
	return m.Run()
}
