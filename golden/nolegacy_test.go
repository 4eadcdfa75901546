//go:build !protolegacy

package golden_test

import "testing"

// protoLegacy says whether the descriptor library takes message sets.
const protoLegacy = false

// checkMessageSets would need message sets: see legacy_test.go.
func checkMessageSets(*testing.T) {}
