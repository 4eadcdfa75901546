// Package golite has the lanes of github.com/aperturerobotics/protobuf-go-lite.
package golite

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/internal/form"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// Lanes returns the lanes: with messages that own their memory, and with messages that hold parts
// of the bytes they were read from.
func Lanes() []suite.Lane {
	safe := suite.Lane{
		Name: "protobuf-go-lite", Role: "protobuf peer", Library: "github.com/aperturerobotics/protobuf-go-lite",
		Checks:    suite.Checks{Unknown: true},
		Workloads: form.Workloads(recordType, postType, batchType, wideType),
	}
	unsafe := safe
	unsafe.Name += "-unsafe"
	unsafe.SharesInput, unsafe.OptIn = true, true
	unsafe.Workloads = form.Workloads(recordUnsafe, postUnsafe, batchUnsafe, wideUnsafe)
	return []suite.Lane{safe, unsafe}
}
