// This program measures the lanes of internal/lanes/vtproto.
package main

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/vtproto"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

func main() { suite.Main(vtproto.Lanes()) }
