// This program measures the lanes of internal/lanes/vtpool.
package main

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/vtpool"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

func main() { suite.Main(vtpool.Lanes()) }
