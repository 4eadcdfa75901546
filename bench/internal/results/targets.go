package results

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
)

// targetsTable lists the goals of the project, a ratio for each: of lane in operation to reference
// in reference_operation. A workload "*" stands for every one of the run.
// Package audit has the same list in a file of its own: a goal is changed in both.
//
//go:embed targets.csv
var targetsTable string

// Target is a goal of the project beside what a run has shown.
type Target struct {
	Workload, Operation, Lane     string
	Reference, ReferenceOperation string
	AtMost                        float64 // the goal
	Ratio                         Estimate
	Verdict                       string
}

// Targets returns the goals that concern the workloads and operations of a run.
func (r *Run) Targets() ([]Target, error) {
	goals, err := parseTargets()
	if err != nil {
		return nil, err
	}
	workloads := r.Workloads()
	var rows []Target
	for _, g := range goals {
		for _, w := range workloads {
			if g.Workload != w && g.Workload != "*" {
				continue
			}
			t := g
			t.Workload = w
			if t.Ratio, err = r.Across(w, t.Lane, t.Operation, t.Reference, t.ReferenceOperation); err != nil {
				return nil, err
			}
			t.Verdict = t.Ratio.verdict(func(i Interval) string { return i.against(t.AtMost) })
			rows = append(rows, t)
		}
	}
	return rows, nil
}

func parseTargets() ([]Target, error) {
	rows, err := csv.NewReader(bytes.NewReader([]byte(targetsTable))).ReadAll()
	if err != nil {
		return nil, err
	}
	const header = "workload,operation,lane,reference,reference_operation,at_most"
	if strings.Join(rows[0], ",") != header {
		return nil, fmt.Errorf("targets.csv: the header is not %s", header)
	}
	var list []Target
	for _, row := range rows[1:] {
		atMost, err := strconv.ParseFloat(row[5], 64)
		if err != nil {
			return nil, err
		}
		list = append(list, Target{Workload: row[0], Operation: row[1], Lane: row[2], Reference: row[3], ReferenceOperation: row[4], AtMost: atMost})
	}
	return list, nil
}
