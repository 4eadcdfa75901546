package wire

import "google.golang.org/protobuf/reflect/protoreflect"

// messages calls visit for every message in v, the value of the field, with its place,
// until it returns an error.
func (f *field) messages(v protoreflect.Value, visit func(step, protoreflect.Message) error) error {
	at := step{field: f.name, index: -1}
	switch f.shape {
	case singular:
		return visit(at, v.Message())
	case listed:
		list := v.List()
		for at.index = range list.Len() {
			if err := visit(at, list.Get(at.index).Message()); err != nil {
				return err
			}
		}
		return nil
	default:
		var err error
		v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
			at.key = k.Interface()
			err = visit(at, v.Message())
			return err == nil
		})
		return err
	}
}

// holdsMessages reports whether the field holds messages, as values of a map too.
func (f *field) holdsMessages() bool {
	return f.isMessage() || f.shape == mapped && f.value.isMessage()
}

// missing returns a required field that m does not have, or nil.
func (t *table) missing(m protoreflect.Message) *field {
	for _, f := range t.fields {
		if f.required && !m.Has(f.desc) {
			return f
		}
	}
	return nil
}

// checkRequired returns the error of a required field that m, or a message in it, does
// not have.
func (t *table) checkRequired(m protoreflect.Message) error {
	if t.reach()&reachesRequired == 0 {
		return nil
	}
	if t.required > 0 {
		if f := t.missing(m); f != nil {
			return Fail(f.name, 0, FailRequired)
		}
	}
	var err error
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		f := t.byDescriptor(fd)
		if !f.holdsMessages() {
			return true
		}
		err = f.checkRequired(v)
		return err == nil
	})
	return err
}

// checkRequired is that of a table for the messages in v, the value of the field.
func (f *field) checkRequired(v protoreflect.Value) error {
	return f.messages(v, func(at step, m protoreflect.Message) error {
		if r, ok := m.Interface().(Requirer); ok {
			return within(r.RequiredFlinkser(), at, 0)
		}
		return within(f.tableOf(m).checkRequired(m), at, 0)
	})
}

// restoreZeros sets in a clone of m the negative zeros that proto.Clone has dropped.
func (t *table) restoreZeros(clone, m protoreflect.Message) {
	if t.reach()&reachesZero == 0 {
		return
	}
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		f := t.byDescriptor(fd)
		if f.zero && v.Float() == 0 {
			clone.Set(fd, v)
		}
		if !f.holdsMessages() {
			return true
		}
		_ = f.messages(v, func(at step, m protoreflect.Message) error {
			to := clone.Get(fd)
			switch {
			case at.key != nil:
				to = to.Map().Get(protoreflect.ValueOf(at.key).MapKey())
			case at.index >= 0:
				to = to.List().Get(at.index)
			}
			f.tableOf(m).restoreZeros(to.Message(), m)
			return nil
		})
		return true
	})
}
