package lane

import (
	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/bench/vtpb"
	"github.com/flinkser/flinkser/internal/corpus"
	"github.com/flinkser/flinkser/internal/corpus/recordpb"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// newPosts makes the set of the social workload; see newRecords.
func newPosts() (*Set, error) {
	ours := corpus.Posts()
	s := &Set{Workload: corpus.Social}
	var vt []*vtpb.SocialMediaPost
	for _, m := range ours {
		f, err := frame(m)
		if err != nil {
			return nil, err
		}
		v := new(vtpb.SocialMediaPost)
		if err := proto.Unmarshal(f[prefixBytes:], v); err != nil {
			return nil, err
		}
		vt = append(vt, v)
		s.want = append(s.want, proto.Clone(m))
		s.frames = append(s.frames, f)
	}
	safe, err := flinkser.New[*recordpb.SocialMediaPost]()
	if err != nil {
		return nil, err
	}
	reuse, err := flinkser.New[*recordpb.SocialMediaPost](flinkser.WithReuse())
	if err != nil {
		return nil, err
	}
	frames := s.frames

	s.add(Serialize, Ours, func(last *result) func(from, to int) error {
		return func(from, to int) (err error) {
			b := last.frame
			for _, m := range ours[from:to] {
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
			for _, m := range ours[from:to] {
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
				last.message = m
			}
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
	s.addCopies()
	return s, nil
}
