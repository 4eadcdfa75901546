package protobufgo

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/flinkser/flinkser/bench/internal/lanes/internal/lanetest"
	pb "github.com/flinkser/flinkser/bench/pb/open"
	flinkser "github.com/flinkser/flinkser/runtime"
)

func TestListed(t *testing.T) { lanetest.Listed(t, Lanes()) }

// TestElements checks that the lane with guards refuses as many elements as this project's code
// does by default, and the lane without them any number.
func TestElements(t *testing.T) {
	for _, c := range []struct {
		elements int
		want     error
	}{{131_072, nil}, {131_073, errTooMany}} {
		payload := bytes.Repeat([]byte{0x0a, 0}, c.elements) // empty resource_spans
		frame := append(binary.BigEndian.AppendUint32(nil, uint32(len(payload))), payload...)
		for _, g := range []struct {
			guards
			want error
		}{{guarded, c.want}, {unguarded, nil}} {
			lane := messages(g.guards, infallible(buildBatch), valueOfBatch, readBatch, mutateBatch, depthOfBatch)
			if _, err := lane.Decode(frame); !errors.Is(err, g.want) {
				t.Errorf("%d elements with %+v: %v, want %v", c.elements, g.guards, err, g.want)
			}
		}
		s, err := flinkser.New[*pb.Batch]()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Decode(frame, new(pb.Batch)); (err == nil) != (c.want == nil) || err != nil && !errors.Is(err, flinkser.ErrBudget) {
			t.Errorf("%d elements: flinkser returns %v", c.elements, err)
		}
	}
}
