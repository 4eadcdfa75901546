package tuple

import "github.com/flinkser/flinkser/bench/internal/lanes/plain"

func (w *writer) record(m *plain.Record) {
	w.i32(m.ID)
	w.i64(m.Timestamp)
	w.bool(m.Active)
	w.text(m.Name)
	writePart(w, m.Note, writeText)
	w.bytes(m.Payload)
	w.i32(m.Child.Code)
	w.text(m.Child.Name)
	w.length(len(m.Values))
	for _, v := range m.Values {
		w.i64(v)
	}
	w.length(len(m.Attributes))
	for k, v := range m.Attributes {
		w.text(k)
		w.i64(v)
	}
}

func writeText(w *writer, s *string) { w.text(*s) }
func readText(r *reader, s *string)  { *s = r.text() }

func (r *reader) record(m *plain.Record) {
	m.ID = r.i32()
	m.Timestamp = r.i64()
	m.Active = r.bool()
	m.Name = r.text()
	m.Note = readPart(r, m.Note, readText)
	m.Payload = r.bytes(m.Payload)
	m.Child.Code = r.i32()
	m.Child.Name = r.text()
	r.values(m)
	r.attributes(m)
}

func (r *reader) values(m *plain.Record) {
	n := r.length(8)
	if r.skip {
		r.take(8 * n)
		return
	}
	if cap(m.Values) < n {
		m.Values = make([]int64, n)
	}
	m.Values = m.Values[:n]
	for i := range m.Values {
		m.Values[i] = r.i64()
	}
}

func (r *reader) attributes(m *plain.Record) {
	n := r.length(4 + 8)
	if r.skip {
		for range n {
			r.text()
			r.i64()
		}
		return
	}
	clear(m.Attributes)
	if m.Attributes == nil && n > 0 {
		m.Attributes = make(map[string]int64, n)
	}
	for range n {
		k := r.text()
		m.Attributes[k] = r.i64()
	}
}

func (w *writer) post(m *plain.Post) {
	w.text(m.ID)
	w.text(m.Author)
	w.text(m.Content)
	w.i64(m.Timestamp)
	writeEach(w, m.Attachments, (*writer).attachment)
	writeEach(w, m.Likes, writeText)
	writeEach(w, m.Comments, (*writer).comment)
}

func (r *reader) post(m *plain.Post) {
	m.ID = r.text()
	m.Author = r.text()
	m.Content = r.text()
	m.Timestamp = r.i64()
	m.Attachments = readEach(r, m.Attachments, 2*4, (*reader).attachment)
	m.Likes = readEach(r, m.Likes, 4, readText)
	m.Comments = readEach(r, m.Comments, 3*4+8, (*reader).comment)
}

func (w *writer) attachment(m *plain.Attachment) {
	w.text(m.Type)
	w.text(m.URL)
}

func (r *reader) attachment(m *plain.Attachment) {
	m.Type = r.text()
	m.URL = r.text()
}

func (w *writer) comment(m *plain.Comment) {
	w.text(m.ID)
	w.text(m.Commenter)
	w.text(m.Text)
	w.i64(m.Timestamp)
}

func (r *reader) comment(m *plain.Comment) {
	m.ID = r.text()
	m.Commenter = r.text()
	m.Text = r.text()
	m.Timestamp = r.i64()
}
