// This program measures the lanes of internal/lanes/protojson.
package main

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/protojson"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

func main() { suite.Main(protojson.Lanes()) }
