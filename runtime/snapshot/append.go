package snapshot

import (
	"encoding/binary"
	"math"
)

// AppendPayload appends the snapshot to b, without the class name and version that Flink puts in front
// of it, and returns the extended slice. On error, which is an *Error, it returns b as it was.
func (s *Snapshot) AppendPayload(b []byte) ([]byte, error) { return s.write(b, false) }

// Append is AppendPayload with the class name and version in front.
func (s *Snapshot) Append(b []byte) ([]byte, error) { return s.write(b, true) }

// texts are the names of a snapshot in the form in which they are written.
type texts struct {
	class, name []byte
}

// check makes the checks of section d.3 of the format, in its order.
func (s *Snapshot) check() (texts, error) {
	if !s.valid() {
		return texts{}, ErrUninitialized
	}
	var class []byte
	var err error
	if !s.settings.Dynamic {
		if class, err = toJava(s.settings.JavaClass, ErrEmptyClassName); err != nil {
			return texts{}, err
		}
	}
	name, err := toJava(string(s.root.FullName()), ErrEmptyMessageName)
	if err != nil {
		return texts{}, err
	}
	if n := len(s.encoded); n < 1 || n > MaxDescriptorBytes {
		return texts{}, because(ErrDescriptorLength, "%d", n)
	}
	return texts{class, name}, nil
}

func (s *Snapshot) write(b []byte, envelope bool) ([]byte, error) {
	t, err := s.check()
	if err != nil {
		return b, failed(opWrite, err)
	}
	if envelope {
		name := snapshotClass
		if s.settings.Dynamic {
			name = dynamicClass
		}
		b = appendText(b, []byte(name))
		b = appendInt(b, snapshotVersion)
	}
	b = appendInt(b, framing)
	b = appendInt(b, normalization)
	if !s.settings.Dynamic {
		b = appendText(b, t.class)
	}
	b = appendText(b, t.name)
	flag := byte(0)
	if s.settings.Deterministic {
		flag = 1
	}
	b = append(b, flag)
	b = appendInt(b, s.settings.MaxMessageSize)
	b = appendInt(b, s.settings.RecursionLimit)
	b = appendInt(b, len(s.encoded))
	b = append(b, s.encoded...)
	return append(b, s.digest[:]...), nil
}

func appendInt(b []byte, n int) []byte { return binary.BigEndian.AppendUint32(b, uint32(n)) }

func appendText(b, text []byte) []byte {
	return append(binary.BigEndian.AppendUint16(b, uint16(len(text))), text...)
}

// toJava returns a text in Java's modified UTF-8, which can be 1 to 65535 bytes long.
func toJava(s string, empty error) ([]byte, error) {
	if s == "" {
		return nil, empty
	}
	b, ok := appendJava(nil, s)
	if !ok {
		return nil, because(ErrText, "%.40q", s)
	}
	if len(b) > math.MaxUint16 {
		return nil, because(ErrTextLength, "%d", len(b))
	}
	return b, nil
}
