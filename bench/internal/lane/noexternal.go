//go:build worker && !external

package lane

func newForeignTraces() (*Set, error) { return nil, errLeftOut }
