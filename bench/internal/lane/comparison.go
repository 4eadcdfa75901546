package lane

import (
	"slices"
	"strings"
)

// Comparison says which lanes are measured beside one another, in one process.
type Comparison struct {
	Name      string
	What      string   // what its ratios are to
	Workloads []string // in the order of reports
	Lanes     []string // in the order of reports

	// Share is the part of the time that each lane is measured for.
	Share float64

	// Together are lanes that get adjacent slices. The lane that others are compared with
	// is in the middle.
	Together [][]string

	// Base returns the lane that a lane is compared with; it is its own base where it is one
	// that others are compared with.
	Base func(lane string) string

	// Beside names a second lane that each lane is compared with, and WhatBeside what that is;
	// nil for none.
	Beside     func(lane string) string
	WhatBeside string
}

// Comparisons returns all comparisons in the order of reports.
func Comparisons() []Comparison { return []Comparison{Libraries(), Levels(), Dynamic()} }

// libraries is the name of the comparison with other projects.
const libraries = "libraries"

// Libraries compares this project with others.
func Libraries() Comparison {
	return Comparison{
		Name:      libraries,
		What:      "google.golang.org/protobuf",
		Workloads: Workloads(),
		Lanes:     []string{Ours, OursReuse, Protobuf, VTProto, Memcpy, MemcpyAlloc},
		Share:     1,
		Together:  [][]string{{Ours, Protobuf, OursReuse}},
		Base:      func(string) string { return Protobuf },
	}
}

// levels is the name of the comparison between API levels.
const levels = "levels"

// Levels compares messages of other API levels with open ones, each lane with itself.
func Levels() Comparison {
	c := Comparison{
		Name:      levels,
		What:      "the same with open messages",
		Workloads: corpusWorkloads(),
		// There are many of these lanes, and code that is so alike differs less from slice to
		// slice.
		Share: .5,
		Base: func(lane string) string {
			return strings.TrimSuffix(strings.TrimSuffix(lane, At("", Hybrid)), At("", Opaque))
		},
	}
	for _, name := range []string{Ours, OursReuse, Protobuf} {
		hybrid, opaque := At(name, Hybrid), At(name, Opaque)
		c.Lanes = append(c.Lanes, name, hybrid, opaque)
		c.Together = append(c.Together, []string{hybrid, name, opaque})
	}
	return c
}

// dynamicMessages is the name of the comparison on messages known from a descriptor alone.
const dynamicMessages = "dynamic"

// Dynamic compares this project with google.golang.org/protobuf on dynamic messages, and both
// with the generated code of this project.
func Dynamic() Comparison {
	return Comparison{
		Name:       dynamicMessages,
		What:       "google.golang.org/protobuf with dynamic messages",
		Workloads:  append(corpusWorkloads(), Traces),
		Lanes:      []string{Ours, OursDynamic, ProtobufDynamic},
		Share:      .5,
		Together:   [][]string{{Ours, OursDynamic, ProtobufDynamic}},
		Base:       func(string) string { return ProtobufDynamic },
		Beside:     func(string) string { return Ours },
		WhatBeside: "generated",
	}
}

// Tag returns the build tags of the program that measures a workload, beside the tag worker;
// as a rule there are none. What a program holds of message types that it does not measure
// would cost the collector time in every cycle: with those of all comparisons and workloads,
// reading a record of the workload text took a twentieth longer.
func (c Comparison) Tag(workload string) string {
	switch {
	case c.ofLevels():
		return "levels"
	case c.Name == dynamicMessages:
		return "dynamic"
	case workload == Traces:
		return "traces"
	case workload == ForeignTraces:
		return "external"
	default:
		return ""
	}
}

func (c Comparison) ofLevels() bool { return c.Name == levels }

// Names returns the names of all lanes.
func Names() []string {
	var names []string
	for _, c := range Comparisons() {
		for _, n := range c.Lanes {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	return names
}

// Pick returns the lanes of c that are among names. Where those are of open messages alone, it
// returns none between API levels, and none on dynamic messages.
func (c Comparison) Pick(names []string) []string {
	var lanes []string
	own := c.Name == libraries
	for _, n := range c.Lanes {
		if slices.Contains(names, n) {
			lanes = append(lanes, n)
			own = own || !slices.Contains(Libraries().Lanes, n)
		}
	}
	if !own {
		return nil
	}
	return lanes
}
