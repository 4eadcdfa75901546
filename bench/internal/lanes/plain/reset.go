package plain

// The functions below empty a message for libraries that read into what is there, and that leave
// what they do not find as it was. Memory that they can use again stays.

// ResetRecord empties a Record.
func ResetRecord(m *Record) {
	clear(m.Attributes)
	*m = Record{Payload: m.Payload[:0], Values: m.Values[:0], Attributes: m.Attributes}
}

// ResetPost empties a Post.
func ResetPost(m *Post) {
	clear(m.Attachments)
	clear(m.Comments)
	*m = Post{Attachments: m.Attachments[:0], Likes: m.Likes[:0], Comments: m.Comments[:0]}
}

// ResetBatch empties a Batch.
func ResetBatch(m *Batch) {
	clear(m.ResourceSpans)
	m.ResourceSpans = m.ResourceSpans[:0]
}

// ResetWide empties a Wide.
func ResetWide(m *Wide) { *m = Wide{} }
