// This program measures the lanes of internal/lanes/protobufgo.
package main

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/protobufgo"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

func main() { suite.Main(protobufgo.Lanes()) }
