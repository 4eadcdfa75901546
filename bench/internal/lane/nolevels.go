//go:build worker && !levels

package lane

func (s *Set) addRecordLevels() error { return errLeftOut }
func (s *Set) addPostLevels() error   { return errLeftOut }
