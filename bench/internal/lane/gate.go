package lane

import (
	"bytes"
	"fmt"

	"google.golang.org/protobuf/proto"
)

// Check runs every lane over every record, twice in a row and record by record, and
// compares what comes out with the record: a frame must hold exactly one payload that
// google.golang.org/protobuf reads as the record, a message must be equal to it, also
// after the frame that it was read from has changed. It runs the same code that is timed.
func (s *Set) Check() error {
	for _, l := range s.Lanes {
		// What a reused message holds differs in the second round.
		for range 2 {
			for i := range s.want {
				if err := s.check(l, i); err != nil {
					return fmt.Errorf("workload %s, %s, lane %s, record %d: %w", s.Workload, l.Op, l.Name, i, err)
				}
			}
		}
	}
	for i, want := range s.want {
		b, err := frame(want)
		if err != nil {
			return err
		}
		if !bytes.Equal(b, s.frames[i]) {
			return fmt.Errorf("workload %s: a lane has changed frame %d", s.Workload, i)
		}
	}
	return nil
}

func (s *Set) check(l *Lane, i int) error {
	l.last.message = nil
	l.last.frame = l.last.frame[:0]
	if err := l.Run(i, i+1); err != nil {
		return err
	}
	if l.last.message == nil {
		return s.checkFrame(l.last.frame, i)
	}
	flip(s.frames[i])
	err := s.checkMessage(l.last.message, i)
	flip(s.frames[i])
	return err
}

// flip changes all bytes, and a second call changes them back.
func flip(b []byte) {
	for i := range b {
		b[i] ^= 0xff
	}
}

// checkFrame compares a frame with record i.
func (s *Set) checkFrame(frame []byte, i int) error {
	b, err := payload(frame)
	if err != nil {
		return err
	}
	if len(b) != len(frame)-prefixBytes {
		return errRest
	}
	got := s.want[i].ProtoReflect().New().Interface()
	if err := proto.Unmarshal(b, got); err != nil {
		return fmt.Errorf("the frame is not readable: %w", err)
	}
	return s.compare(got, i)
}

// checkMessage compares a message, which may be of another Go type, with record i.
func (s *Set) checkMessage(m proto.Message, i int) error {
	if m.ProtoReflect().Type() == s.want[i].ProtoReflect().Type() {
		return s.compare(m, i)
	}
	b, err := proto.Marshal(m)
	if err != nil {
		return err
	}
	got := s.want[i].ProtoReflect().New().Interface()
	if err := proto.Unmarshal(b, got); err != nil {
		return err
	}
	return s.compare(got, i)
}

func (s *Set) compare(got proto.Message, i int) error {
	if !proto.Equal(got, s.want[i]) {
		return fmt.Errorf("the result is %s, want %s", brief(got), brief(s.want[i]))
	}
	return nil
}

// brief returns the start of the text of m.
func brief(m proto.Message) string {
	const most = 300
	text := fmt.Sprint(m)
	if len(text) > most {
		return text[:most] + "..."
	}
	return text
}
