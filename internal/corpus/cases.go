package corpus

import (
	_ "embed"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Case is one byte string and the answer to it. It serves as a test (does the
// codec answer so), as a seed for fuzzing, and as an input to measure.
type Case struct {
	// ID names the case: the row of the table it comes from, a slash, and its place
	// in the row, as in "A15/2".
	ID string
	// What says in words what is special about the bytes.
	What string
	// Message is the full name of the message type to decode In as.
	Message string
	// In is the payload, without a length prefix.
	In []byte
	// Out is what the decoded message encodes to: known fields in ascending order of
	// their numbers, unknown ones last as they came. It is nil where In is refused.
	Out []byte
	// Reason is empty where In is accepted. Otherwise it is one of "truncated",
	// "overflow", "malformed", "utf8" and "uninitialized".
	Reason string
}

// Rejected reports whether the right answer is an error.
func (c Case) Rejected() bool { return c.Reason != "" }

//go:embed testdata/wire.cases
var wireCases string

var loadCases = sync.OnceValue(func() []Case {
	cases, err := parseCases(wireCases)
	if err != nil {
		panic("corpus: testdata/wire.cases: " + err.Error())
	}
	return cases
})

// Cases returns all cases in the order of their file. The caller owns the result,
// the bytes included.
func Cases() []Case {
	cases := slices.Clone(loadCases())
	for i := range cases {
		cases[i].In = slices.Clone(cases[i].In)
		cases[i].Out = slices.Clone(cases[i].Out)
	}
	return cases
}

// parseCases reads the case format: stanzas separated by blank lines, each line
// "key: value", and lines that start with # for the reader alone.
//
//	case: A01/1                what the case is called; starts the stanza
//	what: empty map entry      in words
//	message: cases.t3.All      full name of the message type
//	in: 3a00                   payload in hex; spaces may stand between bytes
//	out: 3a040a001200          re-encoded payload in hex, or
//	error: malformed           why it is refused
//
// Every key but one of out and error is required, and in and out may be empty.
func parseCases(text string) ([]Case, error) {
	var cases []Case
	seen := map[string]int{}
	for start, stanza := range stanzas(text) {
		c, err := parseCase(stanza)
		if err != nil {
			return nil, fmt.Errorf("stanza at line %d: %w", start, err)
		}
		if first, ok := seen[c.ID]; ok {
			return nil, fmt.Errorf("stanza at line %d: case %s is already at line %d", start, c.ID, first)
		}
		seen[c.ID] = start
		cases = append(cases, c)
	}
	return cases, nil
}

// stanzas yields each run of lines that are neither blank nor comments, with the
// number of its first line.
func stanzas(text string) func(yield func(int, []string) bool) {
	return func(yield func(int, []string) bool) {
		var lines []string
		start := 0
		n := 0
		for line := range strings.SplitSeq(text+"\n", "\n") {
			n++
			line = strings.TrimSpace(line)
			switch {
			case strings.HasPrefix(line, "#"):
			case line != "":
				if len(lines) == 0 {
					start = n
				}
				lines = append(lines, line)
			case len(lines) > 0:
				if !yield(start, lines) {
					return
				}
				lines = nil
			}
		}
	}
}

func parseCase(lines []string) (Case, error) {
	values := map[string]string{}
	for _, line := range lines {
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			return Case{}, fmt.Errorf("%q is not of the form key: value", line)
		}
		if _, twice := values[key]; twice {
			return Case{}, fmt.Errorf("%s is given twice", key)
		}
		values[key] = strings.TrimSpace(value)
	}
	c := Case{}
	var err error
	for _, key := range []string{"case", "what", "message", "in"} {
		value, ok := values[key]
		if !ok || value == "" && key != "in" {
			return Case{}, fmt.Errorf("%s is missing", key)
		}
		switch key {
		case "case":
			c.ID = value
		case "what":
			c.What = value
		case "message":
			c.Message = value
		case "in":
			if c.In, err = unhex(value); err != nil {
				return Case{}, fmt.Errorf("in: %w", err)
			}
		}
		delete(values, key)
	}
	out, accepted := values["out"]
	reason, rejected := values["error"]
	if accepted == rejected {
		return Case{}, fmt.Errorf("case %s needs one of out and error", c.ID)
	}
	if accepted {
		if c.Out, err = unhex(out); err != nil {
			return Case{}, fmt.Errorf("out: %w", err)
		}
	} else {
		if !slices.Contains([]string{"truncated", "overflow", "malformed", "utf8", "uninitialized"}, reason) {
			return Case{}, fmt.Errorf("case %s: unknown error %q", c.ID, reason)
		}
		c.Reason = reason
	}
	delete(values, "out")
	delete(values, "error")
	for key := range values {
		return Case{}, fmt.Errorf("case %s: unknown key %q", c.ID, key)
	}
	return c, nil
}

func unhex(s string) ([]byte, error) {
	return hex.DecodeString(strings.ReplaceAll(s, " ", ""))
}
