// Opaque is the testee of the conformance suite whose test messages have opaque structs.
package main

import (
	"os"

	_ "github.com/flinkser/flinkser/conformance/opaque/edition2023pb"
	_ "github.com/flinkser/flinkser/conformance/opaque/proto2editionspb"
	_ "github.com/flinkser/flinkser/conformance/opaque/proto2pb"
	_ "github.com/flinkser/flinkser/conformance/opaque/proto3editionspb"
	_ "github.com/flinkser/flinkser/conformance/opaque/proto3pb"
	"github.com/flinkser/flinkser/conformance/testee"
)

func main() { os.Exit(testee.Main()) }
