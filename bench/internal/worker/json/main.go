// This program measures the lanes of internal/lanes/json.
package main

import (
	"github.com/flinkser/flinkser/bench/internal/lanes/json"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

func main() { suite.Main(json.Lanes()) }
