package flinkser

import (
	"math"
	"reflect"
	"strconv"

	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/runtime/snapshot"
	"github.com/flinkser/flinkser/runtime/wire"
)

// Limits bound what is written and read. The zero value of a field means its
// default; a negative value is an error. A Limits value may be copied and used by any
// number of goroutines.
type Limits struct {
	// MaxMessageBytes is the largest payload in bytes, without the frame's prefix:
	// 1 to 2147483647, default DefaultMaxMessageBytes.
	MaxMessageBytes int

	// RecursionLimit is the depth of nesting that is still accepted, where the root is
	// at depth 0 and each nested message, map entry (of scalar maps too) and group, of an
	// unknown field too, is one deeper: 1 to MaxRecursionLimit, default DefaultRecursionLimit.
	// For messages with more than about 130 fields the largest limit is lower, so that no
	// message can exhaust the stack.
	RecursionLimit int

	// ElementBudget is the number of messages below the root, map entries, and strings
	// and byte strings in lists that a payload may have when it is read. The default
	// is 65,536 and one for each 4 bytes of payload, which keeps a few bytes from becoming
	// many times as much memory. NoElementBudget switches it off.
	ElementBudget int

	// UnknownGroupLimit makes the groups of unknown fields count apart from
	// RecursionLimit: it is the number of their levels in each unknown field. The default
	// is to count them with it.
	UnknownGroupLimit int
}

// Defaults and bounds of Limits.
const (
	DefaultMaxMessageBytes = 64 << 20
	DefaultRecursionLimit  = 100
	MaxRecursionLimit      = 100_000
	NoElementBudget        = math.MaxInt
)

// ProtobufLimits accepts and refuses what google.golang.org/protobuf does with its
// default options: 9,999 levels below the root, unknown groups apart with 10,001 levels in
// each unknown field, payloads up to 2147483647 bytes, no element budget. Only in messages
// that are extensions does google.golang.org/protobuf begin to count levels anew.
var ProtobufLimits = Limits{
	MaxMessageBytes:   math.MaxInt32,
	RecursionLimit:    9_999,
	ElementBudget:     NoElementBudget,
	UnknownGroupLimit: 10_001,
}

// resolve returns l with its defaults filled in; ElementBudget stays 0 for the default,
// which depends on the payload.
func (l Limits) resolve() (Limits, error) {
	check := func(name string, value, high int, want string) error {
		if value < 0 || value > high {
			return &OptionError{Option: name, Value: int64(value), Want: want}
		}
		return nil
	}
	for _, err := range []error{
		check("MaxMessageBytes", l.MaxMessageBytes, math.MaxInt32, "1 to 2147483647, or 0 for the default"),
		check("RecursionLimit", l.RecursionLimit, MaxRecursionLimit, "1 to 100000, or 0 for the default"),
		check("ElementBudget", l.ElementBudget, math.MaxInt, "at least 1, or 0 for the default"),
		check("UnknownGroupLimit", l.UnknownGroupLimit, math.MaxInt32, "at least 1, or 0 to count with the recursion limit"),
	} {
		if err != nil {
			return l, err
		}
	}
	if l.MaxMessageBytes == 0 {
		l.MaxMessageBytes = DefaultMaxMessageBytes
	}
	if l.RecursionLimit == 0 {
		l.RecursionLimit = DefaultRecursionLimit
	}
	return l, nil
}

// shallow is a recursion limit up to which no stack is too small.
const shallow = 1_000

// fitsStack refuses a recursion limit at which messages like m could exhaust the stack.
func (l Limits) fitsStack(m proto.Message) error {
	if l.RecursionLimit <= shallow || m == nil || isUntyped(m) {
		return nil
	}
	most := wire.MaxDepth(m.ProtoReflect().Descriptor())
	if l.RecursionLimit <= most {
		return nil
	}
	return &OptionError{
		Option: "RecursionLimit",
		Value:  int64(l.RecursionLimit),
		Want:   "at most " + strconv.Itoa(most) + " for messages as wide as " + fullName(m),
	}
}

// budgetBase and budgetShift make the default element budget: 65,536 and a quarter of
// the payload's bytes.
const (
	budgetBase  = 65_536
	budgetShift = 2
)

// uncounted returns the largest payload that cannot hold more elements than its budget,
// because an element takes at least two bytes. No one counts elements up to there.
func (l Limits) uncounted() int {
	switch {
	case l.ElementBudget == 0:
		return budgetBase << budgetShift
	case l.ElementBudget > math.MaxInt/2:
		return math.MaxInt
	default:
		return 2 * l.ElementBudget
	}
}

// budget returns the element budget of a payload of n bytes.
func (l Limits) budget(n int) int {
	if l.ElementBudget > 0 {
		return l.ElementBudget
	}
	return budgetBase + n>>budgetShift
}

// Marshal is the function Marshal with these limits. It also returns an *OptionError, where
// a limit is out of its range.
func (l Limits) Marshal(m proto.Message) ([]byte, error) {
	c, err := newCodec(settings{limits: l})
	if err != nil {
		return nil, err
	}
	return c.marshal(m)
}

// Unmarshal is the function Unmarshal with these limits. It also returns an *OptionError,
// where a limit is out of its range.
func (l Limits) Unmarshal(b []byte, m proto.Message) error {
	c, err := newCodec(settings{limits: l})
	if err != nil {
		return err
	}
	return c.decode(b, m)
}

// settings are what options set.
type settings struct {
	limits        Limits
	deterministic bool
	partial       bool
	alias         bool
	reuse         bool
	merge         bool
	readAhead     int
	codecs        map[reflect.Type]*rootCodec // by message type

	requireGenerated bool

	// What snapshots say besides.
	javaClass           string
	keepJSONNames       bool
	restore             snapshot.Options
	savedRecursionLimit int // of the snapshot that the serializer was restored from, which may be too high for a limit; or 0
}

// codec is the settings in the form in which the hot path wants them.
type codec struct {
	settings
	enc   wire.Encoder
	dec   wire.Decoder
	plain int // the largest payload that dec reads; a larger one needs a decoder that counts, or is refused
}

func newCodec(s settings) (codec, error) {
	var err error
	if s.limits, err = s.limits.resolve(); err != nil {
		return codec{}, err
	}
	c := codec{
		settings: s,
		enc:      wire.NewEncoder(s.limits.MaxMessageBytes),
		dec:      wire.NewDecoder(s.limits.UnknownGroupLimit),
		plain:    min(s.limits.uncounted(), s.limits.MaxMessageBytes),
	}
	c.enc.Deterministic, c.enc.AllowPartial, c.enc.Levels = s.deterministic, s.partial, s.limits.RecursionLimit
	c.dec.Alias, c.dec.AllowPartial, c.dec.Merge = s.alias, s.partial, s.merge
	return c, nil
}
