package easyproto

import (
	"errors"
	"strings"

	"github.com/VictoriaMetrics/easyproto"

	"github.com/flinkser/flinkser/bench/internal/lanes/plain"
)

// errField is the error for a field of another type than it should have.
var errField = errors.New("a field has the wrong type")

// The library writes what it is told to, so that zeros have to be left out here.

func marshalRecord(w *easyproto.MessageMarshaler, m *plain.Record) {
	if m.ID != 0 {
		appendInt32(w, 1, m.ID)
	}
	if m.Timestamp != 0 {
		w.AppendInt64(2, m.Timestamp)
	}
	if m.Active {
		w.AppendBool(3, true)
	}
	if m.Name != "" {
		w.AppendString(4, m.Name)
	}
	if m.Note != nil {
		w.AppendString(5, *m.Note)
	}
	if len(m.Payload) > 0 {
		w.AppendBytes(6, m.Payload)
	}
	marshalChild(w.AppendMessage(7), &m.Child)
	if len(m.Values) > 0 {
		w.AppendInt64s(8, m.Values)
	}
	for k, v := range m.Attributes {
		e := w.AppendMessage(9)
		e.AppendString(1, k)
		e.AppendInt64(2, v)
	}
}

// The library writes negative numbers of 32 bits in five bytes, where the format wants ten, and
// refuses to read ten. Its methods for 64 bits are right for both.

func appendInt32(w *easyproto.MessageMarshaler, n uint32, v int32) { w.AppendInt64(n, int64(v)) }

func int32Of(fc *easyproto.FieldContext) (int32, bool) {
	v, ok := fc.Int64()
	return int32(v), ok
}

func marshalChild(w *easyproto.MessageMarshaler, m *plain.Child) {
	if m.Code != 0 {
		appendInt32(w, 1, m.Code)
	}
	if m.Name != "" {
		w.AppendString(2, m.Name)
	}
}

// text reads a string.
func (r reader) text(fc *easyproto.FieldContext, to *string) bool {
	s, ok := fc.String()
	if !r.alias {
		s = strings.Clone(s)
	}
	*to = s
	return ok
}

// bytes reads bytes, into the memory of those before where they are not those that were read.
func (r reader) bytes(fc *easyproto.FieldContext, to *[]byte) bool {
	b, ok := fc.Bytes()
	if r.alias {
		*to = b
	} else {
		*to = append((*to)[:0], b...)
	}
	return ok
}

// old returns bytes that may be overwritten, with none in them.
func (r reader) old(b []byte) []byte {
	if r.alias {
		return nil
	}
	return b[:0]
}

func (r reader) record(m *plain.Record, src []byte) error {
	if r.used {
		*m = plain.Record{Payload: r.old(m.Payload), Values: m.Values[:0], Attributes: m.Attributes}
		clear(m.Attributes)
	}
	var fc easyproto.FieldContext
	for len(src) > 0 {
		var err error
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		if err := r.recordField(m, &fc); err != nil {
			return err
		}
	}
	return nil
}

func (r reader) recordField(m *plain.Record, fc *easyproto.FieldContext) error {
	ok := true
	switch fc.FieldNum {
	case 1:
		m.ID, ok = int32Of(fc)
	case 2:
		m.Timestamp, ok = fc.Int64()
	case 3:
		m.Active, ok = fc.Bool()
	case 4:
		ok = r.text(fc, &m.Name)
	case 5:
		m.Note = new(string)
		ok = r.text(fc, m.Note)
	case 6:
		ok = r.bytes(fc, &m.Payload)
	case 7:
		data, is := fc.MessageData()
		if !is {
			return errField
		}
		return r.child(&m.Child, data)
	case 8:
		m.Values, ok = fc.UnpackInt64s(m.Values)
	case 9:
		data, is := fc.MessageData()
		if !is {
			return errField
		}
		return r.attribute(m, data)
	}
	if !ok {
		return errField
	}
	return nil
}

func (r reader) child(m *plain.Child, src []byte) error {
	var fc easyproto.FieldContext
	for len(src) > 0 {
		var err error
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		ok := true
		switch fc.FieldNum {
		case 1:
			m.Code, ok = int32Of(&fc)
		case 2:
			ok = r.text(&fc, &m.Name)
		}
		if !ok {
			return errField
		}
	}
	return nil
}

func (r reader) attribute(m *plain.Record, src []byte) error {
	var key string
	var value int64
	var fc easyproto.FieldContext
	for len(src) > 0 {
		var err error
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		ok := true
		switch fc.FieldNum {
		case 1:
			ok = r.text(&fc, &key)
		case 2:
			value, ok = fc.Int64()
		}
		if !ok {
			return errField
		}
	}
	if m.Attributes == nil {
		m.Attributes = map[string]int64{}
	}
	m.Attributes[key] = value
	return nil
}

func marshalPost(w *easyproto.MessageMarshaler, m *plain.Post) {
	appendText(w, 1, m.ID)
	appendText(w, 2, m.Author)
	appendText(w, 3, m.Content)
	if m.Timestamp != 0 {
		w.AppendInt64(4, m.Timestamp)
	}
	for i := range m.Attachments {
		a := w.AppendMessage(5)
		appendText(a, 1, m.Attachments[i].Type)
		appendText(a, 2, m.Attachments[i].URL)
	}
	for _, s := range m.Likes {
		w.AppendString(6, s)
	}
	for i := range m.Comments {
		c := w.AppendMessage(7)
		appendText(c, 1, m.Comments[i].ID)
		appendText(c, 2, m.Comments[i].Commenter)
		appendText(c, 3, m.Comments[i].Text)
		if m.Comments[i].Timestamp != 0 {
			c.AppendInt64(4, m.Comments[i].Timestamp)
		}
	}
}

// appendText writes a string unless it is empty.
func appendText(w *easyproto.MessageMarshaler, n uint32, s string) {
	if s != "" {
		w.AppendString(n, s)
	}
}

func (r reader) post(m *plain.Post, src []byte) error {
	*m = plain.Post{Attachments: m.Attachments[:0], Likes: m.Likes[:0], Comments: m.Comments[:0]}
	var fc easyproto.FieldContext
	for len(src) > 0 {
		var err error
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		if err := r.postField(m, &fc); err != nil {
			return err
		}
	}
	return nil
}

func (r reader) postField(m *plain.Post, fc *easyproto.FieldContext) error {
	ok := true
	switch fc.FieldNum {
	case 1:
		ok = r.text(fc, &m.ID)
	case 2:
		ok = r.text(fc, &m.Author)
	case 3:
		ok = r.text(fc, &m.Content)
	case 4:
		m.Timestamp, ok = fc.Int64()
	case 5:
		return part(fc, add(&m.Attachments), r.attachment)
	case 6:
		ok = r.text(fc, add(&m.Likes))
	case 7:
		return part(fc, add(&m.Comments), r.comment)
	}
	if !ok {
		return errField
	}
	return nil
}

// add makes a list longer by one element, a zero one, and returns where it is.
func add[T any](list *[]T) *T {
	var zero T
	*list = append(*list, zero)
	return &(*list)[len(*list)-1]
}

// again is add with an element that may hold something from before: for those that start with
// taking what memory they have.
func again[T any](list *[]T) *T {
	if n := len(*list); n < cap(*list) {
		*list = (*list)[:n+1]
		return &(*list)[n]
	}
	return add(list)
}

// part reads a message that is a field.
func part[M any](fc *easyproto.FieldContext, m *M, unmarshal func(*M, []byte) error) error {
	data, ok := fc.MessageData()
	if !ok {
		return errField
	}
	return unmarshal(m, data)
}

func (r reader) attachment(m *plain.Attachment, src []byte) error {
	var fc easyproto.FieldContext
	for len(src) > 0 {
		var err error
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		ok := true
		switch fc.FieldNum {
		case 1:
			ok = r.text(&fc, &m.Type)
		case 2:
			ok = r.text(&fc, &m.URL)
		}
		if !ok {
			return errField
		}
	}
	return nil
}

func (r reader) comment(m *plain.Comment, src []byte) error {
	var fc easyproto.FieldContext
	for len(src) > 0 {
		var err error
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		ok := true
		switch fc.FieldNum {
		case 1:
			ok = r.text(&fc, &m.ID)
		case 2:
			ok = r.text(&fc, &m.Commenter)
		case 3:
			ok = r.text(&fc, &m.Text)
		case 4:
			m.Timestamp, ok = fc.Int64()
		}
		if !ok {
			return errField
		}
	}
	return nil
}
