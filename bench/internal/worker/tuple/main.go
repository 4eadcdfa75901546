// This program measures the lanes of internal/lanes/tuple.
package main

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/tuple"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

func main() { suite.Main(tuple.Lanes()) }
