// Package sonic has the lanes of github.com/bytedance/sonic.
package sonic

import (
	"github.com/bytedance/sonic"
	"github.com/bytedance/sonic/encoder"

	"github.com/flinkser/flinkser/bench/internal/lanes/internal/lines"
	"github.com/flinkser/flinkser/bench/internal/suite"
)

// Lanes returns the lanes: the default, and the configuration that the library calls the fastest.
// Strings lie in a copy of the input that the library makes.
func Lanes() []suite.Lane {
	safe := suite.Lane{
		Name: "sonic", Role: "other format", Library: "github.com/bytedance/sonic",
		Workloads:   workloads(codec(sonic.ConfigDefault, 0)),
		Unsupported: map[string]string{suite.Traces: negativeZero, suite.WideFields: negativeZero},
	}
	fastest := safe
	fastest.Name += "-fastest"
	fastest.OptIn = true
	fastest.Workloads = workloads(codec(sonic.ConfigFastest, encoder.NoValidateJSONMarshaler))
	return []suite.Lane{safe, fastest}
}

// negativeZero says why workloads with floating point numbers are left out.
const negativeZero = "the library writes the negative zero as -0, which it reads as 0"

func workloads(c lines.Codec) map[string]suite.Bound {
	all := c.Workloads()
	delete(all, suite.Traces)
	delete(all, suite.WideFields)
	return all
}

// codec uses a configuration. Its encoder's options are the same, for the function that writes
// into a buffer.
func codec(api sonic.API, options encoder.Options) lines.Codec {
	var buf []byte
	return lines.Codec{
		Append: func(dst []byte, v any) ([]byte, error) {
			buf = dst
			err := encoder.EncodeInto(&buf, v, options)
			return append(buf, '\n'), err
		},
		Unmarshal: api.Unmarshal,
	}
}
