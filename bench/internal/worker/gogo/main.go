// This program measures the lanes of internal/lanes/gogo.
package main

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/gogo"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

func main() { suite.Main(gogo.Lanes()) }
