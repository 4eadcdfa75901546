package suite

// The logical values below belong to no library: every lane turns them into messages of its own,
// and back. An empty list and none are the same, and so are empty bytes and none; a pointer that
// is nil stands for a field that is not set.

// Record is the record of the workloads scalar, text, nested, collections and large.
type Record struct {
	ID        int32
	Timestamp int64
	Active    bool
	Name      string
	Note      *string
	Payload   []byte
	Child     *Child
	Values    []int64

	// Attributes are the entries of a map in the order in which they are inserted. The order
	// is no part of the value.
	Attributes []Entry
}

// Child is the child of a Record.
type Child struct {
	Code int32
	Name string
}

// Entry is an entry of a map. The keys of one map differ.
type Entry struct {
	Key   string
	Value int64
}

// Post is the record of the workload social.
type Post struct {
	ID          string
	Author      string
	Content     string
	Timestamp   int64
	Attachments []Attachment
	Likes       []string
	Comments    []Comment
}

// Attachment is a picture or the like of a Post.
type Attachment struct {
	Type, URL string
}

// Comment is a comment on a Post.
type Comment struct {
	ID        string
	Commenter string
	Text      string
	Timestamp int64
}

// Batch is the record of the workload traces: what an exporter of OpenTelemetry sends. Its parts
// are called as they are there.
type Batch struct {
	ResourceSpans []ResourceSpans
}

// ResourceSpans are the spans of one process.
type ResourceSpans struct {
	Resource   *Resource
	ScopeSpans []ScopeSpans
	SchemaURL  string
}

// Resource describes a process.
type Resource struct {
	Attributes             []KeyValue
	DroppedAttributesCount uint32
}

// ScopeSpans are the spans of one library in a process.
type ScopeSpans struct {
	Scope     *Scope
	Spans     []Span
	SchemaURL string
}

// Scope names a library.
type Scope struct {
	Name, Version          string
	Attributes             []KeyValue
	DroppedAttributesCount uint32
}

// Span is an operation that took time.
type Span struct {
	TraceID                []byte
	SpanID                 []byte
	TraceState             string
	ParentSpanID           []byte
	Flags                  uint32
	Name                   string
	Kind                   int32
	StartTimeUnixNano      uint64
	EndTimeUnixNano        uint64
	Attributes             []KeyValue
	DroppedAttributesCount uint32
	Events                 []Event
	DroppedEventsCount     uint32
	Links                  []Link
	DroppedLinksCount      uint32
	Status                 *Status
}

// Event is something that happened in a span.
type Event struct {
	TimeUnixNano           uint64
	Name                   string
	Attributes             []KeyValue
	DroppedAttributesCount uint32
}

// Link points from a span to another.
type Link struct {
	TraceID                []byte
	SpanID                 []byte
	TraceState             string
	Attributes             []KeyValue
	DroppedAttributesCount uint32
	Flags                  uint32
}

// Status says how a span ended.
type Status struct {
	Message string
	Code    int32
}

// KeyValue is an attribute. Keys may repeat, and their order counts.
type KeyValue struct {
	Key   string
	Value *AnyValue
}

// The kinds of an AnyValue.
const (
	NoValue = iota // none of the others is set
	StringValue
	BoolValue
	IntValue
	DoubleValue
	ArrayValue
)

// AnyValue is a value of one of several kinds. Only the field of its kind has a meaning.
type AnyValue struct {
	Kind   int
	String string
	Bool   bool
	Int    int64
	Double float64
	Array  []AnyValue
}
