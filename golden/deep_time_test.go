//go:build !race

// The race detector makes copies many times slower, and other code even more so.

package golden_test

import (
	"math"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	flinkser "github.com/flinkser/flinkser/runtime"
)

// race returns the best time of each of two messages over some rounds, in which they are
// written by turns, so that what else the machine does concerns both.
func race(t *testing.T, s *flinkser.Serializer[proto.Message], rounds int, a, b proto.Message) (time.Duration, time.Duration) {
	var dst []byte
	write := func(m proto.Message) time.Duration {
		start := time.Now()
		out, err := s.AppendPayload(dst[:0], m)
		if err != nil {
			t.Fatal(err)
		}
		dst = out
		return time.Since(start)
	}
	write(b) // takes the memory
	bestA, bestB := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for range rounds {
		bestA, bestB = min(bestA, write(a)), min(bestB, write(b))
	}
	return bestA, bestB
}

// TestDeepTime checks that the levels around a large content cost nothing to speak of. Under
// few levels the content is moved, up to 8 times; under more of them it is written twice.
func TestDeepTime(t *testing.T) {
	const size = 60 << 20
	usual, thousands := serializer(t), serializer(t, flinkser.WithLimits(flinkser.ProtobufLimits))
	for _, c := range []struct {
		levels int
		s      *flinkser.Serializer[proto.Message]
		most   time.Duration // times that of 2 levels
	}{{8, usual, 12}, {98, usual, 6}, {9_000, thousands, 6}} {
		for _, f := range forms {
			few, many := race(t, c.s, 5, f.of(deepNode(2, size)), f.of(deepNode(c.levels, size)))
			t.Logf("%s: %v with 2 levels, %v with %d", f.name, few, many, c.levels)
			if many > c.most*few {
				t.Errorf("%s: %v with %d levels, more than %d times the %v with 2", f.name, many, c.levels, c.most, few)
			}
		}
	}
}

// TestDeepTimeOfLevels checks that the time is in proportion to the levels where there are
// thousands of them.
func TestDeepTimeOfLevels(t *testing.T) {
	s := serializer(t, flinkser.WithLimits(flinkser.ProtobufLimits))
	for _, f := range forms {
		few, many := race(t, s, 30, f.of(deepNode(600, 20_000)), f.of(deepNode(9_600, 20_000)))
		t.Logf("%s: %v with 600 levels, %v with 9600", f.name, few, many)
		// 16 times the levels: a quadratic time would be 256 times as long.
		if many > 80*few {
			t.Errorf("%s: %v with 9600 levels, %v with 600", f.name, many, few)
		}
	}
}
