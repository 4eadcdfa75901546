// This program measures the lanes of internal/lanes/easyproto.
package main

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/easyproto"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

func main() { suite.Main(easyproto.Lanes()) }
