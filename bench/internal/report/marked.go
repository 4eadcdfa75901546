package report

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/flinkser/flinkser/bench/internal/results"
	"github.com/flinkser/flinkser/bench/internal/rundir"
)

// Marked tables stand in Markdown files between two comments, of which the first says what the
// table is and which run it is made from, by a path from the file:
//
//	<!-- bench summary bench/runs/NAME.tar.gz -->
//	<!-- /bench -->
var marked = regexp.MustCompile(`(?s)<!-- bench ([a-z]+) (\S+) -->\n(.*?)<!-- /bench -->`)

// opening matches the beginning of a marked table, however the rest of it may look.
var opening = regexp.MustCompile(`<!-- /?bench[ >]`)

// FillTables returns the text of a Markdown file with all its marked tables made anew. A file
// without any is an error.
func FillTables(file string, text []byte) ([]byte, error) {
	found := marked.FindAll(text, -1)
	if n := len(opening.FindAll(text, -1)); len(found) == 0 || n != 2*len(found) {
		return nil, fmt.Errorf("%s: no table is marked with <!-- bench KIND RUN --> and <!-- /bench -->, or one is not closed", file)
	}
	var failed error
	out := marked.ReplaceAllFunc(text, func(block []byte) []byte {
		m := marked.FindSubmatch(block)
		kind, run := string(m[1]), string(m[2])
		table, err := markedTable(file, kind, run)
		if err != nil && failed == nil {
			failed = fmt.Errorf("%s: %w", file, err)
		}
		return fmt.Appendf(nil, "<!-- bench %s %s -->\n\n%s\n<!-- /bench -->", kind, run, table)
	})
	return out, failed
}

// markedTable makes one table.
func markedTable(file, kind, name string) ([]byte, error) {
	files, err := rundir.Open(filepath.Join(filepath.Dir(file), filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	run, err := results.Read(files)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	b := &builder{run: run, files: files, parity: map[[2]string]results.Parity{}, goals: map[[2]string]results.Goal{}}
	if err := b.calculate(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var tables []Table
	switch kind {
	case "summary":
		t, err := b.summaryTable()
		if err != nil {
			return nil, err
		}
		tables = []Table{t}
	case "goals":
		tables = []Table{b.goalsTable()}
	case "java":
		tables = b.javaTables()
	case "lanes":
		tables = []Table{b.lanesTable()}
	default:
		return nil, fmt.Errorf("there is no table %q: summary, goals, java, lanes", kind)
	}
	var out strings.Builder
	for _, t := range tables {
		t.markdown(&out)
	}
	fmt.Fprintf(&out, "\nFrom [%s](%s): %s.\n", path.Base(name), name, plain(strings.Join(b.facts(), ", ")))
	return bytes.TrimLeft([]byte(out.String()), "\n"), nil
}

// summaryTable is that of the README: writing and reading, beside the best safe peer.
func (b *builder) summaryTable() (Table, error) {
	t := Table{Head: []string{"workload", "write", "best safe peer", "read", "best safe peer", "read into the same message"}}
	for _, w := range b.run.Workloads() {
		cells := []Cell{name(w)}
		for _, op := range []string{"serialize", "deserialize"} {
			g := b.goals[[2]string{w, op}]
			peer := num("–")
			if g.Best != "" {
				e, err := b.run.Estimate(g.Best, results.Baseline, w, op)
				if err != nil {
					return t, err
				}
				peer = num(ratioText(e.Ratio) + " " + g.Best)
				peer.Sub = b.peer(g.Best).Sub
			}
			cells = append(cells, num(estimateText(g.ToBaseline)), peer)
		}
		e, err := b.run.Across(w, results.Reuse, "deserializeReuse", results.Baseline, "deserialize")
		if err != nil {
			return t, err
		}
		t.Rows = append(t.Rows, append(cells, num(estimateText(e))))
	}
	return t, nil
}

// goalsTable has a row for every cell.
func (b *builder) goalsTable() Table {
	t := Table{Head: []string{"workload", "operation", "to protobuf-go", "best safe peer", "to that peer", "verdict"}}
	for _, g := range b.ordered {
		t.Rows = append(t.Rows, []Cell{
			name(g.Workload), name(g.Operation), num(estimateText(g.ToBaseline)), b.peer(g.Best), num(estimateText(g.ToBest)), verdictCell(g.Verdict),
		})
	}
	return t
}
