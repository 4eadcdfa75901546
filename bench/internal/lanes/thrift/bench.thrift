// The messages of the measured workloads for Apache Thrift; Record is that of the Java lanes.
//
// Thrift has no unsigned numbers and no floating point numbers of 32 bits: the numbers of 32 bits
// are wider here, and the bits of unsigned ones of 64 bits are in signed ones. A oneof is a struct
// of optional fields and not a union, since one field of a union must be set.
namespace go thriftgen

struct Child {
  1: i32 code
  2: string name
}

struct Record {
  1: i32 id
  2: i64 timestamp
  3: bool active
  4: string name
  5: optional string note
  6: binary payload
  7: Child child
  8: list<i64> values
  9: map<string, i64> attributes
}

struct Attachment {
  1: string type
  2: string url
}

struct Comment {
  1: string comment_id
  2: string commenter_id
  3: string comment_text
  4: i64 timestamp
}

struct Post {
  1: string post_id
  2: string author_id
  3: string content
  4: i64 timestamp
  5: list<Attachment> attachments
  6: list<string> likes
  7: list<Comment> comments
}

struct AnyValue {
  1: optional string string_value
  2: optional bool bool_value
  3: optional i64 int_value
  4: optional double double_value
  5: optional ArrayValue array_value
}

struct ArrayValue {
  1: list<AnyValue> values
}

struct KeyValue {
  1: string key
  2: optional AnyValue value
}

struct Resource {
  1: list<KeyValue> attributes
  2: i64 dropped_attributes_count
}

struct Scope {
  1: string name
  2: string version
  3: list<KeyValue> attributes
  4: i64 dropped_attributes_count
}

struct Event {
  1: i64 time_unix_nano
  2: string name
  3: list<KeyValue> attributes
  4: i64 dropped_attributes_count
}

struct Link {
  1: binary trace_id
  2: binary span_id
  3: string trace_state
  4: list<KeyValue> attributes
  5: i64 dropped_attributes_count
  6: i64 flags
}

struct Status {
  1: string message
  2: i32 code
}

struct Span {
  1: binary trace_id
  2: binary span_id
  3: string trace_state
  4: binary parent_span_id
  5: i64 flags
  6: string name
  7: i32 kind
  8: i64 start_time_unix_nano
  9: i64 end_time_unix_nano
  10: list<KeyValue> attributes
  11: i64 dropped_attributes_count
  12: list<Event> events
  13: i64 dropped_events_count
  14: list<Link> links
  15: i64 dropped_links_count
  16: optional Status status
}

struct ScopeSpans {
  1: optional Scope scope
  2: list<Span> spans
  3: string schema_url
}

struct ResourceSpans {
  1: optional Resource resource
  2: list<ScopeSpans> scope_spans
  3: string schema_url
}

struct Batch {
  1: list<ResourceSpans> resource_spans
}

struct Wide {
  1: optional i64 f1
  2: optional i64 f2
  3: optional i64 f3
  4: optional i32 f4
  5: optional i64 f5
  6: optional i64 f6
  7: optional i32 f7
  8: optional i64 f8
  9: optional i64 f9
  10: optional bool f10
  11: optional string f11
  12: optional i64 f12
  13: optional double f13
  14: optional i32 f14
  15: optional double f15
  16: optional i64 f16
  17: optional i64 f17
  18: optional i64 f18
  19: optional i32 f19
  20: optional i64 f20
  21: optional i64 f21
  22: optional i32 f22
  23: optional i64 f23
  24: optional i64 f24
  25: optional bool f25
  26: optional string f26
  27: optional i64 f27
  28: optional double f28
  29: optional i32 f29
  30: optional double f30
  31: optional i64 f31
  32: optional i64 f32
  33: optional i64 f33
  34: optional i32 f34
  35: optional i64 f35
  36: optional i64 f36
  37: optional i32 f37
  38: optional i64 f38
  39: optional i64 f39
  40: optional bool f40
  41: optional string f41
  42: optional i64 f42
  43: optional double f43
  44: optional i32 f44
  45: optional double f45
  46: optional i64 f46
  47: optional i64 f47
  48: optional i64 f48
  49: optional i32 f49
  50: optional i64 f50
  51: optional i64 f51
  52: optional i32 f52
  53: optional i64 f53
  54: optional i64 f54
  55: optional bool f55
  56: optional string f56
  57: optional i64 f57
  58: optional double f58
  59: optional i32 f59
  60: optional double f60
}
