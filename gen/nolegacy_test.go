//go:build !protolegacy

package gen_test

// protoLegacy says whether the descriptor library takes message sets.
const protoLegacy = false
