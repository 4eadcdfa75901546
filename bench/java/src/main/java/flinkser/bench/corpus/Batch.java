package flinkser.bench.corpus;

import java.util.List;

/**
 * A batch of the workload traces, as no library holds it: what an exporter of OpenTelemetry sends.
 * Its parts are called as they are there.
 */
public record Batch(List<ResourceSpans> resourceSpans) {

    /** The spans of one process. */
    public record ResourceSpans(Resource resource, List<ScopeSpans> scopeSpans, String schemaUrl) {}

    /** A process. */
    public record Resource(List<KeyValue> attributes, int droppedAttributesCount) {}

    /** The spans of one library in a process. */
    public record ScopeSpans(Scope scope, List<Span> spans, String schemaUrl) {}

    /** A library. */
    public record Scope(String name, String version, List<KeyValue> attributes, int droppedAttributesCount) {}

    /** An operation that took time. */
    public record Span(
            Bytes traceId,
            Bytes spanId,
            String traceState,
            Bytes parentSpanId,
            int flags,
            String name,
            int kind,
            long startTimeUnixNano,
            long endTimeUnixNano,
            List<KeyValue> attributes,
            int droppedAttributesCount,
            List<Event> events,
            int droppedEventsCount,
            List<Link> links,
            int droppedLinksCount,
            Status status) {}

    /** Something that happened in a span. */
    public record Event(long timeUnixNano, String name, List<KeyValue> attributes, int droppedAttributesCount) {}

    /** Points from a span to another. */
    public record Link(
            Bytes traceId,
            Bytes spanId,
            String traceState,
            List<KeyValue> attributes,
            int droppedAttributesCount,
            int flags) {}

    /** How a span ended. */
    public record Status(String message, int code) {}

    /**
     * An attribute.
     *
     * @param value a String, Boolean, Long, Double or List of such, or null for none
     */
    public record KeyValue(String key, Object value) {}
}
