//go:build worker && !dynamic

package lane

func newDynamic(string) (*Set, error) { return nil, errLeftOut }
