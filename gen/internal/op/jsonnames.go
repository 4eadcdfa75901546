package op

import (
	"fmt"
	"strings"

	"github.com/flinkser/flinkser/gen/internal/model"
	"github.com/flinkser/flinkser/gen/internal/names"
	"github.com/flinkser/flinkser/gen/internal/source"
)

// JSONNames prints the method that lists the fields whose JSON name the .proto file writes although it is
// the default one. The descriptor that protoc-gen-go embeds cannot tell them from others,
// that of a Java class does, and a snapshot has to equal the latter.
func JSONNames(p *source.Printer, m *model.Message) {
	if len(m.JSONNames) == 0 {
		return
	}
	p.F("// %s returns the numbers of the fields of %s whose JSON name is written in the", methodName(m, names.JSONNames), m.FullName)
	p.L("// .proto file, and is the default one. It is for snapshots.")
	open(p, m, names.JSONNames, "", "[]int32")
	numbers := make([]string, len(m.JSONNames))
	for i, n := range m.JSONNames {
		numbers[i] = fmt.Sprint(n)
	}
	p.F("return []int32{%s}", strings.Join(numbers, ", "))
	p.L("}")
	p.L()
}
