//go:build worker && !traces

package lane

func newTraces() (*Set, error) { return nil, errLeftOut }
