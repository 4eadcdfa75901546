// Package gob has the lanes of encoding/gob.
package gob

import (
	"runtime"

	"github.com/flinkser/flinkser/bench/internal/lanes/gob/gobtypes"
	"github.com/flinkser/flinkser/bench/internal/lanes/internal/form"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// Lanes returns the lanes: one stream for all records, at the start of which the types are
// described, and a new stream for each record.
func Lanes() []suite.Lane {
	stream := suite.Lane{
		Name: "gob-stream", Role: "other format", Library: "encoding/gob", Version: runtime.Version(),
		Checks: suite.Checks{Size: true},
		Workloads: form.Workloads(
			func() (suite.Type[suite.Record, *gobtypes.Record], error) {
				return oneStream(gobtypes.Records(), gobtypes.ResetRecord)
			},
			func() (suite.Type[suite.Post, *gobtypes.Post], error) {
				return oneStream(gobtypes.Posts(), gobtypes.ResetPost)
			},
			func() (suite.Type[suite.Batch, *gobtypes.Batch], error) {
				return oneStream(gobtypes.Batches(), gobtypes.ResetBatch)
			},
			func() (suite.Type[suite.Wide, *gobtypes.Wide], error) {
				return oneStream(gobtypes.Wides(), gobtypes.ResetWide)
			},
		),
	}
	fresh := stream
	fresh.Name = "gob-fresh"
	fresh.Workloads = form.Workloads(
		func() (suite.Type[suite.Record, *gobtypes.Record], error) {
			return newStreams(gobtypes.Records(), gobtypes.ResetRecord)
		},
		func() (suite.Type[suite.Post, *gobtypes.Post], error) {
			return newStreams(gobtypes.Posts(), gobtypes.ResetPost)
		},
		func() (suite.Type[suite.Batch, *gobtypes.Batch], error) {
			return newStreams(gobtypes.Batches(), gobtypes.ResetBatch)
		},
		func() (suite.Type[suite.Wide, *gobtypes.Wide], error) {
			return newStreams(gobtypes.Wides(), gobtypes.ResetWide)
		},
	)
	return []suite.Lane{stream, fresh}
}
