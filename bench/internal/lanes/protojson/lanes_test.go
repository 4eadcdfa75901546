package protojson

import (
	"testing"

	"github.com/flinkser/flinkser/bench/internal/lanes/internal/lanetest"
)

func TestLanes(t *testing.T) { lanetest.Gate(t, Lanes(), "protojson") }
