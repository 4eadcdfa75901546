package audit

import (
	"slices"
	"strconv"
	"strings"
)

// plan compares what was measured with what was to be measured: plan.txt, which the driver has written before
// anything else, and the manifest.
func (a *auditor) plan() {
	var planned []string
	for line := range strings.Lines(string(a.read("plan.txt"))) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			planned = append(planned, line)
		}
	}
	different := a.missing(planned, a.completed, "planned, and not measured") + a.missing(a.completed, planned, "measured, and not planned")
	// The driver measures in the order of the plan, also after an interruption.
	if different == 0 && !slices.Equal(planned, a.completed) {
		a.bad("completed-results.txt: it is in another order than plan.txt, which may name a result twice")
	}
	a.checked("results that were planned", len(planned))
	a.planned()
}

// missing reports the names that are not in a list, and returns how many these are.
func (a *auditor) missing(names, in []string, what string) int {
	there := map[string]bool{}
	for _, name := range in {
		there[name] = true
	}
	n := 0
	for _, name := range names {
		if !there[name] {
			a.bad("%s: %s", name, what)
			n++
		}
	}
	return n
}

// planned compares with the manifest: the blocks, and the timings of each result. Those of the supplement with
// sorted maps have the same blocks as the others.
func (a *auditor) planned() {
	blocks, err := strconv.Atoi(a.manifest["blocks"])
	if err != nil || blocks < 1 {
		a.bad("manifest.properties: blocks=%s is no number of blocks", a.manifest["blocks"])
		return
	}
	supplement := map[cell]map[int]bool{}
	for _, r := range a.order {
		if r.Block < 0 || r.Block >= blocks {
			a.bad("%s, %s, %s: there is a block %d, and manifest.properties has blocks=%d", r.Lane, r.Workload, r.Operation, r.Block, blocks)
		}
		if n := strconv.Itoa(len(r.Iterations)); n != a.manifest["iterations"] {
			a.bad("%s, %s, %s, block %d: %s timings, and manifest.properties has iterations=%s", r.Lane, r.Workload, r.Operation, r.Block, n, a.manifest["iterations"])
		}
		if !r.Deterministic {
			continue
		}
		c := cell{r.Lane, r.Workload, r.Operation}
		if supplement[c] == nil {
			supplement[c] = map[int]bool{}
		}
		supplement[c][r.Block] = true
	}
	if len(a.blocks) != blocks {
		a.bad("%d blocks were measured, and manifest.properties has blocks=%d", len(a.blocks), blocks)
	}
	for c, measured := range supplement {
		if len(measured) != blocks {
			a.bad("lane %s, %s, %s, with sorted maps: %d blocks of %d", c.lane, c.workload, c.operation, len(measured), blocks)
		}
	}
}

// properties reads the manifest.
func (a *auditor) properties() {
	for line := range strings.Lines(string(a.read("manifest.properties"))) {
		line = strings.TrimSpace(line)
		key, value, ok := strings.Cut(line, "=")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if _, twice := a.manifest[key]; !ok || twice {
			a.bad("manifest.properties: %q is malformed, or there twice", line)
		}
		a.manifest[key] = value
	}
	if len(a.manifest) < 5 {
		a.bad("manifest.properties says next to nothing")
	}
}
