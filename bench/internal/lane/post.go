package lane

import (
	"github.com/flinkser/flinkser/bench/levels/hybridpb"
	"github.com/flinkser/flinkser/bench/levels/opaquepb"
	"github.com/flinkser/flinkser/bench/vtpb"
	"github.com/flinkser/flinkser/internal/corpus"
	"github.com/flinkser/flinkser/internal/corpus/recordpb"
)

// newPosts makes the set of the social workload.
func newPosts(c Comparison) (*Set, error) {
	s, err := newSet(corpus.Social, corpus.Posts())
	if err != nil {
		return nil, err
	}
	open := func() error { return addMessages[recordpb.SocialMediaPost](s, open) }
	if c.ofLevels() {
		return s, addEach(
			open,
			func() error { return addMessages[hybridpb.SocialMediaPost](s, at(Hybrid)) },
			func() error { return addMessages[opaquepb.SocialMediaPost](s, at(Opaque)) })
	}
	return s, addEach(open, s.addVTPosts, s.addCopies)
}

// addVTPosts is addVTRecords for another message type.
func (s *Set) addVTPosts() error {
	vt, err := read[vtpb.SocialMediaPost](s)
	if err != nil {
		return err
	}
	frames := s.frames
	s.add(Serialize, VTProto, func(last *result) func(from, to int) error {
		return func(from, to int) error {
			b := last.frame
			for _, m := range vt[from:to] {
				n := m.SizeVT()
				if cap(b) < prefixBytes+n {
					b = make([]byte, prefixBytes+n)
				}
				b = b[:prefixBytes+n]
				if _, err := m.MarshalToSizedBufferVT(b[prefixBytes:]); err != nil {
					return err
				}
				putPrefix(b)
			}
			last.frame = b
			return nil
		}
	})
	s.add(Deserialize, VTProto, func(last *result) func(from, to int) error {
		return func(from, to int) error {
			var m *vtpb.SocialMediaPost
			for _, f := range frames[from:to] {
				b, err := payload(f)
				if err != nil {
					return err
				}
				m = new(vtpb.SocialMediaPost)
				if err := m.UnmarshalVT(b); err != nil {
					return err
				}
			}
			last.message = m
			return nil
		}
	})
	return nil
}
