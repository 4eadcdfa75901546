// Package sonic has the lanes of github.com/bytedance/sonic.
package sonic

import (
	"math"
	"reflect"

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
		Faults:    "writes the negative zero as -0, which it reads as 0",
		Workloads: codec(sonic.ConfigDefault, 0).Workloads(),
	}
	fastest := safe
	fastest.Name += "-fastest"
	fastest.OptIn = true
	fastest.Workloads = codec(sonic.ConfigFastest, encoder.NoValidateJSONMarshaler).Workloads()
	return []suite.Lane{safe, fastest}
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
		Faulty:    func(logical any) bool { return hasNegativeZero(reflect.ValueOf(logical)) },
	}
}

// hasNegativeZero reports whether there is a negative zero in a value.
func hasNegativeZero(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		return v.Float() == 0 && math.Signbit(v.Float())
	case reflect.Pointer:
		return !v.IsNil() && hasNegativeZero(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if hasNegativeZero(v.Field(i)) {
				return true
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if hasNegativeZero(v.Index(i)) {
				return true
			}
		}
	}
	return false
}
