// This program measures the lanes of internal/lanes/msgp.
package main

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/msgp"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

func main() { suite.Main(msgp.Lanes()) }
