package golden_test

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"testing"
)

//go:embed testdata/wire.ids
var wireIDs string

//go:embed testdata/traps.ids
var trapIDs string

// listed returns the lines of a committed list, without those for the reader alone.
func listed(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

// checkTable compares the ids of the subtests that there are with those of a table: none is
// missing, none is there twice, and none of a row that does not exist.
func checkTable(t *testing.T, got, want []string) {
	t.Helper()
	if slices.Equal(got, want) {
		return
	}
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

// TestWireTable compares the subtests of TestWire with the rows of the table.
func TestWireTable(t *testing.T) {
	want := listed(wireIDs)
	var got []string
	for _, r := range rows() {
		got = append(got, r.id)
	}
	checkTable(t, got, want)
	if len(want) != 87 {
		t.Errorf("the table has %d rows, want 87", len(want))
	}
}

// TestTrapTable does the same for TestTrap. Some of the traps are about the generator alone:
// they have their test in its folder, where a test like this one compares them.
func TestTrapTable(t *testing.T) {
	var got, want []string
	for n, line := range listed(trapIDs) {
		id, pkg, _ := strings.Cut(line, " ")
		if id != strconv.Itoa(n+1) || pkg != "golden" && pkg != "gen" {
			t.Errorf("line %d is %q", n+1, line)
		}
		if pkg == "golden" {
			want = append(want, id)
		}
	}
	for _, r := range traps() {
		got = append(got, r.id)
	}
	checkTable(t, got, want)
	if n := len(listed(trapIDs)); n != 25 {
		t.Errorf("the table has %d traps, want 25", n)
	}
}
