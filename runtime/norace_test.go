//go:build !race

package flinkser_test

// raceDetector says that tests run many times slower than usual.
const raceDetector = false
