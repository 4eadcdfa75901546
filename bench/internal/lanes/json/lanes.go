// Package json has the lanes of encoding/json and of its second version. With Go's experiment
// jsonv2, github.com/go-json-experiment/json stands for encoding/json/v2 of the standard library;
// otherwise it has the same code.
package json

import (
	"bytes"
	"encoding/json"
	"runtime"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/flinkser/flinkser/bench/internal/lanes/internal/lines"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// Lanes returns the lanes. encoding/json replaces what is not UTF-8, which is no check.
func Lanes() []suite.Lane {
	return []suite.Lane{
		{
			Name: "json", Role: "other format", Library: "encoding/json", Version: runtime.Version(),
			Checks: suite.Checks{Depth: true}, Workloads: first().Workloads(),
		},
		{
			Name: "json-v2", Role: "other format", Library: "github.com/go-json-experiment/json",
			Checks: suite.Checks{UTF8: true, Depth: true}, Workloads: second().Workloads(),
		},
	}
}

// first uses encoding/json with an Encoder, which needs no memory of its own for the result as
// Marshal does. It ends values with a line feed.
func first() lines.Codec {
	var out sink
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	return lines.Codec{
		Append: func(dst []byte, v any) ([]byte, error) {
			out = dst
			err := enc.Encode(v)
			return out, err
		},
		Unmarshal: json.Unmarshal,
	}
}

// second uses the second version, which writes into a bytes.Buffer without a copy.
func second() lines.Codec {
	buf := new(bytes.Buffer)
	return lines.Codec{
		Append: func(dst []byte, v any) ([]byte, error) {
			*buf = *bytes.NewBuffer(dst)
			err := jsonv2.MarshalWrite(buf, v)
			return append(buf.Bytes(), '\n'), err
		},
		Unmarshal: func(line []byte, v any) error { return jsonv2.Unmarshal(line, v) },
	}
}

// sink is a writer that appends.
type sink []byte

func (s *sink) Write(b []byte) (int, error) {
	*s = append(*s, b...)
	return len(b), nil
}
