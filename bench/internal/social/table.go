package social

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/flinkser/flinkser/bench/internal/suite"
)

// File is the name of the table in the folder of a run.
const File = "social.csv"

// row is a line of the table: the two cells of a lane.
type row struct{ cells [2]*Cell }

// rows joins the cells, formats first and runtimes within them, in the order in which these come.
// A cell that is alone, twice there or of an unknown format is an error.
func rows(cells []Cell) ([]row, error) {
	type key struct{ runtime, format, lane string }
	var order []key
	found := map[key]*row{}
	for i := range cells {
		c := &cells[i]
		d := slices.Index(Directions(), c.Direction)
		if d < 0 || !slices.Contains(Formats(), c.Format) {
			return nil, fmt.Errorf("there is no cell %s, %s", c.Format, c.Direction)
		}
		k := key{c.Runtime, c.Format, c.Lane}
		r := found[k]
		if r == nil {
			r = &row{}
			found[k] = r
			order = append(order, k)
		}
		if r.cells[d] != nil {
			return nil, fmt.Errorf("%s, %s, lane %q, %s is there twice", c.Runtime, c.Format, c.Lane, c.Direction)
		}
		r.cells[d] = c
	}
	slices.SortStableFunc(order, func(a, b key) int {
		return slices.Index(Formats(), a.format) - slices.Index(Formats(), b.format)
	})
	var all []row
	for _, k := range order {
		r := found[k]
		for d, c := range r.cells {
			if c == nil {
				return nil, fmt.Errorf("%s, %s, lane %q: %s is missing", k.runtime, k.format, k.lane, Directions()[d])
			}
		}
		all = append(all, *r)
	}
	return all, nil
}

// header is the first line of the CSV file.
var header = []string{
	"runtime", "format", "lane", "bytes", "serialize_min_ns", "serialize_avg_ns", "serialize_median_ns",
	"deserialize_min_ns", "deserialize_avg_ns", "deserialize_median_ns", "calls",
}

// WriteCSV writes the table, with all digits that there are.
func WriteCSV(w io.Writer, cells []Cell) error {
	all, err := rows(cells)
	if err != nil {
		return err
	}
	out := csv.NewWriter(w)
	if err := out.Write(header); err != nil {
		return err
	}
	for _, r := range all {
		first := r.cells[0]
		line := []string{first.Runtime, first.Format, first.Lane, digits(first.Size)}
		for _, c := range r.cells {
			line = append(line, digits(c.Min), digits(c.Mean), digits(c.Median))
		}
		if err := out.Write(append(line, strconv.Itoa(first.Calls.Calls))); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func digits(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// WriteMarkdown writes the table for readers.
func WriteMarkdown(w io.Writer, cells []Cell) error {
	all, err := rows(cells)
	if err != nil {
		return err
	}
	text := "| runtime | format | lane | bytes | serialize min | avg | median | deserialize min | avg | median |\n" +
		"|---|---|---|--:|--:|--:|--:|--:|--:|--:|\n"
	for _, r := range all {
		first := r.cells[0]
		text += fmt.Sprintf("| %s | %s | %s | %.1f |", first.Runtime, first.Format, first.Lane, first.Size)
		for _, c := range r.cells {
			text += fmt.Sprintf(" %.0f ns | %.0f ns | %.0f ns |", c.Min, c.Mean, c.Median)
		}
		text += "\n"
	}
	_, err = io.WriteString(w, text+"\n"+note)
	return err
}

// note says what the figures are.
var note = fmt.Sprintf("Bytes are the mean of %d posts, without a frame. A time is that of one call: the look at the clock is in it, which is a\n"+
	"part of short ones, and in the mean what other programs took of the core. Go and Java are two runtimes on one machine:\n"+
	"their times are no measure of the formats.\n", suite.Size)
