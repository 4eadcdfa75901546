// Package version knows which version of the module a command was built from.
package version

import "runtime/debug"

// modulePath is the module that holds the plugin and the runtime.
const modulePath = "github.com/flinkser/flinkser"

// String returns the module version of the running program, as in v1.2.3, or
// "(devel)" for a build from a checkout.
func String() string {
	const unknown = "(devel)"
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Path != modulePath || info.Main.Version == "" {
		return unknown
	}
	return info.Main.Version
}
