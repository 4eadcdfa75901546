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
	addProtobuf[T](s, name, records)
	return addOurs[T](s, name, records, opts...)
}

// open names the lanes of open messages.
func open(lane string) string { return lane }

// at names those of messages of another API level.
func at(level string) func(lane string) string {
	return func(lane string) string { return At(lane, level) }
}

func addOurs[T any, M pointer[T]](s *Set, name func(lane string) string, records []M, opts ...flinkser.Option) error {
	safe, err := flinkser.New[M](opts...)
	if err != nil {
		return err
	}
	reuse, err := flinkser.New[M](append(opts, flinkser.WithReuse())...)
	if err != nil {
		return err
	}
	frames := s.frames

	s.add(Serialize, name(Ours), func(last *result) func(from, to int) error {
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
	s.add(Deserialize, name(Ours), func(last *result) func(from, to int) error {
		return func(from, to int) error {
			var m M
			for _, f := range frames[from:to] {
				m = new(T)
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
	s.add(Deserialize, name(OursReuse), func(last *result) func(from, to int) error {
		m := M(new(T))
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
	return nil
}

func addProtobuf[T any, M pointer[T]](s *Set, name func(lane string) string, records []M) {
	frames := s.frames

	s.add(Serialize, name(Protobuf), func(last *result) func(from, to int) error {
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
	s.add(Deserialize, name(Protobuf), func(last *result) func(from, to int) error {
		return func(from, to int) error {
			var m M
			for _, f := range frames[from:to] {
				b, err := payload(f)
				if err != nil {
					return err
				}
				m = new(T)
				if err := proto.Unmarshal(b, m); err != nil {
					return err
				}
			}
			last.message = m
			return nil
		}
	})
}
