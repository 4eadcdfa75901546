package op

import (
	"fmt"

	"github.com/flinkser/flinkser/gen/internal/model"
	"github.com/flinkser/flinkser/gen/internal/names"
	"github.com/flinkser/flinkser/gen/internal/shape"
	"github.com/flinkser/flinkser/gen/internal/source"
)

// Required prints the method that finds a required field that is not set, in the message
// or in one that it holds, for messages where that can happen. A read ends with it: a
// field may come with a later piece of a message, so no earlier place is right.
func Required(p *source.Printer, m *model.Message) {
	if !m.MayLack || m.External {
		return
	}
	p.F("// %s returns an error where a required field is not set.", names.Required)
	p.F("func (m *%s) %s() error {", m.GoName, names.Required)
	required := requiredFields(m)
	if len(required) == 0 {
		lines(p,
			"if m == nil {",
			"return nil",
			"}")
	}
	for i, f := range required {
		unset := isUnset(f)
		if i == 0 {
			unset = "m == nil || " + unset
		}
		p.F("if %s {", unset)
		p.F("return wire.Fail(%q, 0, wire.FailRequired)", f.Name)
		p.L("}")
	}
	visit(p, holdersOf(m), checker{})
	p.L("return nil")
	p.L("}")
	p.L()
}

// holdersOf returns m with those fields only that hold messages in which a field may be
// missing.
func holdersOf(m *model.Message) *model.Message {
	holds := func(f *model.Field) bool {
		return isMessage(f) && f.MayLack || f.Shape == shape.Map && isMessage(f.Elem) && f.Elem.MayLack
	}
	c := *m
	c.Runs = nil
	extensions := false
	for _, run := range m.Runs {
		switch {
		case run.To > 0:
			if !extensions {
				c.Runs = append(c.Runs, run)
			}
			extensions = true
		case run.Field == nil:
			part := model.Run{Oneof: run.Oneof}
			for _, f := range run.Members {
				if holds(f) {
					part.Members = append(part.Members, f)
				}
			}
			if len(part.Members) > 0 {
				c.Runs = append(c.Runs, part)
			}
		case holds(run.Field):
			c.Runs = append(c.Runs, run)
		}
	}
	return &c
}

type checker struct{}

func (checker) needs(*model.Field) bool { return true }

func (c checker) value(p *source.Printer, f *model.Field) {
	c.check(p, f, fmt.Sprintf("return wire.In(err, %q, 0)", f.Name))
}

func (checker) check(p *source.Printer, f *model.Field, fail string) {
	if f.Access == model.Direct {
		p.F("if err := v.%s(); err != nil {", names.Required)
	} else {
		p.L("if err := wire.CheckRequired(v); err != nil {")
	}
	p.L(fail)
	p.L("}")
}

func (c checker) list(p *source.Printer, f *model.Field) {
	p.L("for i, v := range v {")
	c.check(p, f, fmt.Sprintf("return wire.InIndex(err, %q, i, 0)", f.Name))
	p.L("}")
}

func (checker) packed(*source.Printer, *model.Field) {}

func (c checker) entries(p *source.Printer, f *model.Field) {
	p.L("for k, v := range v {")
	c.check(p, f.Elem, fmt.Sprintf("return wire.InKey(err, %q, k, 0)", f.Name))
	p.L("}")
}

func (checker) extensions(p *source.Printer, _ model.Run) {
	lines(p,
		"if err := wire.CheckRequiredExtensions(m.extensionFields); err != nil {",
		"return err",
		"}")
}
