//go:build worker

package lane

import "errors"

// errLeftOut is the error of lanes that a program was built without.
var errLeftOut = errors.New("this program is built without these lanes: see Comparison.Tag")
