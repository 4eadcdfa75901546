package golden_test

import (
	_ "embed"
	"slices"
	"strings"
	"testing"
)

//go:embed testdata/wire.ids
var wireIDs string

// TestWireTable compares the subtests of TestWire with the rows of the table: none is
// missing, none is there twice, and none of a row that does not exist.
func TestWireTable(t *testing.T) {
	var want, excepted []string
	for line := range strings.Lines(wireIDs) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		id, reason, skipped := strings.Cut(line, " ")
		if slices.Contains(want, id) || slices.Contains(excepted, id) {
			t.Errorf("%s is listed twice", id)
		}
		switch {
		case !skipped:
			want = append(want, id)
		case !strings.HasPrefix(reason, "needs "):
			t.Errorf("%s: %q gives no reason", id, reason)
		default:
			excepted = append(excepted, id)
			t.Logf("%s has no test: it %s", id, reason)
		}
	}
	var got []string
	for _, r := range rows() {
		got = append(got, r.id)
	}
	if !slices.Equal(got, want) {
		for _, id := range want {
			if !slices.Contains(got, id) {
				t.Errorf("row %s has no test", id)
			}
		}
		for _, id := range got {
			if !slices.Contains(want, id) {
				t.Errorf("test %s is of no row of the table", id)
			}
		}
		t.Errorf("tests of the rows\n%v want\n%v", got, want)
	}
	if len(want) != 75 || len(excepted) != 12 {
		t.Errorf("the table has %d rows with a test and %d without, want 75 and 12", len(want), len(excepted))
	}
}
