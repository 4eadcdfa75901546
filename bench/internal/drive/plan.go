// Package drive runs the benchmarks: it builds the programs with the lanes, lets each lane pass the
// gate, and measures block by block, each cell in a fresh process.
package drive

import (
	"fmt"
	"slices"

	"github.com/flinkser/flinkser/bench/internal/suite"
	"github.com/flinkser/flinkser/internal/corpus"
)

// Cell is what one process measures.
type Cell struct {
	Lane      string // the name in results
	Worker    string // the name of the lane in its program
	Workload  string
	Operation string
	Block     int

	Deterministic bool
	Profiled      bool // by the program that was built with a profile
}

// Name returns the name of the files of a cell, without what stands behind the point.
func (c Cell) Name() string {
	kind := ""
	if c.Deterministic {
		kind = "-deterministic"
	}
	return fmt.Sprintf("%s-%s-%s%s-%d", c.Lane, c.Workload, c.Operation, kind, c.Block)
}

// pairs are lanes that are measured next to each other, because a ratio of theirs is published.
// The native one comes first.
var pairs = [][2]string{{"ours", "protobuf-go"}, {"java-native-peer", "java-protobuf-chill"}}

// plan returns the cells of a run in the order in which they are measured.
func plan(lanes []suite.Checked, workloads, operations []string, blocks int, profiled bool) []Cell {
	var all []Cell
	for block := range blocks {
		for _, w := range workloads {
			for _, op := range operations {
				all = append(all, cells(lanes, w, op, block)...)
			}
		}
		all = append(all, supplements(lanes, workloads, operations, block, profiled)...)
	}
	return all
}

// cells returns those of one workload, operation and block: the lanes in random order, pairs
// together, the native lane first in even blocks.
func cells(lanes []suite.Checked, workload, operation string, block int) []Cell {
	var groups [][]Cell
	for i := range lanes {
		l := &lanes[i]
		if !measures(l, workload, operation) {
			continue
		}
		c := Cell{Lane: l.Lane, Worker: l.Lane, Workload: workload, Operation: operation, Block: block}
		if g := partner(groups, l.Lane); g >= 0 {
			groups[g] = join(groups[g][0], c)
			continue
		}
		groups = append(groups, []Cell{c})
	}
	shuffle(groups, corpus.Seed+int64(block)+int64(javaHash(workload))+int64(javaHash(operation)))
	for _, g := range groups {
		if block%2 == 1 {
			slices.Reverse(g)
		}
	}
	return slices.Concat(groups...)
}

// measures reports whether a lane has an operation on a workload. A supplement is not measured
// like the others.
func measures(l *suite.Checked, workload, operation string) bool {
	return l.Deterministic == "" && l.Unsupported[workload] == "" && l.Unsupported[workload+"/"+operation] == ""
}

// partner returns the index of the group with the partner of a lane, or -1.
func partner(groups [][]Cell, lane string) int {
	return slices.IndexFunc(groups, func(g []Cell) bool {
		return slices.ContainsFunc(pairs, func(p [2]string) bool {
			return p == [2]string{g[0].Lane, lane} || p == [2]string{lane, g[0].Lane}
		})
	})
}

// join puts the native one of two lanes first.
func join(a, b Cell) []Cell {
	if slices.Contains(pairs, [2]string{b.Lane, a.Lane}) {
		a, b = b, a
	}
	return []Cell{a, b}
}

// shuffle is java.util.Collections.shuffle with a generator of that seed.
func shuffle[T any](list []T, seed int64) {
	r := corpus.NewJavaRandom(seed)
	for i := len(list); i > 1; i-- {
		k := int(r.Intn(int32(i)))
		list[i-1], list[k] = list[k], list[i-1]
	}
}

// javaHash is java.lang.String.hashCode for ASCII.
func javaHash(s string) int32 {
	var h int32
	for _, c := range []byte(s) {
		h = 31*h + int32(c)
	}
	return h
}

// supplementWorkload and supplementOperation are where lanes with sorted maps are measured: sorting
// matters where there are maps.
const (
	supplementWorkload  = suite.Collections
	supplementOperation = suite.Serialize
)

// profileOperations are those of lanes that were built with a profile.
var profileOperations = []string{suite.Serialize, suite.Deserialize}

// profileSuffix ends the names of lanes that were built with a profile.
const profileSuffix = "-pgo"

// profileLanes are those that are built with a profile, too.
var profileLanes = []string{"ours", "protobuf-go"}

// supplements returns what is measured at the end of a block.
func supplements(lanes []suite.Checked, workloads, operations []string, block int, profiled bool) []Cell {
	var all []Cell
	for i := range lanes {
		l := &lanes[i]
		if l.Deterministic != "" && slices.Contains(workloads, supplementWorkload) && slices.Contains(operations, supplementOperation) {
			all = append(all, Cell{
				Lane: l.Deterministic, Worker: l.Lane, Workload: supplementWorkload, Operation: supplementOperation, Block: block, Deterministic: true,
			})
		}
	}
	if !profiled {
		return all
	}
	for _, w := range workloads {
		for _, op := range operations {
			if !slices.Contains(profileOperations, op) {
				continue
			}
			group := profiledCells(lanes, w, op, block)
			if block%2 == 1 {
				slices.Reverse(group)
			}
			all = append(all, group...)
		}
	}
	return all
}

func profiledCells(lanes []suite.Checked, workload, operation string, block int) []Cell {
	var all []Cell
	for _, name := range profileLanes {
		for i := range lanes {
			if l := &lanes[i]; l.Lane == name && measures(l, workload, operation) {
				all = append(all, Cell{
					Lane: name + profileSuffix, Worker: name, Workload: workload, Operation: operation, Block: block, Profiled: true,
				})
			}
		}
	}
	return all
}
