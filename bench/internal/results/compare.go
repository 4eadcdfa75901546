package results

import (
	"slices"
	"strings"
)

// Peer compares Native with another lane in one cell.
type Peer struct {
	Workload, Operation string
	Native              string // the lane of ours: see Beside
	Lane                string
	Safe                bool
	Ratio               Estimate // of Native to Lane
	Verdict             string   // empty where Lane is one of ours, or a supplement
	ToBaseline          Estimate // of Lane to Baseline
}

// Estimate is a ratio, with its interval if the run has enough blocks for one.
type Estimate struct {
	Interval
	Measured bool // both lanes were
	Bounded  bool // Lower and Upper are set
}

// Estimate returns the ratio of a lane to another in a cell.
func (r *Run) Estimate(lane, other, workload, operation string) (Estimate, error) {
	return r.Across(workload, lane, operation, other, operation)
}

// Across returns the ratio of an operation of a lane to an operation of another.
func (r *Run) Across(workload, lane, operation, other, otherOperation string) (Estimate, error) {
	if !r.Has(lane, workload, operation) || !r.Has(other, workload, otherOperation) {
		return Estimate{}, nil
	}
	logs := logRatios(r.times(lane, workload, operation), r.times(other, workload, otherOperation))
	if r.Blocks < Blocks {
		return Estimate{Interval: mean(logs), Measured: true}, nil
	}
	i, err := Paired(logs)
	return Estimate{i, true, true}, err
}

// mean is a ratio without limits.
func mean(logs []float64) Interval {
	sum := 0.0
	for _, l := range logs {
		sum += l
	}
	return interval(sum/float64(len(logs)), 0)
}

// verdict says unsupported, no interval, or what bounded says of the interval.
func (e Estimate) verdict(bounded func(Interval) string) string {
	switch {
	case !e.Measured:
		return Unsupported
	case !e.Bounded:
		return NoInterval
	default:
		return bounded(e.Interval)
	}
}

// Reuse is the lane of ours that uses the memory of the message before again, for which a user has
// to ask.
const Reuse = Native + "-reuse"

// NativeLane returns the lane of ours that stands in a cell: the default one, or in operations that
// it does not have, the one that reuses messages.
func (r *Run) NativeLane(workload, operation string) string {
	if !r.Has(Native, workload, operation) && r.Has(Reuse, workload, operation) {
		return Reuse
	}
	return Native
}

// Profiled ends the names of lanes that were built with a profile.
const Profiled = "-pgo"

// Beside returns the lane of ours that is compared with a lane in a cell: that of NativeLane, but a
// program that was built with a profile only with one of its kind.
func (r *Run) Beside(lane, workload, operation string) string {
	own := Native + Profiled
	if l := r.lanes[lane]; l != nil && l.Role == RoleSupplement && lane != own && strings.HasSuffix(lane, Profiled) && r.Has(own, workload, operation) {
		return own
	}
	return r.NativeLane(workload, operation)
}

// Parity is a row of parity.csv.
type Parity struct {
	Workload, Operation string
	Ratio               Estimate
	Verdict             string
}

// Parity compares Native with Baseline in every cell.
func (r *Run) Parity() ([]Parity, error) {
	var rows []Parity
	err := r.eachCell(func(w, op string) error {
		e, err := r.Estimate(r.NativeLane(w, op), Baseline, w, op)
		rows = append(rows, Parity{w, op, e, e.verdict(func(i Interval) string { return i.against(Limit) })})
		return err
	})
	return rows, err
}

func (r *Run) eachCell(do func(workload, operation string) error) error {
	for _, w := range r.Workloads() {
		for _, op := range r.Operations() {
			if err := do(w, op); err != nil {
				return err
			}
		}
	}
	return nil
}

// Peers compares Native with all other lanes of its runtime, cell by cell, in the order of lanes.csv.
func (r *Run) Peers() ([]Peer, error) {
	var rows []Peer
	err := r.eachCell(func(w, op string) error {
		for _, l := range r.Lanes {
			native := r.Beside(l.Name, w, op)
			if l.Name == native || l.Role == RoleJava || !r.Has(l.Name, w, op) {
				continue
			}
			p := Peer{Workload: w, Operation: op, Native: native, Lane: l.Name, Safe: l.Safe()}
			var err error
			if p.Ratio, err = r.Estimate(native, l.Name, w, op); err != nil {
				return err
			}
			if p.ToBaseline, err = r.Estimate(l.Name, Baseline, w, op); err != nil {
				return err
			}
			if l.Judged() {
				p.Verdict = p.Ratio.verdict(Interval.beside)
			}
			rows = append(rows, p)
		}
		return nil
	})
	return rows, err
}

// Goal is a row of goals.csv: how Native stands in one cell.
type Goal struct {
	Workload, Operation string
	Native              string
	Headline            bool // the row that counts: not that of a mode on request
	Verdict             string
	Best                string // the fastest safe peer
	ToBest              Estimate
	Floor               string // the copy of the bytes that no serializer can beat
	ToFloor             Estimate
	Fastest             string // of all that is no analogue, whatever it leaves out
	ToFastest           Estimate
	ToBaseline          Estimate
}

// Goals returns the verdict for every cell. In operations that use a message again, a second row is
// for the lane of ours that does so with its memory, too.
func (r *Run) Goals() ([]Goal, error) {
	var rows []Goal
	err := r.eachCell(func(w, op string) error {
		lanes := []string{r.NativeLane(w, op)}
		if strings.HasSuffix(op, "Reuse") && lanes[0] != Reuse && r.Has(Reuse, w, op) {
			lanes = append(lanes, Reuse)
		}
		for _, native := range lanes {
			g, err := r.goal(native, w, op)
			if err != nil {
				return err
			}
			g.Headline = native == lanes[0]
			rows = append(rows, g)
		}
		return nil
	})
	return rows, err
}

func (r *Run) goal(native, w, op string) (Goal, error) {
	g := Goal{Workload: w, Operation: op, Native: native}
	g.Best = r.fastest(w, op, (*Lane).Safe)
	g.Fastest = r.fastest(w, op, func(l *Lane) bool {
		return slices.Contains([]string{RoleBaseline, RolePeer, RoleFormat}, l.Role)
	})
	g.Floor = r.floor(w, op)
	for _, c := range []struct {
		other string
		to    *Estimate
	}{{g.Best, &g.ToBest}, {g.Fastest, &g.ToFastest}, {g.Floor, &g.ToFloor}, {Baseline, &g.ToBaseline}} {
		var err error
		if *c.to, err = r.Estimate(native, c.other, w, op); err != nil {
			return g, err
		}
	}
	var err error
	if g.Verdict, err = r.standing(native, w, op); err != nil {
		return g, err
	}
	if g.Verdict != Ahead && g.ToFloor.Bounded && g.ToFloor.Upper <= FloorLimit {
		g.Verdict = AtFloor
	}
	return g, nil
}

// standing compares a lane with every safe one of a cell: it is ahead if it is ahead of all, and
// behind if it is behind one. The fastest need not be the one that is hardest to tell from.
func (r *Run) standing(native, w, op string) (string, error) {
	verdict := Unsupported
	for i := range r.Lanes {
		l := &r.Lanes[i]
		if !l.Safe() || !r.Has(l.Name, w, op) {
			continue
		}
		e, err := r.Estimate(native, l.Name, w, op)
		if err != nil {
			return "", err
		}
		if v := e.verdict(Interval.beside); verdict == Unsupported || verdict == Ahead || v == Behind {
			verdict = v
		}
	}
	return verdict, nil
}

// fastest returns the name of the lane with the smallest mean logarithm of the time in a cell, among
// those that count, or "".
func (r *Run) fastest(w, op string, counts func(*Lane) bool) string {
	best := ""
	for i := range r.Lanes {
		l := &r.Lanes[i]
		if !counts(l) || !r.Has(l.Name, w, op) {
			continue
		}
		if best == "" || mean(r.Logs(l.Name, best, w, op)).Ratio < 1 {
			best = l.Name
		}
	}
	return best
}

// Floor is the lane that only copies the bytes, into new memory where the operation needs some.
const Floor = "memcpy"

// floor returns Floor, or "" where it does not do the operation.
func (r *Run) floor(w, op string) string {
	if r.Has(Floor, w, op) {
		return Floor
	}
	return ""
}
