package flinkser

// Option is a setting of a serializer, reader or writer.
type Option func(*settings) error

// WithLimits sets all limits at once; fields that are zero get their default, whatever
// options before it have set.
func WithLimits(l Limits) Option {
	return func(s *settings) error {
		s.limits = l
		return nil
	}
}

// WithMaxMessageSize sets the largest payload in bytes, on write and on read: 1 to
// 2147483647. The default is DefaultMaxMessageBytes.
func WithMaxMessageSize(bytes int) Option {
	return positive("WithMaxMessageSize", bytes, "1 to 2147483647", func(s *settings) { s.limits.MaxMessageBytes = bytes })
}

// WithRecursionLimit sets the depth of nesting that is still accepted, on write and on
// read: 1 to MaxRecursionLimit, or less for messages with more than about 130 fields. The
// default is DefaultRecursionLimit.
func WithRecursionLimit(levels int) Option {
	return positive("WithRecursionLimit", levels, "1 to 100000", func(s *settings) { s.limits.RecursionLimit = levels })
}

// WithElementBudget sets how many messages below the root, map entries, and strings and
// byte strings in lists a payload may have when it is read: at least 1. See
// Limits.ElementBudget for the default.
func WithElementBudget(elements int) Option {
	return positive("WithElementBudget", elements, "at least 1", func(s *settings) { s.limits.ElementBudget = elements })
}

// WithoutElementBudget accepts any number of elements.
func WithoutElementBudget() Option {
	return WithElementBudget(NoElementBudget)
}

func positive(name string, value int, want string, set func(*settings)) Option {
	return func(s *settings) error {
		if value < 1 {
			return &OptionError{Option: name, Value: int64(value), Want: want}
		}
		set(s)
		return nil
	}
}

// WithDeterministic writes maps in the order of their keys, as protobuf-java does:
// strings by UTF-16 code unit, numbers as signed ones, false before true. Equal messages
// of one schema without unknown fields have equal bytes then.
func WithDeterministic() Option {
	return func(s *settings) error { s.deterministic = true; return nil }
}

// WithPartial accepts messages whose required fields are not set, on write and on read.
func WithPartial() Option {
	return func(s *settings) error { s.partial = true; return nil }
}

// WithAliasing makes strings and byte strings of decoded messages parts of the input
// instead of copies. The input must not change as long as such a message, or any part of
// it, is in use. Byte strings are cut at their end, so that appending to one does not
// write into the input. A Reader gives each frame memory of its own then.
//
// Do not give a message that was decoded this way to a serializer that reuses
// messages without aliasing: it would write into the old input.
func WithAliasing() Option {
	return func(s *settings) error { s.alias = true; return nil }
}

// WithReuse makes Decode keep using the strings, slices, maps and messages that the
// message holds, which takes a third to three quarters of the time of new ones in our benchmarks. The message must own all of
// them alone: nothing else may hold a message, slice or map of it, and no message may
// stand in it twice, nor in the memory behind the end of one of its lists: take elements
// out with slices.Delete, which clears that. Messages that only a serializer has filled
// are like that.
func WithReuse() Option {
	return func(s *settings) error { s.reuse = true; return nil }
}

// WithMerge makes Decode add to the message instead of replacing its content: lists are
// appended to, maps and messages merged, everything else is overwritten. To merge one
// message into another, use proto.Merge. It cannot be combined with WithReuse.
func WithMerge() Option {
	return func(s *settings) error { s.merge = true; return nil }
}

// RequireGenerated refuses message types without generated code, the type of the
// serializer and all that its fields can hold. New returns a *NotGeneratedError.
func RequireGenerated() Option {
	return func(s *settings) error { s.requireGenerated = true; return nil }
}

// WithReadAhead lets a Reader take up to this many bytes more from its source than the
// frames that it has returned, which saves calls: 16 to 1073741824. The Reader takes as
// much memory for it. The default is to take nothing beyond a frame. Serializers and
// Writers ignore it.
func WithReadAhead(bytes int) Option {
	return func(s *settings) error {
		if bytes < 16 || bytes > 1<<30 {
			return &OptionError{Option: "WithReadAhead", Value: int64(bytes), Want: "16 to 1073741824"}
		}
		s.readAhead = bytes
		return nil
	}
}

func apply(opts []Option) (settings, error) {
	var s settings
	for _, o := range opts {
		if err := o(&s); err != nil {
			return s, err
		}
	}
	if s.merge && s.reuse {
		return s, &OptionError{Option: "WithMerge", With: "WithReuse"}
	}
	return s, nil
}
