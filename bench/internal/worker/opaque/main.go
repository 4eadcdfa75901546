// This program measures the lanes of internal/lanes/opaque.
package main

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/opaque"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

func main() { suite.Main(opaque.Lanes()) }
