// This program measures the lanes of internal/lanes/avro/twmb.
package main

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/avro/twmb"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

func main() { suite.Main(twmb.Lanes()) }
