// This program measures the lanes of internal/lanes/ours.
package main

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/ours"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

func main() { suite.Main(ours.Lanes()) }
