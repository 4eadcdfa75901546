package snapshot

import (
	"errors"
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// A Policy says which differences between two schemas are accepted.
type Policy int

const (
	// Strict accepts what the Java library accepts: the same schema, added fields and enum
	// values, removed fields whose numbers are reserved, limits that are not lowered.
	Strict Policy = iota
	// Wire accepts what the stored bytes allow: every payload that the one schema can write
	// must be read by the other with equal values, and keep them when it is written again.
	Wire
)

// A Direction says which code reads whose state.
type Direction int

const (
	// Restore: code with the new schema reads state of the old one.
	Restore Direction = iota
	// Rollback: code with the old schema reads state that code with the new one has written.
	Rollback
	// Both checks Restore and Rollback.
	Both
)

// A Level is the weight of a finding.
type Level int

const (
	// None is the level of a difference that is not reported.
	None Level = iota
	// Note is for what has no effect on values.
	Note
	// Warning is for what reads right but deserves a look.
	Warning
	// Break is for what makes a schema incompatible.
	Break
)

// A Basis says what makes a finding true.
type Basis int

const (
	// Bytes: some payload that the writing schema allows shows it.
	Bytes Basis = iota
	// History: a payload that an earlier schema has written shows it.
	History
	// Configuration: it is a matter of identity, limits and settings. Its name in texts and
	// in JSON is "policy".
	Configuration
)

// Known says how a rule of the strict policy is known to be the Java library's.
type Known int

const (
	// Published: release notes or documentation of the library say so.
	Published Known = iota + 1
	// Tested: sources or tests of the library's 0.1.0 milestone show it.
	Tested
	// Inferred: it follows from other rules, or is the stricter of two answers.
	Inferred
)

var (
	policyNames    = []string{"strict", "wire"}
	directionNames = []string{"restore", "rollback", "both"}
	levelNames     = []string{"none", "note", "warning", "break"}
	basisNames     = []string{"bytes", "history", "policy"}
	knownNames     = []string{"", "published", "tested", "inferred"}
)

func name(names []string, i int) string {
	if i < 0 || i >= len(names) {
		return fmt.Sprintf("%d", i)
	}
	return names[i]
}

func parseName(what string, names []string, text []byte) (int, error) {
	for i, name := range names {
		if name == string(text) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%s %q: want one of %s", what, text, strings.Join(names, ", "))
}

// String returns "strict" or "wire".
func (p Policy) String() string { return name(policyNames, int(p)) }

// MarshalText returns the same as String.
func (p Policy) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText takes what MarshalText returns.
func (p *Policy) UnmarshalText(text []byte) error {
	i, err := parseName("policy", policyNames, text)
	*p = Policy(i)
	return err
}

// String returns "restore", "rollback" or "both".
func (d Direction) String() string { return name(directionNames, int(d)) }

// MarshalText returns the same as String.
func (d Direction) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText takes what MarshalText returns.
func (d *Direction) UnmarshalText(text []byte) error {
	i, err := parseName("direction", directionNames, text)
	*d = Direction(i)
	return err
}

// String returns "none", "note", "warning" or "break".
func (l Level) String() string { return name(levelNames, int(l)) }

// MarshalText returns the same as String.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText takes what MarshalText returns.
func (l *Level) UnmarshalText(text []byte) error {
	i, err := parseName("level", levelNames, text)
	*l = Level(i)
	return err
}

// String returns "bytes", "history" or "policy".
func (b Basis) String() string { return name(basisNames, int(b)) }

// MarshalText returns the same as String.
func (b Basis) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText takes what MarshalText returns.
func (b *Basis) UnmarshalText(text []byte) error {
	i, err := parseName("basis", basisNames, text)
	*b = Basis(i)
	return err
}

// String returns "published", "tested" or "inferred", and nothing for zero.
func (k Known) String() string { return name(knownNames, int(k)) }

// MarshalText returns the same as String.
func (k Known) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText takes what MarshalText returns.
func (k *Known) UnmarshalText(text []byte) error {
	i, err := parseName("known", knownNames, text)
	*k = Known(i)
	return err
}

// Options say how Check compares. The zero value is the strict policy in the restore
// direction.
type Options struct {
	Policy    Policy
	Direction Direction
	// Renames maps full names of the old schema to those of the new one: messages, enums and
	// the root itself. A type that is not in it keeps its name.
	Renames map[protoreflect.FullName]protoreflect.FullName
	// IgnoreLimits leaves out the maximum message size and the recursion limit, for schemas
	// that come without settings.
	IgnoreLimits bool
}

// A Finding is one difference between an old and the new schema.
type Finding struct {
	// Code names the rule, such as FIELD_REMOVED. Codes stay what they are.
	Code  Code  `json:"code"`
	Level Level `json:"level"`
	// Direction is Restore or Rollback.
	Direction Direction `json:"direction"`
	Basis     Basis     `json:"basis"`
	// Known says how a rule of the strict policy is known; it is zero under the wire policy.
	Known Known `json:"known,omitempty"`
	// Snapshots are the places, counted from zero, of the old snapshots that show the
	// difference.
	Snapshots []int `json:"snapshots"`
	// Type is the full name of the message or enum, as the old schema has it. It is empty for
	// what concerns the snapshot as a whole.
	Type protoreflect.FullName `json:"type,omitempty"`
	// Path leads from the root to the field, or to the first field of the type: field names
	// with dots between, "key" and "value" for those of a map. More than 16 names are cut at
	// the front.
	Path string `json:"path,omitempty"`
	// Number is the field number or the number of the enum value.
	Number int32 `json:"number,omitempty"`
	// Old and New are the declarations as .proto text. One of them is empty where a schema
	// has none.
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"`
	// Why says what happens to the bytes, Do what can be done.
	Why string `json:"why"`
	Do  string `json:"do,omitempty"`
}

// String returns the finding on one line.
func (f Finding) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v %s", f.Level, f.Code)
	if place := f.Place(); place != "" {
		fmt.Fprintf(&b, " at %s", place)
	}
	switch {
	case f.Old != "" && f.New != "":
		fmt.Fprintf(&b, ": `%s` became `%s`", f.Old, f.New)
	case f.Old != "":
		fmt.Fprintf(&b, ": `%s`", f.Old)
	case f.New != "":
		fmt.Fprintf(&b, ": `%s`", f.New)
	}
	return b.String()
}

// Place returns type, path and number as one text, or nothing.
func (f Finding) Place() string {
	place := string(f.Type)
	if f.Number != 0 {
		place += fmt.Sprintf(" number %d", f.Number)
	}
	if f.Path != "" {
		place += " (" + f.Path + ")"
	}
	return place
}

// A Verdict is the answer of Check. Its JSON form is stable: fields may be added.
type Verdict struct {
	// Compatible says that no finding is a break.
	Compatible bool      `json:"compatible"`
	Policy     Policy    `json:"policy"`
	Direction  Direction `json:"direction"`
	// Findings are all differences above the level None: breaks first, then by place.
	Findings []Finding `json:"findings"`
}

// Level returns the highest level of the findings, None where there are none.
func (v Verdict) Level() Level {
	level := None
	for _, f := range v.Findings {
		level = max(level, f.Level)
	}
	return level
}

// Count returns how many findings have the level l.
func (v Verdict) Count(l Level) int {
	n := 0
	for _, f := range v.Findings {
		if f.Level == l {
			n++
		}
	}
	return n
}

// String returns the verdict as text for people, one paragraph for each finding.
func (v Verdict) String() string {
	var b strings.Builder
	word := "compatible"
	if !v.Compatible {
		word = "incompatible"
	}
	fmt.Fprintf(&b, "%s (%v policy, %v): %s, %s, %s\n", word, v.Policy, v.Direction,
		count(v.Count(Break), "break"), count(v.Count(Warning), "warning"), count(v.Count(Note), "note"))
	for _, f := range v.Findings {
		fmt.Fprintf(&b, "\n%s\n", f)
		if v.Direction == Both {
			fmt.Fprintf(&b, "  direction: %v\n", f.Direction)
		}
		if len(f.Snapshots) != 1 || f.Snapshots[0] != 0 {
			fmt.Fprintf(&b, "  snapshots: %s\n", strings.Trim(fmt.Sprint(f.Snapshots), "[]"))
		}
		fmt.Fprintf(&b, "  why: %s\n", f.Why)
		if f.Do != "" {
			fmt.Fprintf(&b, "  do: %s\n", f.Do)
		}
		fmt.Fprintf(&b, "  basis: %v", f.Basis)
		if f.Known != 0 {
			fmt.Fprintf(&b, ", rule %v", f.Known)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// ErrIncompatible is what errors.Is finds in an *IncompatibleError.
var ErrIncompatible = errors.New("incompatible schema")

// An IncompatibleError is returned where a schema may not restore stored state.
type IncompatibleError struct {
	Verdict Verdict
}

// Err returns an *IncompatibleError with the verdict, or nil if it is compatible.
func (v Verdict) Err() error {
	if v.Compatible {
		return nil
	}
	return &IncompatibleError{Verdict: v}
}

// Error says how many breaks there are and names the first.
func (e *IncompatibleError) Error() string {
	for _, f := range e.Verdict.Findings {
		if f.Level == Break {
			more := ""
			if n := e.Verdict.Count(Break) - 1; n > 0 {
				more = fmt.Sprintf(" (and %d more)", n)
			}
			return fmt.Sprintf("flinkser: %v, %v policy, %v: %v%s", ErrIncompatible, e.Verdict.Policy, f.Direction, f, more)
		}
	}
	return "flinkser: " + ErrIncompatible.Error()
}

// Unwrap returns ErrIncompatible.
func (e *IncompatibleError) Unwrap() error { return ErrIncompatible }
