// This program measures the lanes of internal/lanes/thrift.
package main

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/thrift"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

func main() { suite.Main(thrift.Lanes()) }
