package lane

import (
	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/bench/vtpb"
	"github.com/flinkser/flinkser/internal/corpus"
	"github.com/flinkser/flinkser/internal/corpus/recordpb"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// newPosts makes the set of the social workload.
func newPosts(c Comparison) (*Set, error) {
	s, err := newSet(corpus.Social, corpus.Posts())
	if err != nil {
		return nil, err
	}
	if c.ofLevels() {
		return s, addEach(func() error { return addMessages[recordpb.SocialMediaPost](s, open) }, s.addPostLevels)
	}
	return s, addEach(s.addOpenPosts, s.addVTPosts, s.addCopies)
}

// addOpenPosts is addOpenRecords for another message type.
func (s *Set) addOpenPosts() error {
	records, err := read[recordpb.SocialMediaPost](s)
	if err != nil {
		return err
	}
	safe, err := flinkser.New[*recordpb.SocialMediaPost]()
	if err != nil {
		return err
	}
	reuse, err := flinkser.New[*recordpb.SocialMediaPost](flinkser.WithReuse())
	if err != nil {
		return err
	}
	frames := s.frames

	s.add(Serialize, Ours, func(last *result) func(from, to int) error {
		return func(from, to int) (err error) {
			b := last.frame
			for _, m := range records[from:to] {
				if b, err = safe.Append(b[:0], m); err != nil {
					return err
				}
			}
			last.frame = b
			return nil
		}
	})
	s.add(Serialize, Protobuf, func(last *result) func(from, to int) error {
		return func(from, to int) (err error) {
			b := last.frame
			for _, m := range records[from:to] {
				b = append(b[:0], 0, 0, 0, 0)
				if b, err = (proto.MarshalOptions{}).MarshalAppend(b, m); err != nil {
					return err
				}
				putPrefix(b)
			}
			last.frame = b
			return nil
		}
	})
	s.add(Deserialize, Ours, func(last *result) func(from, to int) error {
		return func(from, to int) error {
			var m *recordpb.SocialMediaPost
			for _, f := range frames[from:to] {
				m = new(recordpb.SocialMediaPost)
				rest, err := safe.Decode(f, m)
				if err != nil {
					return err
				}
				if len(rest) > 0 {
					return errRest
				}
			}
			last.message = m
			return nil
		}
	})
	s.add(Deserialize, OursReuse, func(last *result) func(from, to int) error {
		m := new(recordpb.SocialMediaPost)
		return func(from, to int) error {
			for _, f := range frames[from:to] {
				rest, err := reuse.Decode(f, m)
				if err != nil {
					return err
				}
				if len(rest) > 0 {
					return errRest
				}
			}
			last.message = m
			return nil
		}
	})
	s.add(Deserialize, Protobuf, func(last *result) func(from, to int) error {
		return func(from, to int) error {
			var m *recordpb.SocialMediaPost
			for _, f := range frames[from:to] {
				b, err := payload(f)
				if err != nil {
					return err
				}
				m = new(recordpb.SocialMediaPost)
				if err := proto.Unmarshal(b, m); err != nil {
					return err
				}
			}
			last.message = m
			return nil
		}
	})
	return nil
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
