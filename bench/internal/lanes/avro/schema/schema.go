// Package schema holds the schemas of the measured workloads for Avro. Fields that protobuf may
// leave out are unions with null, and a oneof is a record of such fields: then each field has a Go
// type, which a union of many types would not have. Avro has no unsigned numbers: those of 32 bits
// are long, and the bits of those of 64 bits are in a long.
package schema

import _ "embed"

// The schemas, as JSON. Those of Record and Post are those of the Java lanes.
var (
	//go:embed record.avsc
	Record string
	//go:embed post.avsc
	Post string
	//go:embed batch.avsc
	Batch string
	//go:embed wide.avsc
	Wide string
)
