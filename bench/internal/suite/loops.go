package suite

import "fmt"

// operation returns what runs an operation over records. What each loop needs is made before, and
// nothing else stays alive.
func (t *Type[L, M]) operation(op string, records []L) (*Runner, error) {
	messages, frames, err := t.prepare(records)
	if err != nil {
		return nil, err
	}
	r := &Runner{Records: len(records)}
	switch op {
	case Serialize:
		r.Run = t.serialize(messages)
	case SerializeSameInstance:
		r.Run = t.serialize(messages[:1])
	case BuildAndSerialize:
		r.Run = t.buildAndSerialize(records)
	case Deserialize:
		r.Run = t.deserialize(frames)
	case DecodeAndRead:
		r.Run = t.decodeAndRead(frames)
	case DeserializeReuse:
		r.Run, err = t.deserializeReuse(frames)
	case ObjectCopy:
		r.Run = t.objectCopy(messages)
	case ObjectCopyReuse:
		r.Run, err = t.objectCopyReuse(messages)
	case StreamCopy:
		r.Run = t.streamCopy(frames)
	default:
		return nil, fmt.Errorf("no operation %q", op)
	}
	return r, err
}

// prepare makes the messages and frames of records.
func (t *Type[L, M]) prepare(records []L) (messages []M, frames [][]byte, err error) {
	for i := range records {
		m, err := t.Build(&records[i])
		if err != nil {
			return nil, nil, fmt.Errorf("record %d: %w", i, err)
		}
		// The capacity is what is needed, so that the frames lie as they would in a stream.
		b, err := t.Append(make([]byte, 0, BufferBytes), m)
		if err != nil {
			return nil, nil, fmt.Errorf("record %d: %w", i, err)
		}
		messages = append(messages, m)
		frames = append(frames, append(make([]byte, 0, len(b)), b...))
	}
	return messages, frames, nil
}

// Each loop below keeps the index of the next record, so that a caller may ask for any number of
// them, and leaves its last result where the compiler cannot know that nobody looks.

func (t *Type[L, M]) serialize(messages []M) func(int) error {
	buf, next := make([]byte, 0, BufferBytes), 0
	return func(records int) error {
		out := buf
		for range records {
			var err error
			if out, err = t.Append(out[:0], messages[next]); err != nil {
				return err
			}
			if next++; next == len(messages) {
				next = 0
			}
		}
		buf = out
		return nil
	}
}

func (t *Type[L, M]) buildAndSerialize(values []L) func(int) error {
	buf, next := make([]byte, 0, BufferBytes), 0
	return func(records int) error {
		out := buf
		for range records {
			m, err := t.Build(&values[next])
			if err != nil {
				return err
			}
			if out, err = t.Append(out[:0], m); err != nil {
				return err
			}
			if next++; next == len(values) {
				next = 0
			}
		}
		buf = out
		return nil
	}
}

func (t *Type[L, M]) deserialize(frames [][]byte) func(int) error {
	var last M
	next := 0
	return func(records int) error {
		var m M
		var err error
		for range records {
			if m, err = t.Decode(frames[next]); err != nil {
				return err
			}
			if next++; next == len(frames) {
				next = 0
			}
		}
		last = m
		_ = last
		return nil
	}
}

func (t *Type[L, M]) decodeAndRead(frames [][]byte) func(int) error {
	var sum uint64
	next := 0
	return func(records int) error {
		for range records {
			m, err := t.Decode(frames[next])
			if err != nil {
				return err
			}
			sum += t.Read(m)
			if next++; next == len(frames) {
				next = 0
			}
		}
		return nil
	}
}

func (t *Type[L, M]) deserializeReuse(frames [][]byte) (func(int) error, error) {
	last, err := t.Decode(frames[len(frames)-1])
	next := 0
	return func(records int) error {
		m := last
		for range records {
			var err error
			if m, err = t.Reuse(frames[next], m); err != nil {
				return err
			}
			if next++; next == len(frames) {
				next = 0
			}
		}
		last = m
		return nil
	}, err
}

func (t *Type[L, M]) objectCopy(messages []M) func(int) error {
	var last M
	next := 0
	return func(records int) error {
		var m M
		var err error
		for range records {
			if m, err = t.Clone(messages[next]); err != nil {
				return err
			}
			if next++; next == len(messages) {
				next = 0
			}
		}
		last = m
		_ = last
		return nil
	}
}

func (t *Type[L, M]) objectCopyReuse(messages []M) (func(int) error, error) {
	// A copy of the lane's own making: nothing of it is shared with what is copied later.
	var last M
	frame, err := t.Append(make([]byte, 0, BufferBytes), messages[len(messages)-1])
	if err == nil {
		last, err = t.Decode(frame)
	}
	next := 0
	return func(records int) error {
		m := last
		for range records {
			var err error
			if m, err = t.CloneInto(m, messages[next]); err != nil {
				return err
			}
			if next++; next == len(messages) {
				next = 0
			}
		}
		last = m
		return nil
	}, err
}

func (t *Type[L, M]) streamCopy(frames [][]byte) func(int) error {
	var stream []byte
	for _, f := range frames {
		stream = append(stream, f...)
	}
	buf, rest := make([]byte, 0, BufferBytes), stream
	return func(records int) error {
		out := buf
		for range records {
			if len(rest) == 0 {
				rest = stream
			}
			var err error
			if out, rest, err = t.CopyStream(out[:0], rest); err != nil {
				return err
			}
		}
		buf = out
		return nil
	}
}
