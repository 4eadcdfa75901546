// Package alone runs test programs in a network of their own: Prism and Flink listen on all interfaces.
package alone

import "testing"

// Main is what TestMain calls. It runs the tests in a network namespace of their own where the system allows that, and
// says why where it does not.
func Main(m *testing.M, setup func()) int { return run(m, setup) }
