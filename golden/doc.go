// Package golden holds no code of its own. The folders below it are schemas chosen to be
// awkward, with the code that the generators make of them, and the tests here run that
// code: byte strings with known answers (TestWire), and comparisons with
// google.golang.org/protobuf (TestDifferential, FuzzDifferential).
package golden
