package audit

import (
	_ "embed" // the goals
	"math"
	"slices"
	"strconv"
	"strings"
)

// estimate is a ratio with its limits.
type estimate struct {
	ratio, lower, upper float64
	measured, bounded   bool
}

// ratio calculates the ratio of two cells from their results: the geometric mean of the quotients
// of the blocks, and limits from the differences of all pairs of blocks, which come to the same
// variance as the distances from the mean do.
func (a *auditor) ratio(one, other cell) estimate {
	x, y := a.found[one], a.found[other]
	if len(x) == 0 || len(y) == 0 {
		return estimate{}
	}
	var quotients []float64
	for _, b := range a.blocks {
		if x[b] == nil || y[b] == nil {
			return estimate{}
		}
		quotients = append(quotients, x[b].Ns/y[b].Ns)
	}
	n := float64(len(quotients))
	product := 1.0
	for _, q := range quotients {
		product *= math.Pow(q, 1/n)
	}
	e := estimate{ratio: product, measured: true}
	if len(quotients) != 5 {
		return e
	}
	pairs := 0.0
	for i, p := range quotients {
		for _, q := range quotients[:i] {
			d := math.Log2(p/q) * math.Ln2
			pairs += d * d
		}
	}
	// pairs/n is the sum of squares; the table of Student's t has 2.776 for 4 degrees of freedom.
	factor := math.Exp(2.7764451051977987 * math.Sqrt(pairs/n/(n-1)/n))
	e.lower, e.upper, e.bounded = product/factor, product*factor, true
	return e
}

// tolerance is what the rounding to 8 digits behind the point leaves.
const tolerance = 0.6e-8

// same compares an estimate with three columns of a table.
func (e estimate) same(ratio, lower, upper string) bool {
	equal := func(s string, f float64, there bool) bool {
		if !there {
			return s == ""
		}
		return math.Abs(value(s)-f) <= tolerance+1e-12*f
	}
	return equal(ratio, e.ratio, e.measured) && equal(lower, e.lower, e.bounded) && equal(upper, e.upper, e.bounded)
}

// judged returns what the table has to say of an estimate, given what it says where there is an interval.
func (e estimate) judged(bounded string) string {
	switch {
	case !e.measured:
		return "unsupported"
	case !e.bounded:
		return "no interval"
	default:
		return bounded
	}
}

// to returns the verdict against a threshold.
func (e estimate) to(most float64) string {
	v := "inconclusive"
	if e.lower > most {
		v = "missed"
	}
	if e.upper <= most {
		v = "established"
	}
	return e.judged(v)
}

// beside returns the verdict of a comparison with another lane.
func (e estimate) beside() string {
	v := "inconclusive"
	if e.lower > 1 {
		v = "behind"
	}
	if e.upper < 1 {
		v = "ahead"
	}
	return e.judged(v)
}

// native returns the lane of ours in a cell.
func (a *auditor) native(workload, operation string) string {
	if a.found[cell{"ours", workload, operation}] == nil && a.found[cell{"ours-reuse", workload, operation}] != nil {
		return "ours-reuse"
	}
	return "ours"
}

// beside returns the lane of ours that a lane is compared with: one with a profile for others with one.
func (a *auditor) beside(c cell) string {
	profiled := cell{"ours-pgo", c.workload, c.operation}
	if a.lanes[c.lane].role == "supplement" && c != profiled && strings.HasSuffix(c.lane, "-pgo") && a.found[profiled] != nil {
		return profiled.lane
	}
	return a.native(c.workload, c.operation)
}

// all returns the verdict of a lane of ours against every safe one of its cell.
func (a *auditor) all(native cell) string {
	count := map[string]int{}
	for _, name := range a.lined {
		other := cell{name, native.workload, native.operation}
		if a.safe(name) && len(a.found[other]) > 0 {
			count[a.ratio(native, other).beside()]++
		}
	}
	for _, v := range []string{"behind", "inconclusive", "no interval", "ahead"} {
		if count[v] > 0 {
			return v
		}
	}
	return "unsupported"
}

// cells returns the number of pairs of workloads and operations.
func (a *auditor) cells() int {
	workloads, operations := map[string]bool{}, map[string]bool{}
	for c := range a.found {
		workloads[c.workload], operations[c.operation] = true, true
	}
	return len(workloads) * len(operations)
}

func (a *auditor) parity() {
	rows := a.csv("parity.csv", a.read("parity.csv"))
	seen := map[cell]bool{}
	for _, row := range rows {
		w, op := row["workload"], row["operation"]
		seen[cell{"", w, op}] = true
		e := a.ratio(cell{a.native(w, op), w, op}, cell{"protobuf-go", w, op})
		if !e.same(row["native_over_baseline"], row["lower95"], row["upper95"]) || row["verdict"] != e.to(1.10) {
			a.bad("parity.csv: %s, %s: %v, calculated is %+v, %s", w, op, row, e, e.to(1.10))
		}
	}
	if len(seen) != a.cells() || len(rows) != len(seen) {
		a.bad("parity.csv has %d rows for %d cells", len(rows), a.cells())
	}
	a.checked("rows of parity.csv", len(rows))
}

func (a *auditor) safe(name string) bool {
	l := a.lanes[name]
	return (l.role == "baseline" || l.role == "protobuf peer") && !l.sharesInput && !l.optIn
}

func (a *auditor) peers() {
	rows := a.csv("peers.csv", a.read("peers.csv"))
	seen := map[cell]bool{}
	for _, row := range rows {
		c := cell{row["lane"], row["workload"], row["operation"]}
		seen[c] = true
		native := a.beside(c)
		e := a.ratio(cell{native, c.workload, c.operation}, c)
		b := a.ratio(c, cell{"protobuf-go", c.workload, c.operation})
		verdict := e.beside()
		if role := a.lanes[c.lane].role; role == "native" || role == "supplement" {
			verdict = ""
		}
		if row["native"] != native || row["safe"] != strconv.FormatBool(a.safe(c.lane)) || row["verdict"] != verdict ||
			!e.same(row["native_over_lane"], row["lower95"], row["upper95"]) ||
			!b.same(row["lane_over_baseline"], row["lane_lower95"], row["lane_upper95"]) {
			a.bad("peers.csv: %v: %v, calculated is %+v, %s", c, row, e, verdict)
		}
	}
	for c := range a.found {
		if a.lanes[c.lane].role != "java" && c.lane != a.native(c.workload, c.operation) && !seen[c] {
			a.bad("peers.csv: %v is missing", c)
		}
	}
	a.checked("rows of peers.csv", len(rows))
}

func (a *auditor) goals() {
	rows := a.csv("goals.csv", a.read("goals.csv"))
	seen := map[cell]bool{}
	headlines := 0
	for _, row := range rows {
		c := cell{row["native"], row["workload"], row["operation"]}
		seen[c] = true
		if c.lane == a.native(c.workload, c.operation) {
			headlines++
		}
		a.goal(row, c)
	}
	if headlines != a.cells() || len(seen) != len(rows) {
		a.bad("goals.csv has %d rows for %d cells, or one twice", headlines, a.cells())
	}
	for c := range a.found {
		// Those have a second row.
		if c.lane == "ours-reuse" && strings.HasSuffix(c.operation, "Reuse") && !seen[c] {
			a.bad("goals.csv: %v is missing", c)
		}
	}
	a.checked("rows of goals.csv", len(rows))
}

func (a *auditor) goal(row map[string]string, native cell) {
	w, op := native.workload, native.operation
	to := func(lane string) estimate { return a.ratio(native, cell{lane, w, op}) }
	best := a.quickest(w, op, a.safe)
	fastest := a.quickest(w, op, func(name string) bool {
		return slices.Contains([]string{"baseline", "protobuf peer", "other format"}, a.lanes[name].role)
	})
	floor := ""
	if a.found[cell{"memcpy", w, op}] != nil {
		floor = "memcpy"
	}
	verdict := a.all(native)
	if f := to(floor); verdict != "ahead" && f.bounded && f.upper <= 1.05 {
		verdict = "at the floor"
	}
	own := native.lane == a.native(w, op) || native.lane == "ours-reuse" && strings.HasSuffix(op, "Reuse")
	ok := own && row["best_safe_peer"] == best && row["fastest"] == fastest && row["floor"] == floor && row["verdict"] == verdict &&
		to(best).same(row["native_over_best"], row["lower95"], row["upper95"]) &&
		to(floor).same(row["native_over_floor"], row["floor_lower95"], row["floor_upper95"]) &&
		to(fastest).same(row["native_over_fastest"], row["fastest_lower95"], row["fastest_upper95"]) &&
		to("protobuf-go").same(row["native_over_baseline"], row["baseline_lower95"], row["baseline_upper95"])
	if !ok {
		a.bad("goals.csv: %s, %s: %v, calculated is %s, best %s, fastest %s, floor %s", w, op, row, verdict, best, fastest, floor)
	}
}

// quickest returns the lane with the smallest product of its times.
func (a *auditor) quickest(w, op string, counts func(string) bool) string {
	best, least := "", math.Inf(1)
	for _, name := range a.lined {
		series := a.found[cell{name, w, op}]
		if !counts(name) || len(series) == 0 {
			continue
		}
		sum := 0.0
		for _, r := range series {
			sum += math.Log(r.Ns)
		}
		// Equal but for rounding stays with the lane that is listed first.
		if sum < least-1e-12 {
			best, least = name, sum
		}
	}
	return best
}

// goals are those that the project has set itself. The audit has a list of its own, so that a goal
// that was moved or dropped where the tables are written is found.
//
//go:embed targets.csv
var goals []byte

// target names a goal: of a lane in an operation to another one.
type target struct{ workload, operation, lane, reference, referenceOperation string }

func targetOf(row map[string]string) target {
	return target{row["workload"], row["operation"], row["lane"], row["reference"], row["reference_operation"]}
}

// wanted returns the goals of the measured workloads, and how much each ratio may be.
func (a *auditor) wanted() map[target]string {
	workloads := map[string]bool{}
	for c := range a.found {
		workloads[c.workload] = true
	}
	all := map[target]string{}
	for _, row := range a.csv("the goals of the audit", goals) {
		for w := range workloads {
			if t := targetOf(row); t.workload == w || t.workload == "*" {
				t.workload = w
				all[t] = row["at_most"]
			}
		}
	}
	return all
}

func (a *auditor) targets() {
	rows := a.csv("targets.csv", a.read("targets.csv"))
	wanted := a.wanted()
	for _, row := range rows {
		t := targetOf(row)
		if most, ok := wanted[t]; !ok || value(most) != value(row["at_most"]) {
			a.bad("targets.csv: %v is no goal, or there twice; the goal is %q", row, most)
		}
		delete(wanted, t)
		w := row["workload"]
		e := a.ratio(cell{row["lane"], w, row["operation"]}, cell{row["reference"], w, row["reference_operation"]})
		most := value(row["at_most"])
		if !(most > 0) || !e.same(row["lane_over_reference"], row["lower95"], row["upper95"]) || row["verdict"] != e.to(most) {
			a.bad("targets.csv: %v, calculated is %+v, %s", row, e, e.to(most))
		}
	}
	for t, most := range wanted {
		a.bad("targets.csv: the goal that %v is at most %s is missing", t, most)
	}
	a.checked("rows of targets.csv", len(rows))
}

// means calculates summary.csv and memory.csv.
func (a *auditor) means() {
	summary, memory := a.csv("summary.csv", a.read("summary.csv")), a.csv("memory.csv", a.read("memory.csv"))
	if len(summary) != len(a.found) || len(memory) != len(a.found) {
		a.bad("summary.csv and memory.csv have %d and %d rows for %d cells of lanes", len(summary), len(memory), len(a.found))
	}
	for _, row := range summary {
		c := cell{row["lane"], row["workload"], row["operation"]}
		ns, bytes := a.mean(c, func(r *result) float64 { return r.Ns }), a.mean(c, func(r *result) float64 { return r.Bytes })
		least, most := math.Inf(1), 0.0
		for _, r := range a.found[c] {
			least, most = min(least, r.Ns), max(most, r.Ns)
		}
		if !nearly(value(row["mean_ns_per_op"]), ns, 1e-12) || value(row["min_fork_ns"]) != least || value(row["max_fork_ns"]) != most ||
			!nearly(value(row["mean_allocated_bytes_per_op"]), bytes, 1e-12) || row["corpus_encoded_mean_bytes"] != a.sizes[c.lane+"/"+c.workload] {
			a.bad("summary.csv: %v: %v, calculated are %v ns, %v bytes", c, row, ns, bytes)
		}
	}
	for _, row := range memory {
		c := cell{row["lane"], row["workload"], row["operation"]}
		if !nearly(value(row["mean_allocated_bytes_per_op"]), a.mean(c, func(r *result) float64 { return r.Bytes }), 1e-12) ||
			!nearly(value(row["mean_allocations_per_op"]), a.mean(c, func(r *result) float64 { return r.Allocs }), 1e-12) ||
			!nearly(value(row["mean_gc_share"]), a.mean(c, func(r *result) float64 { return r.GC }), 1e-12) {
			a.bad("memory.csv: %v: %v", c, row)
		}
	}
	a.checked("rows of summary.csv and memory.csv", len(summary)+len(memory))
}

func (a *auditor) mean(c cell, of func(*result) float64) float64 {
	sum := 0.0
	for _, b := range a.blocks {
		if r := a.found[c][b]; r != nil {
			sum += of(r) / float64(len(a.blocks))
		}
	}
	return sum
}
