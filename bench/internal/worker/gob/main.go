// This program measures the lanes of internal/lanes/gob.
package main

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/gob"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

func main() { suite.Main(gob.Lanes()) }
