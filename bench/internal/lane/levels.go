//go:build !worker || levels

package lane

import (
	"github.com/flinkser/flinkser/bench/levels/hybridpb"
	"github.com/flinkser/flinkser/bench/levels/opaquepb"
)

func (s *Set) addRecordLevels() error {
	return addEach(
		func() error { return addMessages[hybridpb.Record](s, at(Hybrid)) },
		func() error { return addMessages[opaquepb.Record](s, at(Opaque)) })
}

func (s *Set) addPostLevels() error {
	return addEach(
		func() error { return addMessages[hybridpb.SocialMediaPost](s, at(Hybrid)) },
		func() error { return addMessages[opaquepb.SocialMediaPost](s, at(Opaque)) })
}
