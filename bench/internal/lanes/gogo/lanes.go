// Package gogo has the lane of github.com/gogo/protobuf with the code of protoc-gen-gogofaster.
package gogo

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/internal/form"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// Lanes returns the lane. The generated code drops unknown fields, so that messages need no room
// for them. A message that is read into is reset before, which keeps no memory but its own.
func Lanes() []suite.Lane {
	return []suite.Lane{{
		Name: "gogo", Role: "protobuf peer", Library: "github.com/gogo/protobuf",
		Core:      true,
		Workloads: form.Workloads(recordType, postType, batchType, wideType),
	}}
}
