package social

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/flinkser/flinkser/bench/internal/java"
)

// TestJava measures for a moment. The sizes are those of the Go lanes: the same posts, names of fields and
// schemas.
func TestJava(t *testing.T) {
	cells, err := Java(t.Context(), java.Smoke, io.Discard)
	if errors.Is(err, java.ErrMissing) {
		t.Skip("the social table of Java is not made: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[string]float64{JSON: 1211, Protobuf: 764, AvroJSON: 1211, AvroBinary: 719}
	for _, c := range cells {
		if c.Runtime != "java" || c.Calls.Calls <= 0 || c.Min <= 0 || c.Min > c.Median || c.Min > c.Mean {
			t.Errorf("the cell is %+v", c)
		}
		if c.Size != sizes[c.Format] {
			t.Errorf("%s: a post has %g bytes, want %g", c.Format, c.Size, sizes[c.Format])
		}
	}
	var out strings.Builder
	if err := WriteMarkdown(&out, cells); err != nil || strings.Count(out.String(), "| java |") != len(Formats()) {
		t.Errorf("the table is\n%s%v", out.String(), err)
	}
}
