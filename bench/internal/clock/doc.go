// Package clock is the clock of the benchmarks.
package clock
