package lane

import (
	"google.golang.org/protobuf/proto"

	flinkser "github.com/flinkser/flinkser/runtime"
)

// pointer is a pointer to a generated struct.
type pointer[T any] interface {
	*T
	proto.Message
}

// read returns the records as messages of type M. Every lane that serializes works on
// messages that were made in this way, so that they lie in memory alike.
func read[T any, M pointer[T]](s *Set) ([]M, error) {
	var all []M
	for _, f := range s.frames {
		m := M(new(T))
		if err := proto.Unmarshal(f[prefixBytes:], m); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// addMessages adds the lanes of this project and of google.golang.org/protobuf for messages
// of type M. name makes the names of the lanes from those of open messages.
//
// opts are further options of this project.
//
// It is for lanes that are compared with others that it has added, and for messages that take so
// long that the way to the calls under test does not count: see addOpenRecords.
func addMessages[T any, M pointer[T]](s *Set, name func(lane string) string, opts ...flinkser.Option) error {
	records, err := read[T, M](s)
	if err != nil {
		return err
	}
	addProtobuf(s, name(Protobuf), records, fresh[T, M])
	if err := addOurs(s, name(Ours), records, opts...); err != nil {
		return err
	}
	reuse, err := flinkser.New[M](append(opts, flinkser.WithReuse())...)
	if err != nil {
		return err
	}
	m := M(new(T))
	addDecoder(s, name(OursReuse), reuse, func() M { return m })
	return nil
}

// fresh returns a new message.
func fresh[T any, M pointer[T]]() M { return new(T) }

// open names the lanes of open messages.
func open(lane string) string { return lane }

// at names those of messages of another API level.
func at(level string) func(lane string) string {
	return func(lane string) string { return At(lane, level) }
}

// addOurs adds the lanes of this project that decode into a new message.
func addOurs[T any, M pointer[T]](s *Set, name string, records []M, opts ...flinkser.Option) error {
	safe, err := flinkser.New[M](opts...)
	if err != nil {
		return err
	}
	addEncoder(s, name, safe, records)
	addDecoder(s, name, safe, fresh[T, M])
	return nil
}

// serializer is one of this project, for generated or for dynamic messages.
type serializer[M proto.Message] interface {
	Append(dst []byte, m M) ([]byte, error)
	Decode(b []byte, m M) (rest []byte, err error)
}

func addEncoder[M proto.Message](s *Set, name string, by serializer[M], records []M) {
	s.add(Serialize, name, func(last *result) func(from, to int) error {
		return func(from, to int) (err error) {
			b := last.frame
			for _, m := range records[from:to] {
				if b, err = by.Append(b[:0], m); err != nil {
					return err
				}
			}
			last.frame = b
			return nil
		}
	})
}

// addDecoder adds a lane that decodes into the messages that into returns.
func addDecoder[M proto.Message](s *Set, name string, by serializer[M], into func() M) {
	frames := s.frames
	s.add(Deserialize, name, func(last *result) func(from, to int) error {
		return func(from, to int) error {
			var m M
			for _, f := range frames[from:to] {
				m = into()
				rest, err := by.Decode(f, m)
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
}

// addProtobuf adds the lanes of google.golang.org/protobuf. into returns new messages.
func addProtobuf[M proto.Message](s *Set, name string, records []M, into func() M) {
	frames := s.frames

	s.add(Serialize, name, func(last *result) func(from, to int) error {
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
	s.add(Deserialize, name, func(last *result) func(from, to int) error {
		return func(from, to int) error {
			var m M
			for _, f := range frames[from:to] {
				b, err := payload(f)
				if err != nil {
					return err
				}
				m = into()
				if err := proto.Unmarshal(b, m); err != nil {
					return err
				}
			}
			last.message = m
			return nil
		}
	})
}
