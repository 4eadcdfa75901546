//go:build race

package snapshot

// raceDetector says that tests run many times slower than usual.
const raceDetector = true
