// Package report makes a page out of a benchmark run that a person can read: one HTML file
// that loads nothing, with figures, and the same tables as Markdown.
package report

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/flinkser/flinkser/bench/internal/results"
)

// Page is what a report says, in whatever form it is written.
type Page struct {
	Title    string
	Lead     string   // what was found, in a sentence or two
	Notice   string   // what a reader has to know first; may be empty
	Facts    []string // machine, versions
	Tiles    []Tile
	Sections []Section
}

// Tile is a number that stands out.
type Tile struct {
	Number int
	Label  string
	Class  string // as Cell.Class
	Help   string
}

// Section is a part of the page with an entry in its contents.
type Section struct {
	ID, Title, Short string // Short is the entry in the contents
	Text             []string
	List             []string
	Legend           bool // the marks of the figures are explained
	Parts            []Part
}

// Part is a group of figures and tables, which may be folded away.
type Part struct {
	Fold    string // what stands on it, if it is folded
	Title   string
	Text    []string
	Figures []Figure
	Tables  []Table
}

// Table is a table. The first column names its rows.
type Table struct {
	Caption string
	Head    []string
	Rows    [][]Cell
}

// Cell is a cell of a table.
type Cell struct {
	Text   string
	Sub    string // below it, smaller
	Class  string // ahead, floor, open, behind or none
	Number bool
	Key    string // what a test or a script finds it by
	Value  string // its exact value
}

func name(s string) Cell { return Cell{Text: s} }
func num(s string) Cell  { return Cell{Text: s, Number: true} }

// exact is a cell with a ratio that can be read out exactly.
func exact(e results.Estimate, key string) Cell {
	c := num(estimateText(e))
	if e.Measured {
		c.Key, c.Value = key, strconv.FormatFloat(e.Ratio, 'f', 8, 64)
	}
	return c
}

// verdicts are those of goals.csv in words, with the class that gives them a colour.
var verdicts = []struct{ verdict, label, class, help string }{
	{results.Ahead, "ahead", "ahead", "faster than every safe peer that this run has measured: the whole interval is below 1 for each of them"},
	{results.AtFloor, "at the floor", "floor", "within 5 % of merely copying the bytes: nothing is left to gain"},
	{results.Inconclusive, "open", "open", "the interval to a safe peer holds 1: this run cannot tell"},
	{results.Behind, "behind", "behind", "a safe peer is faster: the whole interval is above 1"},
	{results.NoInterval, "no interval", "none", "the run has fewer than five blocks"},
	{results.Unsupported, "not measured", "none", "one side has no such operation"},
}

func verdictCell(verdict string) Cell {
	for _, v := range verdicts {
		if v.verdict == verdict {
			return Cell{Text: v.label, Class: v.class}
		}
	}
	for _, v := range [][3]string{{results.Established, "met", "ahead"}, {results.Missed, "missed", "behind"}} {
		if v[0] == verdict {
			return Cell{Text: v[1], Class: v[2]}
		}
	}
	return Cell{Text: verdict}
}

// operations are the operations in words.
var operations = map[string]string{
	"serialize":             "Write a record into a buffer that is large enough",
	"deserialize":           "Read a record into a new message",
	"objectCopy":            "Copy a message deeply",
	"streamCopy":            "Copy a record from one stream to another",
	"deserializeReuse":      "Read a record into the message of the one before",
	"objectCopyReuse":       "Copy a message onto the copy before",
	"serializeSameInstance": "Write the same record again and again",
	"buildAndSerialize":     "Make a message from plain values and write it",
	"decodeAndRead":         "Read a record and look at every field",
}

// workloads are the workloads in words.
var workloads = map[string]string{
	"scalar":      "A few numbers: about 24 bytes a record.",
	"text":        "A long name in ASCII and Japanese, and a kilobyte of bytes: about 1.7 kB.",
	"nested":      "A few numbers and a child message: about 46 bytes.",
	"collections": "A list of 16 numbers and a map of 16 entries: about 500 bytes.",
	"large":       "One byte string of 64 KiB. All that counts is how often it is copied.",
	"social":      "A post with likes, comments and attachments: about 770 bytes in many small messages.",
	"traces":      "A batch of about 300 OpenTelemetry messages, as an exporter sends it.",
	"wide":        "60 optional fields, of which 10 are set.",
}

// builder makes the sections of a page.
type builder struct {
	run     *results.Run
	files   fs.FS
	parity  map[[2]string]results.Parity
	goals   map[[2]string]results.Goal
	targets []results.Target
	ordered []results.Goal // those of goals, in the order of tables
	modes   []results.Goal // of modes on request
}

// New makes the page of a run.
func New(files fs.FS) (*Page, error) {
	run, err := results.Read(files)
	if err != nil {
		return nil, err
	}
	b := &builder{run: run, files: files, parity: map[[2]string]results.Parity{}, goals: map[[2]string]results.Goal{}}
	if err := b.calculate(); err != nil {
		return nil, err
	}
	p := &Page{Title: "flinkser beside the alternatives", Lead: b.lead(), Notice: b.notice(), Facts: b.facts(), Tiles: b.tiles()}
	sections := []func() (Section, error){b.standing, b.targetSection}
	for _, w := range run.Workloads() {
		sections = append(sections, func() (Section, error) { return b.workload(w) })
	}
	sections = append(sections, b.memory, b.sizes, b.growth, b.java, b.further, b.lanes, b.caveats, b.recompute)
	for _, make := range sections {
		s, err := make()
		if err != nil {
			return nil, err
		}
		if s.Title != "" {
			p.Sections = append(p.Sections, s)
		}
	}
	return p, nil
}

func (b *builder) calculate() error {
	parity, err := b.run.Parity()
	if err != nil {
		return err
	}
	for _, p := range parity {
		b.parity[[2]string{p.Workload, p.Operation}] = p
	}
	all, err := b.run.Goals()
	if err != nil {
		return err
	}
	for _, g := range all {
		if g.Headline {
			b.ordered = append(b.ordered, g)
			b.goals[[2]string{g.Workload, g.Operation}] = g
		} else {
			b.modes = append(b.modes, g)
		}
	}
	b.targets, err = b.run.Targets()
	return err
}

// tally counts the verdicts.
func (b *builder) tally() map[string]int {
	n := map[string]int{}
	for _, g := range b.ordered {
		n[g.Verdict]++
	}
	return n
}

func (b *builder) lead() string {
	n := b.tally()
	measured := len(b.ordered) - n[results.Unsupported]
	if b.run.Blocks < results.Blocks {
		return fmt.Sprintf("%s of workload and operation were measured in %s: too few for intervals and verdicts.",
			count(measured, "combination"), count(b.run.Blocks, "block"))
	}
	return fmt.Sprintf("In %d of %s of workload and operation, flinkser is faster than every safe peer that this run has measured: "+
		"libraries that write the same bytes and keep their messages apart from them. In %d it is as fast as copying the bytes, in %d slower than one of them. In %d this run cannot tell.",
		n[results.Ahead], count(measured, "combination"), n[results.AtFloor], n[results.Behind], n[results.Inconclusive])
}

func (b *builder) notice() string {
	var notes []string
	if b.run.Blocks < results.Blocks {
		notes = append(notes, "This is a trial run. Its ratios show that everything works, and nothing about speed.")
	}
	switch b.run.Property("source.status") {
	case "", "clean":
	case "unknown":
		notes = append(notes, "Nobody knows whether the source tree had changes: git could not be asked.")
	default:
		notes = append(notes, "The source tree had changes that are not in the revision named below.")
	}
	if v := b.run.Property("start.gate.failed"); v != "" && v != "0" && v != "none" {
		notes = append(notes, "The machine was busy when these blocks began, counted from 0: "+v+".")
	}
	return strings.Join(notes, " ")
}

func (b *builder) facts() []string {
	var facts []string
	for _, f := range []struct{ key, unit string }{{"cpu", ""}, {"cpu.cores", " cores"}, {"os", ""}, {"arch", ""}, {"go.version", ""}, {"timestamp.utc", ""}} {
		if v := b.run.Property(f.key); v != "" {
			facts = append(facts, v+f.unit)
		}
	}
	if v := b.run.Property("source.revision"); v != "" {
		facts = append(facts, "revision "+v[:min(len(v), 12)])
	}
	return append(facts, count(b.run.Blocks, "block"), count(len(b.run.Results), "result"))
}

func (b *builder) tiles() []Tile {
	n := b.tally()
	var tiles []Tile
	for _, v := range verdicts {
		always := b.run.Blocks == results.Blocks && v.class != "none"
		if n[v.verdict] > 0 || always {
			tiles = append(tiles, Tile{n[v.verdict], v.label, v.class, v.help})
		}
	}
	return tiles
}

// standing shows all cells at once.
func (b *builder) standing() (Section, error) {
	s := Section{
		ID: "standing", Title: "Where it stands", Short: "Overview", Legend: true,
		Text: []string{
			"A ratio of 0.25 means a quarter of the time that google.golang.org/protobuf, the lane protobuf-go, takes for the same records in the same block. Smaller is better.",
			"The word below it compares with every safe peer that this run has measured in that cell: libraries that write the same bytes, as they are used by default, with messages that share no memory with the input. The best of them is the fastest. Several leave out checks that flinkser makes.",
		},
	}
	s.Parts = append(s.Parts, Part{Tables: []Table{b.matrix()}})
	var first, rest Part
	first.Title = "flinkser and the best safe peer, to protobuf-go"
	rest.Fold = "The other operations"
	for i, op := range b.run.Operations() {
		f, err := b.overview(op)
		if err != nil {
			return s, err
		}
		if f.SVG == "" {
			continue
		}
		if i < 2 {
			first.Figures = append(first.Figures, f)
		} else {
			rest.Figures = append(rest.Figures, f)
		}
	}
	s.Parts = append(s.Parts, first, rest, b.glossary())
	return s, nil
}

// glossary says what workloads and operations are.
func (b *builder) glossary() Part {
	w := Table{Caption: "Workloads", Head: []string{"workload", "what its records are"}}
	for _, n := range b.run.Workloads() {
		w.Rows = append(w.Rows, []Cell{name(n), name(cmp.Or(workloads[n], "–"))})
	}
	o := Table{Caption: "Operations, each on one record with its frame", Head: []string{"operation", "what is timed"}}
	for _, n := range b.run.Operations() {
		o.Rows = append(o.Rows, []Cell{name(n), name(cmp.Or(operations[n], "–"))})
	}
	return Part{Fold: "What the workloads and operations are", Tables: []Table{w, o}}
}

func (b *builder) matrix() Table {
	t := Table{Caption: "Time of flinkser to that of protobuf-go, and how it compares with the safe peers", Head: append([]string{"workload"}, b.run.Operations()...)}
	for _, w := range b.run.Workloads() {
		cells := []Cell{name(w)}
		for _, op := range b.run.Operations() {
			g := b.goals[[2]string{w, op}]
			c := Cell{Text: "–", Number: true}
			if g.ToBaseline.Measured {
				c = exact(g.ToBaseline, "cell/"+w+"/"+op)
				c.Text = ratioText(g.ToBaseline.Ratio)
			}
			v := verdictCell(g.Verdict)
			c.Sub, c.Class = v.Text, v.Class
			cells = append(cells, c)
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// overview draws one operation over all workloads: ours and the best safe peer.
func (b *builder) overview(op string) (Figure, error) {
	var rows []row
	var spoken []string
	for _, w := range b.run.Workloads() {
		g := b.goals[[2]string{w, op}]
		if !g.ToBaseline.Measured {
			continue
		}
		r := row{label: w, value: ratioText(g.ToBaseline.Ratio), points: []point{at(markNative, g.ToBaseline)}}
		if g.Best != "" && g.Best != results.Baseline {
			e, err := b.run.Estimate(g.Best, results.Baseline, w, op)
			if err != nil {
				return Figure{}, err
			}
			// The peer first, so that ours is drawn over it.
			r.points = []point{at(markPeer, e), r.points[0]}
			r.value += " · " + g.Best + " " + ratioText(e.Ratio)
		}
		spoken = append(spoken, w+" "+r.value)
		rows = append(rows, r)
	}
	if len(rows) == 0 {
		return Figure{}, nil
	}
	return forestFigure(op, fmt.Sprintf("%s: ratio of flinkser to protobuf-go, and the best safe peer. %s", op, strings.Join(spoken, "; ")), rows, 0, 0)
}

func at(kind markKind, e results.Estimate) point {
	p := point{kind: kind, ratio: e.Ratio}
	if e.Bounded {
		p.lower, p.upper = e.Lower, e.Upper
	}
	return p
}

func kindOf(l *results.Lane) markKind {
	switch {
	case l.Name == results.Native:
		return markNative
	case l.Role == results.RoleNative, l.Role == results.RoleSupplement && strings.HasPrefix(l.Name, results.Native):
		return markMode
	case l.Safe():
		return markPeer
	case l.Role == results.RoleFormat:
		return markFormat
	case l.Role == results.RoleAnalogue:
		return markLimit
	default:
		return markUnsafe
	}
}

// workload shows every lane of one workload.
func (b *builder) workload(w string) (Section, error) {
	s := Section{ID: "workload-" + w, Title: "Workload " + w, Short: w, Text: []string{workloads[w]}}
	first, rest := Part{}, Part{Fold: "Figures of the other operations"}
	tables := Part{Fold: "All lanes: time, interval, verdict, allocation"}
	for i, op := range b.run.Operations() {
		f, err := b.cellFigure(w, op)
		if err != nil {
			return s, err
		}
		switch {
		case f.SVG == "":
		case i < 2:
			first.Figures = append(first.Figures, f)
		default:
			rest.Figures = append(rest.Figures, f)
		}
		t, err := b.cellTable(w, op)
		if err != nil {
			return s, err
		}
		tables.Tables = append(tables.Tables, t)
	}
	first.Tables = []Table{b.workloadTable(w)}
	s.Parts = []Part{first, rest, tables}
	return s, nil
}

// workloadTable has a row for each operation.
func (b *builder) workloadTable(w string) Table {
	t := Table{
		Caption: "flinkser, by operation. Ratios with 95 % interval",
		Head:    []string{"operation", "time", "to protobuf-go", "best safe peer", "to that peer", "verdict", "allocated"},
	}
	for _, op := range b.run.Operations() {
		t.Rows = b.goalRow(t.Rows, b.goals[[2]string{w, op}])
		for _, g := range b.modes {
			if g.Workload == w && g.Operation == op {
				t.Rows = b.goalRow(t.Rows, g)
			}
		}
	}
	return t
}

// goalRow appends a row of workloadTable.
func (b *builder) goalRow(rows [][]Cell, g results.Goal) [][]Cell {
	w, op := g.Workload, g.Operation
	if !b.run.Has(g.Native, w, op) {
		return rows
	}
	label, key := name(op), w+"/"+op
	if g.Native != results.Native {
		label.Sub = "lane " + g.Native
	}
	if !g.Headline {
		key += "/" + g.Native
	}
	ns, bytes, allocs := b.run.Mean(g.Native, w, op)
	return append(rows, []Cell{
		label, num(nanoseconds(ns)), exact(g.ToBaseline, "parity/"+key), b.peer(g.Best),
		exact(g.ToBest, "best/"+key), verdictCell(g.Verdict), num(allocationText(bytes, allocs)),
	})
}

// peer names a lane, and says whether it leaves out checks.
func (b *builder) peer(lane string) Cell {
	c := name(cmp.Or(lane, "–"))
	for i := range b.run.Lanes {
		if l := &b.run.Lanes[i]; l.Name == lane && len(l.Unchecked()) > 0 {
			c.Sub = unchecked
		}
	}
	return c
}

// unchecked marks lanes that leave out a check that ours makes.
const unchecked = "unchecked"

func allocationText(bytes, allocs float64) string {
	if bytes < .5 {
		return "none"
	}
	if allocs < .05 {
		return byteCount(bytes)
	}
	return byteCount(bytes) + " in " + trimmed(allocs, 1)
}

// standings are the lanes of this runtime that were measured in a cell, with their ratio to the
// baseline, fastest first.
func (b *builder) standings(w, op string) ([]standing, error) {
	var list []standing
	for i := range b.run.Lanes {
		l := &b.run.Lanes[i]
		if l.Role == results.RoleJava || !b.run.Has(l.Name, w, op) {
			continue
		}
		e, err := b.run.Estimate(l.Name, results.Baseline, w, op)
		if err != nil {
			return nil, err
		}
		ns, _, _ := b.run.Mean(l.Name, w, op)
		list = append(list, standing{l, e, ns})
	}
	slices.SortStableFunc(list, func(a, b standing) int { return cmp.Compare(a.sortKey(), b.sortKey()) })
	return list, nil
}

type standing struct {
	lane *results.Lane
	e    results.Estimate
	ns   float64
}

func (s standing) sortKey() float64 {
	if s.e.Measured {
		return s.e.Ratio
	}
	return s.ns
}

// label marks lanes that leave out a check that ours makes.
func (s standing) label() string {
	if len(s.lane.Unchecked()) > 0 && s.lane.Role != results.RoleAnalogue {
		return s.lane.Name + " †"
	}
	return s.lane.Name
}

func (b *builder) cellFigure(w, op string) (Figure, error) {
	list, err := b.standings(w, op)
	if err != nil || !b.run.Has(results.Baseline, w, op) {
		return Figure{}, err
	}
	native := b.goals[[2]string{w, op}].Native
	var rows []row
	var spoken []string
	for _, s := range list {
		kind := kindOf(s.lane)
		if s.lane.Name == native {
			kind = markNative
		}
		p := at(kind, s.e)
		if s.lane.Name == results.Baseline {
			p.lower, p.upper = 0, 0
		}
		rows = append(rows, row{label: s.label(), value: ratioText(s.e.Ratio), points: []point{p}, strong: s.lane.Name == native})
		spoken = append(spoken, s.lane.Name+" "+ratioText(s.e.Ratio))
	}
	// Around ours and the baseline; what is far away is of less interest than the intervals are.
	least, most := axis(b.goals[[2]string{w, op}].ToBaseline)
	return forestFigure(op, fmt.Sprintf("%s, %s: ratio to protobuf-go of %s", w, op, strings.Join(spoken, ", ")), rows, least, most)
}

// axis returns the ends of the axis of a cell's figure.
func axis(ours results.Estimate) (least, most float64) {
	if !ours.Measured {
		return 0, 0
	}
	return min(ours.Ratio, 1) / 2.5, max(ours.Ratio, 1) * 2
}

// cellTable lists all lanes of a cell.
func (b *builder) cellTable(w, op string) (Table, error) {
	list, err := b.standings(w, op)
	t := Table{
		Caption: op + ": " + operations[op],
		Head:    []string{"lane", "time", "to protobuf-go", "flinkser to it", "verdict", "allocated", "collector"},
	}
	for _, s := range list {
		native := b.run.Beside(s.lane.Name, w, op)
		e, eerr := b.run.Estimate(native, s.lane.Name, w, op)
		if eerr != nil {
			return t, eerr
		}
		ns, bytes, allocs := b.run.Mean(s.lane.Name, w, op)
		label := name(s.label())
		label.Sub = s.note()
		to, verdict := num("–"), Cell{Text: "–"}
		if s.lane.Role != results.RoleNative {
			to = exact(e, "peer/"+w+"/"+op+"/"+s.lane.Name)
		}
		if s.lane.Judged() {
			verdict = verdictCell(verdictOf(e))
		}
		if native == results.Native+results.Profiled {
			to.Sub = "of " + native
		}
		base := num("1")
		if s.lane.Name != results.Baseline {
			base = num(estimateText(s.e))
		}
		t.Rows = append(t.Rows, []Cell{
			label, num(nanoseconds(ns)), base, to, verdict, num(allocationText(bytes, allocs)),
			num(trimmed(100*b.run.GCShare(s.lane.Name, w, op), 1) + " %"),
		})
	}
	return t, err
}

// note says what kind of lane it is, unless it is a safe peer, and what it does not check.
func (s standing) note() string {
	var notes []string
	if kind := s.kind(); kind != "" {
		notes = append(notes, kind)
	}
	if missing := s.lane.Unchecked(); len(missing) > 0 && s.lane.Role != results.RoleAnalogue {
		notes = append(notes, unchecked+": "+strings.Join(missing, ", "))
	}
	return strings.Join(notes, "; ")
}

func (s standing) kind() string {
	switch {
	case s.lane.SharesInput:
		return "shares the input"
	case s.lane.Role == results.RoleNative && s.lane.OptIn, s.lane.OptIn:
		return "on request"
	case s.lane.Role == results.RoleFormat:
		return "other format"
	case s.lane.Role == results.RoleAnalogue:
		return "no serializer"
	case s.lane.Role == results.RoleSupplement:
		return "supplement"
	default:
		return ""
	}
}

func verdictOf(e results.Estimate) string {
	switch {
	case !e.Measured:
		return results.Unsupported
	case !e.Bounded:
		return results.NoInterval
	case e.Upper < 1:
		return results.Ahead
	case e.Lower > 1:
		return results.Behind
	default:
		return results.Inconclusive
	}
}
