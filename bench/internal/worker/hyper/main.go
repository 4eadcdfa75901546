// This program measures the lanes of internal/lanes/hyper.
package main

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/hyper"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

func main() { suite.Main(hyper.Lanes()) }
