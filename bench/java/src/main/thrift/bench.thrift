// The messages of the workloads as Thrift structs. Its Java code is committed; see ../../../README.md.
namespace java flinkser.bench.thrift

struct TChild {
  1: i32 code
  2: string name
}

struct TRecord {
  1: i32 id
  2: i64 timestamp
  3: bool active
  4: string name
  5: optional string note
  6: binary payload
  7: TChild child
  8: list<i64> values
  9: map<string, i64> attributes
}

struct TMedia {
  1: string type
  2: string url
}

struct TComment {
  1: string commentId
  2: string commenterId
  3: string commentText
  4: i64 timestamp
}

struct TPost {
  1: string postId
  2: string authorId
  3: string content
  4: i64 timestamp
  5: list<TMedia> mediaAttachments
  6: list<string> likes
  7: list<TComment> comments
}

union TAnyValue {
  1: string stringValue
  2: bool boolValue
  3: i64 intValue
  4: double doubleValue
  5: list<TAnyValue> arrayValue
}

struct TKeyValue {
  1: string key
  2: optional TAnyValue value
}

struct TResource {
  1: list<TKeyValue> attributes
  2: i32 droppedAttributesCount
}

struct TScope {
  1: string name
  2: string version
  3: list<TKeyValue> attributes
  4: i32 droppedAttributesCount
}

struct TEvent {
  1: i64 timeUnixNano
  2: string name
  3: list<TKeyValue> attributes
  4: i32 droppedAttributesCount
}

struct TLink {
  1: binary traceId
  2: binary spanId
  3: string traceState
  4: list<TKeyValue> attributes
  5: i32 droppedAttributesCount
  6: i32 flags
}

struct TStatus {
  1: string message
  2: i32 code
}

struct TSpan {
  1: binary traceId
  2: binary spanId
  3: string traceState
  4: binary parentSpanId
  5: i32 flags
  6: string name
  7: i32 kind
  8: i64 startTimeUnixNano
  9: i64 endTimeUnixNano
  10: list<TKeyValue> attributes
  11: i32 droppedAttributesCount
  12: list<TEvent> events
  13: i32 droppedEventsCount
  14: list<TLink> links
  15: i32 droppedLinksCount
  16: optional TStatus status
}

struct TScopeSpans {
  1: optional TScope scope
  2: list<TSpan> spans
  3: string schemaUrl
}

struct TResourceSpans {
  1: optional TResource resource
  2: list<TScopeSpans> scopeSpans
  3: string schemaUrl
}

struct TBatch {
  1: list<TResourceSpans> resourceSpans
}
