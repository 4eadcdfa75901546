package social

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"github.com/flinkser/flinkser/bench/internal/java"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// TestGo measures for a moment and looks at what must hold of any figures.
func TestGo(t *testing.T) {
	if testing.Short() {
		t.Skip("with -short no programs are built: the lanes of the social table are not run")
	}
	// What the caller has set for his own programs does not reach the compiler, nor the lanes.
	t.Setenv("GOEXPERIMENT", "nothing")
	t.Setenv("GOGC", "nothing")
	var progress strings.Builder
	cells, err := Go(t.Context(), Smoke, &progress)
	if err != nil {
		t.Fatal(err)
	}
	if len(cells) != 2*len(lanes) {
		t.Fatalf("there are %d cells, want %d", len(cells), 2*len(lanes))
	}
	sizes := map[string]float64{}
	for _, c := range cells {
		if c.Runtime != "go" || c.Calls.Calls != Smoke.Calls {
			t.Errorf("%+v is not a cell of Go with %d calls", c, Smoke.Calls)
		}
		if c.Min <= 0 || c.Min > c.Median || c.Min > c.Mean {
			t.Errorf("%s %s: the least time %g is not the least of it, the median %g and the mean %g", c.Lane, c.Direction, c.Min, c.Median, c.Mean)
		}
		sizes[c.Lane] = c.Size
	}
	// The Java lanes write posts of the same size.
	for lane, want := range map[string]float64{"ours": 764, "protobuf-go": 764, "avro-twmb-specific": 719} {
		if sizes[lane] != want {
			t.Errorf("lane %s: a post takes %g bytes, want %g", lane, sizes[lane], want)
		}
	}
	for _, l := range lanes {
		if !strings.Contains(progress.String(), l.name+"\n") {
			t.Errorf("progress does not name the lane %s", l.name)
		}
	}
	var out strings.Builder
	if err := WriteCSV(&out, cells); err != nil {
		t.Error(err)
	}
	all, err := csv.NewReader(strings.NewReader(out.String())).ReadAll()
	if err != nil || len(all) != 1+len(lanes) {
		t.Errorf("the table has %d lines and error %v, want %d and none", len(all), err, 1+len(lanes))
	}
}

// TestFromJava checks the table of cells as Java gives them.
func TestFromJava(t *testing.T) {
	var cells []Cell
	for _, d := range Directions() {
		c := fromJava(&java.SocialCell{Format: AvroJSON, Direction: d, Size: 9, Min: 1, Avg: 3, Median: 2, Calls: 4})
		cells = append(cells, c)
	}
	var out strings.Builder
	if err := WriteCSV(&out, cells); err != nil || !strings.HasSuffix(out.String(), "\njava,avro-json,,9,1,3,2,1,3,2,4\n") {
		t.Errorf("the table is\n%s\nerror %v", out.String(), err)
	}
	if !slices.Equal(java.SocialFormats(), Formats()) {
		t.Errorf("Java has the formats %q, and Go %q", java.SocialFormats(), Formats())
	}
}

func cell(runtime, format, lane, direction string, ns float64) Cell {
	return Cell{runtime, format, lane, direction, 700.5, suite.Calls{Min: ns, Mean: ns + 2, Median: ns + 1, Calls: 10}}
}

func TestTables(t *testing.T) {
	cells := []Cell{
		cell("go", Protobuf, "ours", suite.Serialize, 100), cell("go", Protobuf, "ours", suite.Deserialize, 200),
		cell("go", JSON, "json", suite.Deserialize, 400), cell("go", JSON, "json", suite.Serialize, 300),
		cell("java", Protobuf, "", suite.Serialize, 500), cell("java", Protobuf, "", suite.Deserialize, 600),
	}
	var out strings.Builder
	if err := WriteCSV(&out, cells); err != nil {
		t.Fatal(err)
	}
	const want = `runtime,format,lane,bytes,serialize_min_ns,serialize_avg_ns,serialize_median_ns,deserialize_min_ns,deserialize_avg_ns,deserialize_median_ns,calls
go,json,json,700.5,300,302,301,400,402,401,10
go,protobuf,ours,700.5,100,102,101,200,202,201,10
java,protobuf,,700.5,500,502,501,600,602,601,10
`
	if out.String() != want {
		t.Errorf("the table is\n%s\nwant\n%s", out.String(), want)
	}
	out.Reset()
	if err := WriteMarkdown(&out, cells); err != nil {
		t.Fatal(err)
	}
	const line = "| go | protobuf | ours | 700.5 | 100 ns | 102 ns | 101 ns | 200 ns | 202 ns | 201 ns |\n"
	if !strings.Contains(out.String(), line) {
		t.Errorf("no line %q in\n%s", line, out.String())
	}
	for _, bad := range [][]Cell{
		cells[:1],
		append(cells[:2:2], cells[0]),
		{cell("go", "xml", "x", suite.Serialize, 1)},
		{cell("go", JSON, "x", suite.ObjectCopy, 1)},
	} {
		if err := WriteCSV(&out, bad); err == nil {
			t.Errorf("%+v gives a table", bad)
		}
		if err := WriteMarkdown(&out, bad); err == nil {
			t.Errorf("%+v gives a table for readers", bad)
		}
	}
}
