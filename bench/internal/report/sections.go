package report

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/flinkser/flinkser/bench/internal/results"
)

// targetSection shows the goals of the project.
func (b *builder) targetSection() (Section, error) {
	s := Section{ID: "goals", Title: "Goals", Short: "Goals"}
	n := map[string]int{}
	t := Table{Head: []string{"workload", "operation", "lane", "compared with", "at most", "shown", "verdict"}, Caption: "Every goal"}
	left := 0
	for _, g := range b.targets {
		if g.Verdict == results.Unsupported {
			left++
			continue
		}
		n[g.Verdict]++
		reference := name(g.Reference)
		if g.ReferenceOperation != g.Operation {
			reference.Sub = g.ReferenceOperation
		}
		t.Rows = append(t.Rows, []Cell{
			name(g.Workload), name(g.Operation), name(g.Lane), reference, num(ratioText(g.AtMost)),
			exact(g.Ratio, "target/"+g.Workload+"/"+g.Operation+"/"+g.Lane+"/"+g.Reference), verdictCell(g.Verdict),
		})
	}
	if len(t.Rows) == 0 {
		return Section{}, nil
	}
	s.Text = []string{
		"The project has set itself a largest ratio for cells that matter, before they were reached. " +
			"A goal is met when the whole interval is at or below it, missed when the whole interval is above it.",
	}
	if b.run.Blocks == results.Blocks {
		s.Text = append(s.Text, fmt.Sprintf("%d of %d are met, %d missed, %d open.", n[results.Established], len(t.Rows), n[results.Missed], n[results.Inconclusive]))
	}
	if left > 0 {
		s.Text = append(s.Text, count(left, "further goal")+" of these workloads and operations cannot be judged, since the run has not measured both lanes; targets.csv lists them.")
	}
	s.Parts = []Part{{Fold: count(len(t.Rows), "goal"), Tables: []Table{t}}}
	return s, nil
}

// memory shows what is allocated on reading.
func (b *builder) memory() (Section, error) {
	s := Section{
		ID: "memory", Title: "Allocation", Short: "Memory",
		Text: []string{"Bytes allocated by reading one record into a new message. Less is better: each byte has to be found again by the collector."},
	}
	const op = "deserialize"
	var part Part
	for _, w := range b.run.Workloads() {
		var rows []bar
		for i := range b.run.Lanes {
			l := &b.run.Lanes[i]
			if l.Role == results.RoleJava || !b.run.Has(l.Name, w, op) {
				continue
			}
			_, n, allocs := b.run.Mean(l.Name, w, op)
			rows = append(rows, bar{label: l.Name, value: allocationText(n, allocs), length: n, kind: kindOf(l)})
		}
		if len(rows) == 0 {
			continue
		}
		slices.SortStableFunc(rows, func(a, b bar) int { return cmp.Compare(a.length, b.length) })
		f, err := barFigure(w, barAlt(w+": bytes allocated on reading a record", rows), rows)
		if err != nil {
			return s, err
		}
		part.Figures = append(part.Figures, f)
	}
	if len(part.Figures) == 0 {
		return Section{}, nil
	}
	s.Parts = []Part{part}
	return s, nil
}

func barAlt(what string, rows []bar) string {
	var list []string
	for _, r := range rows {
		list = append(list, r.label+" "+r.value)
	}
	return what + ". " + strings.Join(list, ", ")
}

// sizes shows how long a record is in each format. Lanes of the same size share a bar.
func (b *builder) sizes() (Section, error) {
	s := Section{
		ID: "sizes", Title: "Encoded size", Short: "Size",
		Text: []string{"Mean bytes of a record, with what separates it from the next one. Lanes that come to the same size share a bar."},
	}
	var part Part
	table := Table{Caption: "Mean, least and most bytes", Head: []string{"lane", "workload", "mean", "least", "most"}}
	for _, w := range b.run.Workloads() {
		rows := b.sizeBars(w)
		if len(rows) == 0 {
			continue
		}
		f, err := barFigure(w, barAlt(w+": mean bytes of a record", rows), rows)
		if err != nil {
			return s, err
		}
		part.Figures = append(part.Figures, f)
		for i := range b.run.Lanes {
			if z := b.run.Size(b.run.Lanes[i].Name, w); z != nil {
				mean := num(trimmed(z.Mean, 2))
				mean.Key, mean.Value = "size/"+w+"/"+z.Lane, strconv.FormatFloat(z.Mean, 'f', -1, 64)
				table.Rows = append(table.Rows, []Cell{name(z.Lane), name(w), mean, num(trimmed(z.Min, 0)), num(trimmed(z.Max, 0))})
			}
		}
	}
	if len(part.Figures) == 0 {
		return Section{}, nil
	}
	s.Parts = []Part{part, {Fold: "All sizes", Tables: []Table{table}}}
	return s, nil
}

// sizeBars are the sizes of a workload, one bar for all lanes that have the same.
func (b *builder) sizeBars(w string) []bar {
	type group struct {
		lanes []*results.Lane
		mean  float64
	}
	groups := map[string]*group{}
	for i := range b.run.Lanes {
		l := &b.run.Lanes[i]
		z := b.run.Size(l.Name, w)
		if z == nil || z.Mean == 0 {
			continue
		}
		key := strconv.FormatFloat(z.Mean, 'f', 2, 64)
		if groups[key] == nil {
			groups[key] = &group{mean: z.Mean}
		}
		groups[key].lanes = append(groups[key].lanes, l)
	}
	var rows []bar
	for _, g := range groups {
		label, kind := g.lanes[0].Name, kindOf(g.lanes[0])
		if protobuf := slices.ContainsFunc(g.lanes, (*results.Lane).Safe); protobuf {
			label, kind = "protobuf", markNative
		}
		if n := len(g.lanes); n > 1 {
			label += fmt.Sprintf(" (%d lanes)", n)
		}
		rows = append(rows, bar{label: label, value: byteCount(g.mean), length: g.mean, kind: kind})
	}
	slices.SortFunc(rows, func(a, b bar) int {
		return cmp.Or(cmp.Compare(a.length, b.length), strings.Compare(a.label, b.label))
	})
	return rows
}

// growthFile has the columns dimension, operation, size, ns_per_op, allocated_bytes_per_op.
const growthFile = "growth.csv"

// slopeLimit is the largest slope that the project accepts over the upper two decades.
const slopeLimit = 1.15

// growth draws how time grows with the size of a message.
func (b *builder) growth() (Section, error) {
	rows, err := b.optional(growthFile)
	if err != nil || rows == nil {
		return Section{}, err
	}
	s := Section{
		ID: "growth", Title: "Growth", Short: "Growth",
		Text: []string{
			"Time of flinkser against the size of a message, both on logarithmic axes. The slope says how time grows: 1 is in proportion, 2 with the square. " +
				"Over the upper two decades it may be " + ratioText(slopeLimit) + " at most, or the run fails.",
		},
	}
	table := Table{Caption: "Slopes over the upper two decades", Head: []string{"dimension", "operation", "from", "to", "slope"}}
	var part Part
	for _, d := range ordered(rows, "dimension") {
		var list []curve
		for i, op := range ordered(d.rows, "operation") {
			c := curve{label: op.name, kind: []markKind{markNative, markPeer, markFormat, markLimit}[i%4]}
			for _, r := range op.rows {
				x, errX := strconv.ParseFloat(r["size"], 64)
				y, errY := strconv.ParseFloat(r["ns_per_op"], 64)
				if errX != nil || errY != nil || !(x > 0 && x < 1e18) || !(y >= 1e-9 && y < 1e18) {
					return s, fmt.Errorf("%s: %q is no point of a curve", growthFile, r)
				}
				c.x, c.y = append(c.x, x), append(c.y, y)
			}
			list = append(list, c)
			from, to, slope := steepness(c)
			cell := num(ratioText(slope))
			cell.Key, cell.Value = "slope/"+d.name+"/"+op.name, strconv.FormatFloat(slope, 'f', 4, 64)
			if slope > slopeLimit {
				cell.Class = "behind"
			}
			table.Rows = append(table.Rows, []Cell{name(d.name), name(op.name), num(short(from)), num(short(to)), cell})
		}
		f, err := growthFigure(d.name, growthAlt(d.name, list), cmp.Or(dimensions[d.name], "repetitions"), list)
		if err != nil {
			return s, err
		}
		f.Title = d.name + ": " + curveNames(list)
		part.Figures = append(part.Figures, f)
	}
	s.Parts = []Part{part, {Tables: []Table{table}}}
	return s, nil
}

// dimensions are what grows, in words.
var dimensions = map[string]string{
	"fields": "fields in the message", "list": "elements of the list", "map": "entries of the map", "bytes": "bytes in the field",
	"depth": "levels of nesting", "unknown": "unknown fields", "strings": "strings in the list", "messages": "messages in the list",
}

func curveNames(list []curve) string {
	marks := map[markKind]string{markNative: "●", markPeer: "■", markFormat: "▲", markLimit: "✕"}
	var names []string
	for _, c := range list {
		names = append(names, marks[c.kind]+" "+c.label)
	}
	return strings.Join(names, ", ")
}

func growthAlt(dimension string, list []curve) string {
	var parts []string
	for _, c := range list {
		_, _, slope := steepness(c)
		parts = append(parts, fmt.Sprintf("%s from %s to %s, slope %s", c.label, nanoseconds(c.y[0]), nanoseconds(c.y[len(c.y)-1]), ratioText(slope)))
	}
	return "Time against " + cmp.Or(dimensions[dimension], dimension) + ": " + strings.Join(parts, "; ")
}

// steepness returns the slope of the straight line through the points of the upper two decades, in
// logarithms.
func steepness(c curve) (from, to, slope float64) {
	to = slices.Max(c.x)
	from = to
	var n, sx, sy, sxx, sxy float64
	for i, x := range c.x {
		if x < to/100*.999 {
			continue
		}
		from = min(from, x)
		lx, ly := math.Log(x), math.Log(c.y[i])
		n, sx, sy, sxx, sxy = n+1, sx+lx, sy+ly, sxx+lx*lx, sxy+lx*ly
	}
	if d := n*sxx - sx*sx; d > 0 {
		slope = (n*sxy - sx*sy) / d
	}
	return from, to, slope
}

// group is the rows of a table with the same value in a column.
type group struct {
	name string
	rows []map[string]string
}

// ordered groups rows by a column, in the order in which the values appear.
func ordered(rows []map[string]string, column string) []group {
	var list []group
	for _, r := range rows {
		i := slices.IndexFunc(list, func(g group) bool { return g.name == r[column] })
		if i < 0 {
			i = len(list)
			list = append(list, group{name: r[column]})
		}
		list[i].rows = append(list[i].rows, r)
	}
	return list
}

// optional reads a table that a run may have, or returns nil.
func (b *builder) optional(file string) ([]map[string]string, error) {
	if _, err := fs.Stat(b.files, file); err != nil {
		return nil, nil
	}
	head, rows, err := readCSV(b.files, file)
	var list []map[string]string
	for _, row := range rows {
		m := map[string]string{}
		for i, column := range head {
			m[column] = row[i]
		}
		list = append(list, m)
	}
	return list, err
}

// largestTable is the size of the largest table that is read.
const largestTable = 16 << 20

func readCSV(files fs.FS, file string) (head []string, rows [][]string, err error) {
	info, err := fs.Stat(files, file)
	if err != nil {
		return nil, nil, err
	}
	if info.Size() > largestTable {
		return nil, nil, fmt.Errorf("%s: %d bytes are too many for a table", file, info.Size())
	}
	data, err := fs.ReadFile(files, file)
	if err != nil {
		return nil, nil, err
	}
	all, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil || len(all) == 0 {
		return nil, nil, fmt.Errorf("%s: no table: %w", file, err)
	}
	return all[0], all[1:], nil
}

// java shows ours beside the lanes of the other runtime, without ratios.
func (b *builder) java() (Section, error) {
	tables := b.javaTables()
	if len(tables) == 0 {
		return Section{}, nil
	}
	s := Section{
		ID: "java", Title: "Beside Java", Short: "Java",
		Text: []string{
			"Time for each record in two runtimes on one machine, in one run. It describes them, and is no race: they warm up, allocate and collect in different ways. " +
				"Copies are left out: Flink's copy of an immutable message is the message itself, where Go makes a deep copy.",
		},
	}
	rest := Part{Fold: "The other operations"}
	for _, t := range tables {
		if t.Caption == "serialize" || t.Caption == "deserialize" {
			s.Parts = append(s.Parts, Part{Tables: []Table{t}})
		} else {
			rest.Tables = append(rest.Tables, t)
		}
	}
	s.Parts = append(s.Parts, rest)
	return s, nil
}

// javaTables has a table for each operation that is no copy, or none if the other runtime was not
// measured.
func (b *builder) javaTables() []Table {
	var lanes []string
	for i := range b.run.Lanes {
		if l := &b.run.Lanes[i]; l.Role == results.RoleJava {
			lanes = append(lanes, l.Name)
		}
	}
	if len(lanes) == 0 {
		return nil
	}
	lanes = append([]string{results.Native}, lanes...)
	var tables []Table
	for _, op := range b.run.Operations() {
		if strings.Contains(op, "Copy") {
			continue
		}
		t := Table{Caption: op, Head: append([]string{"workload"}, lanes...)}
		measured := false
		for _, w := range b.run.Workloads() {
			cells := []Cell{name(w)}
			for _, l := range lanes {
				c := num("–")
				if b.run.Has(l, w, op) {
					measured = measured || l != results.Native
					ns, _, _ := b.run.Mean(l, w, op)
					c = num(nanoseconds(ns))
					c.Key, c.Value = "ns/"+w+"/"+op+"/"+l, strconv.FormatFloat(ns, 'f', -1, 64)
				}
				cells = append(cells, c)
			}
			t.Rows = append(t.Rows, cells)
		}
		if measured {
			tables = append(tables, t)
		}
	}
	return tables
}

// titles of tables that a run may have beside those of every run.
var titles = map[string]string{
	"firstuse.csv": "First use: what the first message of a type costs", "parallel.csv": "Several cores at once",
	"compile.csv": "Compile time and size of generated code", "retention.csv": "Bytes kept alive by keeping one small field",
	"heldout.csv": "Records that nothing was tuned on", "social.csv": "Size and time of a social media post in several formats",
}

// further shows whatever tables the run has that no other section shows.
func (b *builder) further() (Section, error) {
	known := []string{
		results.LanesFile, results.SizesFile, results.UnsupportedFile, results.MeasurementsFile, results.ParityFile, results.PeersFile,
		results.GoalsFile, results.TargetsFile, results.SummaryFile, results.MemoryFile, growthFile,
	}
	files, err := fs.Glob(b.files, "*.csv")
	if err != nil {
		return Section{}, err
	}
	s := Section{ID: "further", Short: "Further", Text: []string{"What the run has measured beside time for each record, as it is in the files."}}
	for _, file := range files {
		if slices.Contains(known, file) {
			continue
		}
		head, rows, err := readCSV(b.files, file)
		if err != nil {
			return s, err
		}
		t := Table{Caption: file, Head: readable(head)}
		for _, row := range rows {
			var cells []Cell
			for _, v := range row {
				cells = append(cells, plainCell(v))
			}
			t.Rows = append(t.Rows, cells)
		}
		s.Title = "Further measurements"
		s.Parts = append(s.Parts, Part{Fold: cmp.Or(titles[file], file), Tables: []Table{t}})
	}
	return s, nil
}

func readable(columns []string) []string {
	var list []string
	for _, c := range columns {
		list = append(list, strings.ReplaceAll(c, "_", " "))
	}
	return list
}

// plainCell shows numbers with three or four digits.
func plainCell(s string) Cell {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return name(s)
	}
	if f != math.Trunc(f) {
		s = digits(f)
	}
	return num(s)
}

// lanes lists what every lane is and what it checks.
func (b *builder) lanes() (Section, error) {
	s := Section{
		ID: "lanes", Title: "Lanes", Short: "Lanes",
		Text: []string{
			"A lane is one way to use one library. What it checks: that strings are valid UTF-8, how deep messages are nested, how long a record is, and that required fields are set. " +
				"“Shares input” means that messages hold parts of the bytes that they were read from, which may then not change and stay in memory. A lane that leaves out one of the checks that flinkser makes is “unchecked”. Safe peers are marked.",
		},
	}
	s.Parts = []Part{{Tables: []Table{b.lanesTable()}}}
	if len(b.run.Unsupported) > 0 {
		u := Table{Caption: "What was not measured, and why", Head: []string{"lane", "workload", "operation", "reason"}}
		for _, r := range b.run.Unsupported {
			u.Rows = append(u.Rows, []Cell{name(r.Lane), name(cmp.Or(r.Workload, "all")), name(cmp.Or(r.Operation, "all")), name(r.Reason)})
		}
		s.Parts = append(s.Parts, Part{Fold: "What was not measured, and why", Tables: []Table{u}})
	}
	return s, nil
}

// lanesTable says what each lane is and what it checks.
func (b *builder) lanesTable() Table {
	t := Table{Caption: "What each lane is", Head: []string{"lane", "role", "library", "version", "UTF-8", "depth", "size", "required", "unchecked", "unknown fields", "shares input", "on request", "safe peer"}}
	for i := range b.run.Lanes {
		l := &b.run.Lanes[i]
		safe := Cell{Text: yes(l.Safe())}
		if l.Role == results.RoleNative {
			safe.Text = "–"
		}
		if l.Safe() {
			safe.Class = "floor"
		}
		cells := []Cell{name(l.Name), name(l.Role), name(cmp.Or(l.Library, "–")), name(cmp.Or(l.Version, "–"))}
		for _, ok := range []bool{l.UTF8, l.Depth, l.Size, l.Required} {
			cells = append(cells, Cell{Text: yes(ok)})
		}
		mark := Cell{Text: "–"}
		if len(l.Unchecked()) > 0 {
			mark.Text = unchecked
		}
		cells = append(cells, mark)
		for _, ok := range []bool{l.Unknown, l.SharesInput, l.OptIn} {
			cells = append(cells, Cell{Text: yes(ok)})
		}
		t.Rows = append(t.Rows, append(cells, safe))
	}
	return t
}

func (b *builder) caveats() (Section, error) {
	s := Section{
		ID: "caveats", Title: "What these figures do not say", Short: "Caveats",
		List: []string{
			"They are from one machine and one version of each library. On another processor the ratios are others. Run it on yours.",
			"An interval is for one cell. About one in twenty misses the true value by chance, so among many cells some do. Nothing is claimed for all cells at once, and nothing is averaged over them.",
			"Five blocks are few. The interval allows for that, if the logarithms of the five ratios scatter as a normal distribution does.",
			"“Open” does not mean equal. It means that this run cannot tell.",
			"The best safe peer is chosen for each cell after the measurement, as the fastest of several. That is a harder comparison than one with a library chosen beforehand.",
			"Peers that leave out checks are faster for it. The table of lanes says which. † in figures and “unchecked” in tables mark them.",
			"64 records take turns, so that code and data stay in the caches. A program that does other work between two records sees smaller differences.",
			"One core, with the collector on. How a lane behaves on many cores is a measurement of its own.",
			"The values were made up, of one shape for each workload. Yours differ.",
			"The people who measure have written one of the lanes, and chosen the workloads. The rules were fixed before; the lanes of the others use the fastest calls that their documentation names. Where one could be better, tell us.",
		},
	}
	if out := b.leftOut(); len(out) > 0 {
		s.List = append(s.List, "Ahead means: of the safe peers that this run has measured. It has left out "+strings.Join(out, ", ")+".")
	}
	return s, nil
}

// leftOut returns the names of safe lanes that the run has not measured.
func (b *builder) leftOut() []string {
	return slices.DeleteFunc(slices.Clone(results.SafeLanes), func(name string) bool {
		return slices.ContainsFunc(b.run.Lanes, func(l results.Lane) bool { return l.Name == name })
	})
}

func (b *builder) recompute() (Section, error) {
	s := Section{
		ID: "run", Title: "This run", Short: "Run",
		Text: []string{
			"Each block is a fresh process for each lane, workload and operation, from a program whose functions were linked in another random order. flinkser and protobuf-go are measured one after the other, in an order that changes from block to block. " +
				"For each cell, the logarithms of the five ratios give a mean and Student's t interval with four degrees of freedom.",
			"bench audit counts every file again. scripts/parity.awk computes parity.csv from measurements.csv without the program that wrote it.",
		},
	}
	t := Table{Caption: "manifest.properties", Head: []string{"property", "value"}}
	for _, p := range b.run.Manifest {
		t.Rows = append(t.Rows, []Cell{name(p.Key), name(p.Value)})
	}
	s.Parts = []Part{{Fold: "Machine, versions and seeds", Tables: []Table{t}}}
	return s, nil
}
