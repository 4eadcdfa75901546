// This program measures the lanes of internal/lanes/dynamic.
package main

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/dynamic"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

func main() { suite.Main(dynamic.Lanes()) }
