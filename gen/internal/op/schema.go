package op

import (
	"fmt"
	"strings"

	"github.com/flinkser/flinkser/gen/internal/model"
	"github.com/flinkser/flinkser/gen/internal/names"
	"github.com/flinkser/flinkser/gen/internal/source"
)

// Schema prints the method that returns the fingerprint of the schema.
func Schema(p *source.Printer, m *model.Message) {
	p.F("// %s returns the fingerprint of the schema of %s.", methodName(m, names.Schema), m.FullName)
	open(p, m, names.Schema, "", "[32]byte")
	p.L("return [32]byte{")
	const perLine = 8
	for i := 0; i < len(m.Schema); i += perLine {
		var line []string
		for _, c := range m.Schema[i : i+perLine] {
			line = append(line, fmt.Sprintf("%#02x,", c))
		}
		p.L(strings.Join(line, " "))
	}
	p.L("}")
	p.L("}")
	p.L()
}
