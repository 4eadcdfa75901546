// This program measures the lanes of internal/lanes/avro/hamba.
package main

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/avro/hamba"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

func main() { suite.Main(hamba.Lanes()) }
