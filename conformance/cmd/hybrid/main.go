// Hybrid is the testee of the conformance suite whose test messages have hybrid structs, which are opaque under the build tag protoopaque.
package main

import (
	"os"

	_ "github.com/flinkser/flinkser/conformance/hybrid/edition2023pb"
	_ "github.com/flinkser/flinkser/conformance/hybrid/proto2editionspb"
	_ "github.com/flinkser/flinkser/conformance/hybrid/proto2pb"
	_ "github.com/flinkser/flinkser/conformance/hybrid/proto3editionspb"
	_ "github.com/flinkser/flinkser/conformance/hybrid/proto3pb"
	"github.com/flinkser/flinkser/conformance/testee"
)

func main() { os.Exit(testee.Main()) }
