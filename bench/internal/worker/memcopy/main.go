// This program measures the lanes of internal/lanes/memcopy.
package main

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/memcopy"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

func main() { suite.Main(memcopy.Lanes()) }
