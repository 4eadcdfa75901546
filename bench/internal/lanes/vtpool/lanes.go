// Package vtpool holds the lane of vtprotobuf with its pools, which are its way to use messages again.
package vtpool

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/internal/form"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// other says why an operation is left out.
const other = "the pools matter for used messages alone; the lane vtprotobuf does this"

// Lanes returns the lane.
func Lanes() []suite.Lane {
	return []suite.Lane{{
		Name: "vtprotobuf-pool", Role: "protobuf peer", Library: "github.com/planetscale/vtprotobuf", OptIn: true, Core: true,
		Checks: suite.Checks{Unknown: true},
		Workloads: form.Workloads(
			form.Only(recordPool, other, suite.DeserializeReuse), form.Only(postPool, other, suite.DeserializeReuse),
			form.Only(batchPool, other, suite.DeserializeReuse), form.Only(widePool, other, suite.DeserializeReuse),
		),
	}}
}
