// This program measures the lanes of internal/lanes/golite.
package main

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/golite"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

func main() { suite.Main(golite.Lanes()) }
