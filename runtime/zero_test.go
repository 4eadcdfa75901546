package flinkser_test

import (
	"strings"
	"testing"

	"github.com/flinkser/flinkser/golden/cases"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// TestZeroValues checks that what no constructor has made says so and does not panic.
func TestZeroValues(t *testing.T) {
	check := func(what string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), "New function") {
			t.Errorf("%s: error %v", what, err)
		}
	}
	m := &cases.Inner{A: 1, S: "x"}
	var s flinkser.Serializer[*cases.Inner]
	_, err := s.Append(nil, m)
	check("Append", err)
	_, err = s.AppendPayload(nil, m)
	check("AppendPayload", err)
	check("DecodePayload", s.DecodePayload([]byte{8, 1}, m))
	_, err = s.Size(m)
	check("Size", err)
	_, err = s.Clone(m)
	check("Clone", err)
	var r flinkser.Reader[*cases.Inner]
	if r.Next(m) {
		t.Error("Next is true")
	}
	check("Next", r.Err())
	var w flinkser.Writer[*cases.Inner]
	check("Write", w.Write(m))
}
