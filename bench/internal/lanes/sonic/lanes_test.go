package sonic

import (
	"math"
	"testing"

	"github.com/bytedance/sonic"

	"github.com/flinkser/flinkser/bench/internal/lanes/internal/lanetest"
	"github.com/flinkser/flinkser/bench/internal/lanes/plain"
)

func TestLanes(t *testing.T) { lanetest.Gate(t, Lanes(), "sonic", "sonic-fastest") }

// TestFault fails when the library does no longer what the lanes say that it gets wrong.
func TestFault(t *testing.T) {
	c := codec(sonic.ConfigDefault, 0)
	zero := math.Copysign(0, -1)
	line, err := c.Append(nil, &plain.Wide{F13: &zero})
	if err != nil {
		t.Fatal(err)
	}
	var m plain.Wide
	if err := c.Unmarshal(line, &m); err != nil || m.F13 == nil {
		t.Fatalf("%s is read as %v, with error %v", line, m.F13, err)
	}
	if math.Signbit(*m.F13) {
		t.Errorf("%s is read with the negative zero: the fault is gone, and with it what the lanes say", line)
	}
}
