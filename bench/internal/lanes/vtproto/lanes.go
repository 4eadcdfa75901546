// Package vtproto holds the lanes of vtprotobuf without its pools: its plain functions, those that
// write fields strictly in order, and those whose messages share memory with the input.
package vtproto

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/internal/form"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// other says why an operation is left out.
const other = "the same as in the lane vtprotobuf"

// Lanes returns the lanes.
func Lanes() []suite.Lane {
	plain := suite.Lane{
		Name: "vtprotobuf", Role: "protobuf peer", Library: "github.com/planetscale/vtprotobuf", Core: true,
		Checks:    suite.Checks{Unknown: true},
		Workloads: form.Workloads(recordType, postType, batchType, wideType),
	}
	strict := plain
	strict.Name, strict.Core = "vtprotobuf-strict", false
	writes := []string{suite.Serialize, suite.SerializeSameInstance, suite.BuildAndSerialize}
	strict.Workloads = form.Workloads(
		form.Only(recordStrict, other, writes...), form.Only(postStrict, other, writes...),
		form.Only(batchStrict, other, writes...), form.Only(wideStrict, other, writes...),
	)
	unsafe := plain
	unsafe.Name, unsafe.Core = "vtprotobuf-unsafe", false
	unsafe.OptIn, unsafe.SharesInput = true, true
	reads := []string{suite.Deserialize, suite.DeserializeReuse, suite.DecodeAndRead}
	unsafe.Workloads = form.Workloads(
		form.Only(recordUnsafe, other, reads...), form.Only(postUnsafe, other, reads...),
		form.Only(batchUnsafe, other, reads...), form.Only(wideUnsafe, other, reads...),
	)
	return []suite.Lane{plain, strict, unsafe}
}
