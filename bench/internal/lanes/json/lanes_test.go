package json

import (
	"strings"
	"testing"

	"github.com/flinkser/flinkser/bench/internal/lanes/internal/lanetest"
	"github.com/flinkser/flinkser/bench/internal/lanes/internal/lines"
	"github.com/flinkser/flinkser/bench/internal/lanes/plain"
)

func TestLanes(t *testing.T) { lanetest.Gate(t, Lanes(), "json", "json-v2") }

// TestChecks compares what the lanes say that they check with what they do.
func TestChecks(t *testing.T) {
	deep := `{"unknown":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + "}\n"
	for i, c := range []lines.Codec{first(), second()} {
		l := Lanes()[i]
		if err := c.Unmarshal([]byte("{\"name\":\"a\xff\"}\n"), new(plain.Record)); (err != nil) != l.Checks.UTF8 {
			t.Errorf("lane %s: a string that is not UTF-8 gives the error %v", l.Name, err)
		}
		if err := c.Unmarshal([]byte(deep), new(plain.Record)); (err != nil) != l.Checks.Depth {
			t.Errorf("lane %s: 20,000 levels give the error %v", l.Name, err)
		}
	}
}
