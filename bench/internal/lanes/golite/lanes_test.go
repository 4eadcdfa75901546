package golite

import (
	"testing"

	"github.com/flinkser/flinkser/bench/internal/lanes/internal/lanetest"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

func TestLanes(t *testing.T) {
	lanetest.Gate(t, Lanes(), "protobuf-go-lite", "protobuf-go-lite-unsafe")
}

// TestCopiesOnto checks that a copy onto a message is answered as other lanes do whose libraries
// copy into new messages only.
func TestCopiesOnto(t *testing.T) {
	for _, l := range Lanes() {
		if reason, ok, err := l.Workloads[suite.Social].Supported(suite.ObjectCopyReuse); !ok || err != nil {
			t.Errorf("%s: %s, %v", l.Name, reason, err)
		}
	}
}
