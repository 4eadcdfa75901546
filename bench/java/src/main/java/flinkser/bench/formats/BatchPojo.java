package flinkser.bench.formats;

import java.util.List;

/** The batch of traces as Kryo takes it. */
public class BatchPojo {
    public List<ResourceSpans> resourceSpans;

    public BatchPojo() {}

    /** See {@link flinkser.bench.corpus.Batch.ResourceSpans}. */
    public static class ResourceSpans {
        public Resource resource;
        public List<ScopeSpans> scopeSpans;
        public String schemaUrl;

        public ResourceSpans() {}
    }

    /** See {@link flinkser.bench.corpus.Batch.Resource}. */
    public static class Resource {
        public List<KeyValue> attributes;
        public int droppedAttributesCount;

        public Resource() {}
    }

    /** See {@link flinkser.bench.corpus.Batch.ScopeSpans}. */
    public static class ScopeSpans {
        public Scope scope;
        public List<Span> spans;
        public String schemaUrl;

        public ScopeSpans() {}
    }

    /** See {@link flinkser.bench.corpus.Batch.Scope}. */
    public static class Scope {
        public String name;
        public String version;
        public List<KeyValue> attributes;
        public int droppedAttributesCount;

        public Scope() {}
    }

    /** See {@link flinkser.bench.corpus.Batch.Span}. */
    public static class Span {
        public byte[] traceId;
        public byte[] spanId;
        public String traceState;
        public byte[] parentSpanId;
        public int flags;
        public String name;
        public int kind;
        public long startTimeUnixNano;
        public long endTimeUnixNano;
        public List<KeyValue> attributes;
        public int droppedAttributesCount;
        public List<Event> events;
        public int droppedEventsCount;
        public List<Link> links;
        public int droppedLinksCount;
        public Status status;

        public Span() {}
    }

    /** See {@link flinkser.bench.corpus.Batch.Event}. */
    public static class Event {
        public long timeUnixNano;
        public String name;
        public List<KeyValue> attributes;
        public int droppedAttributesCount;

        public Event() {}
    }

    /** See {@link flinkser.bench.corpus.Batch.Link}. */
    public static class Link {
        public byte[] traceId;
        public byte[] spanId;
        public String traceState;
        public List<KeyValue> attributes;
        public int droppedAttributesCount;
        public int flags;

        public Link() {}
    }

    /** See {@link flinkser.bench.corpus.Batch.Status}. */
    public static class Status {
        public String message;
        public int code;

        public Status() {}
    }

    /** See {@link flinkser.bench.corpus.Batch.KeyValue}. */
    public static class KeyValue {
        public String key;
        public AnyValue value;

        public KeyValue() {}
    }

    /** A value of one of several types: what is not null. */
    public static class AnyValue {
        public String stringValue;
        public Boolean boolValue;
        public Long intValue;
        public Double doubleValue;
        public List<AnyValue> arrayValue;

        public AnyValue() {}
    }
}
