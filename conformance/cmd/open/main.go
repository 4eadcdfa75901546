// Open is the testee of the conformance suite whose test messages have open structs.
package main

import (
	"os"

	_ "github.com/flinkser/flinkser/conformance/open/edition2023pb"
	_ "github.com/flinkser/flinkser/conformance/open/proto2editionspb"
	_ "github.com/flinkser/flinkser/conformance/open/proto2pb"
	_ "github.com/flinkser/flinkser/conformance/open/proto3editionspb"
	_ "github.com/flinkser/flinkser/conformance/open/proto3pb"
	"github.com/flinkser/flinkser/conformance/testee"
)

func main() { os.Exit(testee.Main()) }
