// This program measures the lanes of internal/lanes/sonic.
package main

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/sonic"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

func main() { suite.Main(sonic.Lanes()) }
