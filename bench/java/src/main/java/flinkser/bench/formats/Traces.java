package flinkser.bench.formats;

import static flinkser.bench.formats.Posts.each;

import com.google.protobuf.ByteString;
import flinkser.bench.Bench;
import flinkser.bench.Format;
import flinkser.bench.corpus.Batch;
import flinkser.bench.corpus.Bytes;
import flinkser.bench.thrift.TAnyValue;
import flinkser.bench.thrift.TBatch;
import flinkser.bench.thrift.TEvent;
import flinkser.bench.thrift.TKeyValue;
import flinkser.bench.thrift.TLink;
import flinkser.bench.thrift.TResource;
import flinkser.bench.thrift.TResourceSpans;
import flinkser.bench.thrift.TScope;
import flinkser.bench.thrift.TScopeSpans;
import flinkser.bench.thrift.TSpan;
import flinkser.bench.thrift.TStatus;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Supplier;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** The batch of the workload traces as POJOs, and in the classes of protoc and of the Thrift compiler. */
public final class Traces {
    private Traces() {}

    /** Objects for Kryo. */
    public static final class Pojo extends Format<Batch, BatchPojo> {
        public Pojo(Supplier<TypeSerializer<BatchPojo>> serializers) {
            super(serializers);
        }

        @Override
        public BatchPojo build(Batch value) {
            BatchPojo p = new BatchPojo();
            p.resourceSpans = each(value.resourceSpans(), Pojo::build);
            return p;
        }

        private static BatchPojo.ResourceSpans build(Batch.ResourceSpans v) {
            BatchPojo.ResourceSpans p = new BatchPojo.ResourceSpans();
            p.resource = new BatchPojo.Resource();
            p.resource.attributes = each(v.resource().attributes(), Pojo::build);
            p.resource.droppedAttributesCount = v.resource().droppedAttributesCount();
            p.scopeSpans = each(v.scopeSpans(), Pojo::build);
            p.schemaUrl = v.schemaUrl();
            return p;
        }

        private static BatchPojo.ScopeSpans build(Batch.ScopeSpans v) {
            BatchPojo.ScopeSpans p = new BatchPojo.ScopeSpans();
            p.scope = new BatchPojo.Scope();
            p.scope.name = v.scope().name();
            p.scope.version = v.scope().version();
            p.scope.attributes = each(v.scope().attributes(), Pojo::build);
            p.scope.droppedAttributesCount = v.scope().droppedAttributesCount();
            p.spans = each(v.spans(), Pojo::build);
            p.schemaUrl = v.schemaUrl();
            return p;
        }

        private static BatchPojo.Span build(Batch.Span v) {
            BatchPojo.Span p = new BatchPojo.Span();
            p.traceId = v.traceId().toArray();
            p.spanId = v.spanId().toArray();
            p.traceState = v.traceState();
            p.parentSpanId = v.parentSpanId().toArray();
            p.flags = v.flags();
            p.name = v.name();
            p.kind = v.kind();
            p.startTimeUnixNano = v.startTimeUnixNano();
            p.endTimeUnixNano = v.endTimeUnixNano();
            p.attributes = each(v.attributes(), Pojo::build);
            p.droppedAttributesCount = v.droppedAttributesCount();
            p.events = each(v.events(), Pojo::build);
            p.droppedEventsCount = v.droppedEventsCount();
            p.links = each(v.links(), Pojo::build);
            p.droppedLinksCount = v.droppedLinksCount();
            p.status = new BatchPojo.Status();
            p.status.message = v.status().message();
            p.status.code = v.status().code();
            return p;
        }

        private static BatchPojo.Event build(Batch.Event v) {
            BatchPojo.Event p = new BatchPojo.Event();
            p.timeUnixNano = v.timeUnixNano();
            p.name = v.name();
            p.attributes = each(v.attributes(), Pojo::build);
            p.droppedAttributesCount = v.droppedAttributesCount();
            return p;
        }

        private static BatchPojo.Link build(Batch.Link v) {
            BatchPojo.Link p = new BatchPojo.Link();
            p.traceId = v.traceId().toArray();
            p.spanId = v.spanId().toArray();
            p.traceState = v.traceState();
            p.attributes = each(v.attributes(), Pojo::build);
            p.droppedAttributesCount = v.droppedAttributesCount();
            p.flags = v.flags();
            return p;
        }

        private static BatchPojo.KeyValue build(Batch.KeyValue v) {
            BatchPojo.KeyValue p = new BatchPojo.KeyValue();
            p.key = v.key();
            p.value = v.value() == null ? null : anyValue(v.value());
            return p;
        }

        private static BatchPojo.AnyValue anyValue(Object value) {
            BatchPojo.AnyValue p = new BatchPojo.AnyValue();
            if (value instanceof String s) {
                p.stringValue = s;
            } else if (value instanceof Boolean b) {
                p.boolValue = b;
            } else if (value instanceof Long n) {
                p.intValue = n;
            } else if (value instanceof Double d) {
                p.doubleValue = d;
            } else {
                p.arrayValue = each((List<?>) value, Pojo::anyValue);
            }
            return p;
        }

        @Override
        public Batch value(BatchPojo p) {
            return new Batch(each(
                    p.resourceSpans,
                    r -> new Batch.ResourceSpans(
                            new Batch.Resource(
                                    each(r.resource.attributes, Pojo::value), r.resource.droppedAttributesCount),
                            each(r.scopeSpans, Pojo::value),
                            r.schemaUrl)));
        }

        private static Batch.ScopeSpans value(BatchPojo.ScopeSpans p) {
            return new Batch.ScopeSpans(
                    new Batch.Scope(
                            p.scope.name,
                            p.scope.version,
                            each(p.scope.attributes, Pojo::value),
                            p.scope.droppedAttributesCount),
                    each(p.spans, Pojo::value),
                    p.schemaUrl);
        }

        private static Batch.Span value(BatchPojo.Span p) {
            return new Batch.Span(
                    Bytes.copyOf(p.traceId),
                    Bytes.copyOf(p.spanId),
                    p.traceState,
                    Bytes.copyOf(p.parentSpanId),
                    p.flags,
                    p.name,
                    p.kind,
                    p.startTimeUnixNano,
                    p.endTimeUnixNano,
                    each(p.attributes, Pojo::value),
                    p.droppedAttributesCount,
                    each(
                            p.events,
                            e -> new Batch.Event(
                                    e.timeUnixNano,
                                    e.name,
                                    each(e.attributes, Pojo::value),
                                    e.droppedAttributesCount)),
                    p.droppedEventsCount,
                    each(p.links, Pojo::value),
                    p.droppedLinksCount,
                    new Batch.Status(p.status.message, p.status.code));
        }

        private static Batch.Link value(BatchPojo.Link p) {
            return new Batch.Link(
                    Bytes.copyOf(p.traceId),
                    Bytes.copyOf(p.spanId),
                    p.traceState,
                    each(p.attributes, Pojo::value),
                    p.droppedAttributesCount,
                    p.flags);
        }

        private static Batch.KeyValue value(BatchPojo.KeyValue p) {
            return new Batch.KeyValue(p.key, p.value == null ? null : value(p.value));
        }

        private static Object value(BatchPojo.AnyValue p) {
            if (p.stringValue != null) {
                return p.stringValue;
            }
            if (p.boolValue != null) {
                return p.boolValue;
            }
            if (p.intValue != null) {
                return p.intValue;
            }
            if (p.doubleValue != null) {
                return p.doubleValue;
            }
            return each(p.arrayValue, Pojo::value);
        }

        @Override
        public long read(BatchPojo p) {
            long sum = 0;
            for (BatchPojo.ResourceSpans r : p.resourceSpans) {
                sum += read(r.resource.attributes) + r.resource.droppedAttributesCount + Sum.of(r.schemaUrl);
                for (BatchPojo.ScopeSpans s : r.scopeSpans) {
                    sum += Sum.of(s.scope.name)
                            + Sum.of(s.scope.version)
                            + read(s.scope.attributes)
                            + s.scope.droppedAttributesCount
                            + Sum.of(s.schemaUrl);
                    for (BatchPojo.Span span : s.spans) {
                        sum += read(span);
                    }
                }
            }
            return sum;
        }

        private static long read(BatchPojo.Span p) {
            long sum = Sum.of(p.traceId)
                    + Sum.of(p.spanId)
                    + Sum.of(p.traceState)
                    + Sum.of(p.parentSpanId)
                    + p.flags
                    + Sum.of(p.name)
                    + p.kind
                    + p.startTimeUnixNano
                    + p.endTimeUnixNano
                    + read(p.attributes)
                    + p.droppedAttributesCount
                    + p.droppedEventsCount
                    + p.droppedLinksCount
                    + Sum.of(p.status.message)
                    + p.status.code;
            for (BatchPojo.Event e : p.events) {
                sum += e.timeUnixNano + Sum.of(e.name) + read(e.attributes) + e.droppedAttributesCount;
            }
            for (BatchPojo.Link l : p.links) {
                sum += Sum.of(l.traceId)
                        + Sum.of(l.spanId)
                        + Sum.of(l.traceState)
                        + read(l.attributes)
                        + l.droppedAttributesCount
                        + l.flags;
            }
            return sum;
        }

        private static long read(List<BatchPojo.KeyValue> attributes) {
            long sum = 0;
            for (BatchPojo.KeyValue a : attributes) {
                sum += Sum.of(a.key) + (a.value == null ? 0 : read(a.value));
            }
            return sum;
        }

        private static long read(BatchPojo.AnyValue p) {
            if (p.stringValue != null) {
                return Sum.of(p.stringValue);
            }
            if (p.boolValue != null) {
                return Sum.of(p.boolValue);
            }
            if (p.intValue != null) {
                return p.intValue;
            }
            if (p.doubleValue != null) {
                return Double.doubleToLongBits(p.doubleValue);
            }
            long sum = 0;
            for (BatchPojo.AnyValue element : p.arrayValue) {
                sum += read(element);
            }
            return sum;
        }

        @Override
        public boolean mutate(BatchPojo p) {
            BatchPojo.ResourceSpans r = p.resourceSpans.get(0);
            BatchPojo.Span span = r.scopeSpans.get(0).spans.get(0);
            r.resource.attributes.get(0).value.stringValue += "!";
            r.resource.attributes.get(5).value.arrayValue.get(0).stringValue = "!";
            span.traceId[0]++;
            span.status.code++;
            span.attributes.remove(0);
            return true;
        }
    }

    /** Classes that protoc generates. */
    public static final class Protobuf extends Format<Batch, Bench.Batch> {
        public Protobuf(Supplier<TypeSerializer<Bench.Batch>> serializers) {
            super(serializers);
        }

        @Override
        public Bench.Batch build(Batch value) {
            Bench.Batch.Builder batch = Bench.Batch.newBuilder();
            for (Batch.ResourceSpans r : value.resourceSpans()) {
                Bench.ResourceSpans.Builder resource = batch.addResourceSpansBuilder();
                Bench.Resource.Builder process = resource.getResourceBuilder();
                for (Batch.KeyValue a : r.resource().attributes()) {
                    process.addAttributes(build(a));
                }
                process.setDroppedAttributesCount(r.resource().droppedAttributesCount());
                resource.setSchemaUrl(r.schemaUrl());
                for (Batch.ScopeSpans s : r.scopeSpans()) {
                    resource.addScopeSpans(build(s));
                }
            }
            return batch.build();
        }

        private static Bench.ScopeSpans.Builder build(Batch.ScopeSpans v) {
            Bench.ScopeSpans.Builder p = Bench.ScopeSpans.newBuilder().setSchemaUrl(v.schemaUrl());
            Bench.Scope.Builder scope = p.getScopeBuilder()
                    .setName(v.scope().name())
                    .setVersion(v.scope().version())
                    .setDroppedAttributesCount(v.scope().droppedAttributesCount());
            for (Batch.KeyValue a : v.scope().attributes()) {
                scope.addAttributes(build(a));
            }
            for (Batch.Span span : v.spans()) {
                p.addSpans(build(span));
            }
            return p;
        }

        private static Bench.Span.Builder build(Batch.Span v) {
            Bench.Span.Builder p = Bench.Span.newBuilder()
                    .setTraceId(bytes(v.traceId()))
                    .setSpanId(bytes(v.spanId()))
                    .setTraceState(v.traceState())
                    .setParentSpanId(bytes(v.parentSpanId()))
                    .setFlags(v.flags())
                    .setName(v.name())
                    .setKindValue(v.kind())
                    .setStartTimeUnixNano(v.startTimeUnixNano())
                    .setEndTimeUnixNano(v.endTimeUnixNano())
                    .setDroppedAttributesCount(v.droppedAttributesCount())
                    .setDroppedEventsCount(v.droppedEventsCount())
                    .setDroppedLinksCount(v.droppedLinksCount())
                    .setStatus(Bench.Status.newBuilder()
                            .setMessage(v.status().message())
                            .setCodeValue(v.status().code()));
            for (Batch.KeyValue a : v.attributes()) {
                p.addAttributes(build(a));
            }
            for (Batch.Event e : v.events()) {
                Bench.Event.Builder event = p.addEventsBuilder()
                        .setTimeUnixNano(e.timeUnixNano())
                        .setName(e.name())
                        .setDroppedAttributesCount(e.droppedAttributesCount());
                for (Batch.KeyValue a : e.attributes()) {
                    event.addAttributes(build(a));
                }
            }
            for (Batch.Link l : v.links()) {
                Bench.Link.Builder link = p.addLinksBuilder()
                        .setTraceId(bytes(l.traceId()))
                        .setSpanId(bytes(l.spanId()))
                        .setTraceState(l.traceState())
                        .setDroppedAttributesCount(l.droppedAttributesCount())
                        .setFlags(l.flags());
                for (Batch.KeyValue a : l.attributes()) {
                    link.addAttributes(build(a));
                }
            }
            return p;
        }

        private static Bench.KeyValue.Builder build(Batch.KeyValue v) {
            Bench.KeyValue.Builder p = Bench.KeyValue.newBuilder().setKey(v.key());
            if (v.value() != null) {
                p.setValue(anyValue(v.value()));
            }
            return p;
        }

        private static Bench.AnyValue.Builder anyValue(Object value) {
            Bench.AnyValue.Builder p = Bench.AnyValue.newBuilder();
            if (value instanceof String s) {
                return p.setStringValue(s);
            }
            if (value instanceof Boolean b) {
                return p.setBoolValue(b);
            }
            if (value instanceof Long n) {
                return p.setIntValue(n);
            }
            if (value instanceof Double d) {
                return p.setDoubleValue(d);
            }
            Bench.ArrayValue.Builder array = p.getArrayValueBuilder();
            for (Object element : (List<?>) value) {
                array.addValues(anyValue(element));
            }
            return p;
        }

        private static ByteString bytes(Bytes bytes) {
            return ByteString.copyFrom(bytes.view());
        }

        private static Bytes bytes(ByteString bytes) {
            return Bytes.copyOf(bytes.asReadOnlyByteBuffer());
        }

        @Override
        public Batch value(Bench.Batch p) {
            return new Batch(each(
                    p.getResourceSpansList(),
                    r -> new Batch.ResourceSpans(
                            new Batch.Resource(
                                    each(r.getResource().getAttributesList(), Protobuf::value),
                                    r.getResource().getDroppedAttributesCount()),
                            each(r.getScopeSpansList(), Protobuf::value),
                            r.getSchemaUrl())));
        }

        private static Batch.ScopeSpans value(Bench.ScopeSpans p) {
            Bench.Scope scope = p.getScope();
            return new Batch.ScopeSpans(
                    new Batch.Scope(
                            scope.getName(),
                            scope.getVersion(),
                            each(scope.getAttributesList(), Protobuf::value),
                            scope.getDroppedAttributesCount()),
                    each(p.getSpansList(), Protobuf::value),
                    p.getSchemaUrl());
        }

        private static Batch.Span value(Bench.Span p) {
            return new Batch.Span(
                    bytes(p.getTraceId()),
                    bytes(p.getSpanId()),
                    p.getTraceState(),
                    bytes(p.getParentSpanId()),
                    p.getFlags(),
                    p.getName(),
                    p.getKindValue(),
                    p.getStartTimeUnixNano(),
                    p.getEndTimeUnixNano(),
                    each(p.getAttributesList(), Protobuf::value),
                    p.getDroppedAttributesCount(),
                    each(
                            p.getEventsList(),
                            e -> new Batch.Event(
                                    e.getTimeUnixNano(),
                                    e.getName(),
                                    each(e.getAttributesList(), Protobuf::value),
                                    e.getDroppedAttributesCount())),
                    p.getDroppedEventsCount(),
                    each(
                            p.getLinksList(),
                            l -> new Batch.Link(
                                    bytes(l.getTraceId()),
                                    bytes(l.getSpanId()),
                                    l.getTraceState(),
                                    each(l.getAttributesList(), Protobuf::value),
                                    l.getDroppedAttributesCount(),
                                    l.getFlags())),
                    p.getDroppedLinksCount(),
                    new Batch.Status(p.getStatus().getMessage(), p.getStatus().getCodeValue()));
        }

        private static Batch.KeyValue value(Bench.KeyValue p) {
            return new Batch.KeyValue(p.getKey(), value(p.getValue()));
        }

        private static Object value(Bench.AnyValue p) {
            return switch (p.getValueCase()) {
                case STRING_VALUE -> p.getStringValue();
                case BOOL_VALUE -> p.getBoolValue();
                case INT_VALUE -> p.getIntValue();
                case DOUBLE_VALUE -> p.getDoubleValue();
                case ARRAY_VALUE -> each(p.getArrayValue().getValuesList(), Protobuf::value);
                case VALUE_NOT_SET -> null;
                default -> throw new IllegalStateException("no workload has a value of the kind " + p.getValueCase());
            };
        }

        @Override
        public long read(Bench.Batch p) {
            long sum = 0;
            for (Bench.ResourceSpans r : p.getResourceSpansList()) {
                sum += read(r.getResource().getAttributesList())
                        + r.getResource().getDroppedAttributesCount()
                        + Sum.of(r.getSchemaUrl());
                for (Bench.ScopeSpans s : r.getScopeSpansList()) {
                    Bench.Scope scope = s.getScope();
                    sum += Sum.of(scope.getName())
                            + Sum.of(scope.getVersion())
                            + read(scope.getAttributesList())
                            + scope.getDroppedAttributesCount()
                            + Sum.of(s.getSchemaUrl());
                    for (Bench.Span span : s.getSpansList()) {
                        sum += read(span);
                    }
                }
            }
            return sum;
        }

        private static long read(Bench.Span p) {
            long sum = read(p.getTraceId())
                    + read(p.getSpanId())
                    + Sum.of(p.getTraceState())
                    + read(p.getParentSpanId())
                    + p.getFlags()
                    + Sum.of(p.getName())
                    + p.getKindValue()
                    + p.getStartTimeUnixNano()
                    + p.getEndTimeUnixNano()
                    + read(p.getAttributesList())
                    + p.getDroppedAttributesCount()
                    + p.getDroppedEventsCount()
                    + p.getDroppedLinksCount()
                    + Sum.of(p.getStatus().getMessage())
                    + p.getStatus().getCodeValue();
            for (Bench.Event e : p.getEventsList()) {
                sum += e.getTimeUnixNano()
                        + Sum.of(e.getName())
                        + read(e.getAttributesList())
                        + e.getDroppedAttributesCount();
            }
            for (Bench.Link l : p.getLinksList()) {
                sum += read(l.getTraceId())
                        + read(l.getSpanId())
                        + Sum.of(l.getTraceState())
                        + read(l.getAttributesList())
                        + l.getDroppedAttributesCount()
                        + l.getFlags();
            }
            return sum;
        }

        private static long read(ByteString bytes) {
            return bytes.isEmpty() ? 0 : bytes.size() + bytes.byteAt(0);
        }

        private static long read(List<Bench.KeyValue> attributes) {
            long sum = 0;
            for (Bench.KeyValue a : attributes) {
                sum += Sum.of(a.getKey()) + read(a.getValue());
            }
            return sum;
        }

        private static long read(Bench.AnyValue p) {
            switch (p.getValueCase()) {
                case STRING_VALUE:
                    return Sum.of(p.getStringValue());
                case BOOL_VALUE:
                    return Sum.of(p.getBoolValue());
                case INT_VALUE:
                    return p.getIntValue();
                case DOUBLE_VALUE:
                    return Double.doubleToLongBits(p.getDoubleValue());
                default:
                    long sum = 0;
                    for (Bench.AnyValue element : p.getArrayValue().getValuesList()) {
                        sum += read(element);
                    }
                    return sum;
            }
        }

        @Override
        public boolean mutate(Bench.Batch held) {
            return false;
        }
    }

    /** Classes that the Thrift compiler generates. */
    public static final class Thrift extends Format<Batch, TBatch> {
        public Thrift(Supplier<TypeSerializer<TBatch>> serializers) {
            super(serializers);
        }

        @Override
        public TBatch build(Batch value) {
            return new TBatch(each(value.resourceSpans(), Thrift::build));
        }

        private static TResourceSpans build(Batch.ResourceSpans v) {
            TResource resource = new TResource(
                    each(v.resource().attributes(), Thrift::build), v.resource().droppedAttributesCount());
            return new TResourceSpans(each(v.scopeSpans(), Thrift::build), v.schemaUrl()).setResource(resource);
        }

        private static TScopeSpans build(Batch.ScopeSpans v) {
            TScope scope = new TScope(
                    v.scope().name(),
                    v.scope().version(),
                    each(v.scope().attributes(), Thrift::build),
                    v.scope().droppedAttributesCount());
            return new TScopeSpans(each(v.spans(), Thrift::build), v.schemaUrl()).setScope(scope);
        }

        private static TSpan build(Batch.Span v) {
            return new TSpan(
                            buffer(v.traceId()),
                            buffer(v.spanId()),
                            v.traceState(),
                            buffer(v.parentSpanId()),
                            v.flags(),
                            v.name(),
                            v.kind(),
                            v.startTimeUnixNano(),
                            v.endTimeUnixNano(),
                            each(v.attributes(), Thrift::build),
                            v.droppedAttributesCount(),
                            each(
                                    v.events(),
                                    e -> new TEvent(
                                            e.timeUnixNano(),
                                            e.name(),
                                            each(e.attributes(), Thrift::build),
                                            e.droppedAttributesCount())),
                            v.droppedEventsCount(),
                            each(
                                    v.links(),
                                    l -> new TLink(
                                            buffer(l.traceId()),
                                            buffer(l.spanId()),
                                            l.traceState(),
                                            each(l.attributes(), Thrift::build),
                                            l.droppedAttributesCount(),
                                            l.flags())),
                            v.droppedLinksCount())
                    .setStatus(new TStatus(v.status().message(), v.status().code()));
        }

        private static ByteBuffer buffer(Bytes bytes) {
            return ByteBuffer.wrap(bytes.toArray());
        }

        private static TKeyValue build(Batch.KeyValue v) {
            TKeyValue p = new TKeyValue(v.key());
            if (v.value() != null) {
                p.setValue(anyValue(v.value()));
            }
            return p;
        }

        private static TAnyValue anyValue(Object value) {
            if (value instanceof String s) {
                return TAnyValue.stringValue(s);
            }
            if (value instanceof Boolean b) {
                return TAnyValue.boolValue(b);
            }
            if (value instanceof Long n) {
                return TAnyValue.intValue(n);
            }
            if (value instanceof Double d) {
                return TAnyValue.doubleValue(d);
            }
            return TAnyValue.arrayValue(each((List<?>) value, Thrift::anyValue));
        }

        @Override
        public Batch value(TBatch t) {
            return new Batch(each(
                    t.getResourceSpans(),
                    r -> new Batch.ResourceSpans(
                            new Batch.Resource(
                                    each(r.getResource().getAttributes(), Thrift::value),
                                    r.getResource().getDroppedAttributesCount()),
                            each(r.getScopeSpans(), Thrift::value),
                            r.getSchemaUrl())));
        }

        private static Batch.ScopeSpans value(TScopeSpans t) {
            TScope scope = t.getScope();
            return new Batch.ScopeSpans(
                    new Batch.Scope(
                            scope.getName(),
                            scope.getVersion(),
                            each(scope.getAttributes(), Thrift::value),
                            scope.getDroppedAttributesCount()),
                    each(t.getSpans(), Thrift::value),
                    t.getSchemaUrl());
        }

        private static Batch.Span value(TSpan t) {
            return new Batch.Span(
                    Bytes.copyOf(t.traceId),
                    Bytes.copyOf(t.spanId),
                    t.getTraceState(),
                    Bytes.copyOf(t.parentSpanId),
                    t.getFlags(),
                    t.getName(),
                    t.getKind(),
                    t.getStartTimeUnixNano(),
                    t.getEndTimeUnixNano(),
                    each(t.getAttributes(), Thrift::value),
                    t.getDroppedAttributesCount(),
                    each(
                            t.getEvents(),
                            e -> new Batch.Event(
                                    e.getTimeUnixNano(),
                                    e.getName(),
                                    each(e.getAttributes(), Thrift::value),
                                    e.getDroppedAttributesCount())),
                    t.getDroppedEventsCount(),
                    each(
                            t.getLinks(),
                            l -> new Batch.Link(
                                    Bytes.copyOf(l.traceId),
                                    Bytes.copyOf(l.spanId),
                                    l.getTraceState(),
                                    each(l.getAttributes(), Thrift::value),
                                    l.getDroppedAttributesCount(),
                                    l.getFlags())),
                    t.getDroppedLinksCount(),
                    new Batch.Status(t.getStatus().getMessage(), t.getStatus().getCode()));
        }

        private static Batch.KeyValue value(TKeyValue t) {
            return new Batch.KeyValue(t.getKey(), t.isSetValue() ? value(t.getValue()) : null);
        }

        private static Object value(TAnyValue t) {
            return t.getSetField() == TAnyValue._Fields.ARRAY_VALUE
                    ? each(t.getArrayValue(), Thrift::value)
                    : t.getFieldValue();
        }

        @Override
        public long read(TBatch t) {
            long sum = 0;
            for (TResourceSpans r : t.getResourceSpans()) {
                sum += read(r.getResource().getAttributes())
                        + r.getResource().getDroppedAttributesCount()
                        + Sum.of(r.getSchemaUrl());
                for (TScopeSpans s : r.getScopeSpans()) {
                    TScope scope = s.getScope();
                    sum += Sum.of(scope.getName())
                            + Sum.of(scope.getVersion())
                            + read(scope.getAttributes())
                            + scope.getDroppedAttributesCount()
                            + Sum.of(s.getSchemaUrl());
                    for (TSpan span : s.getSpans()) {
                        sum += read(span);
                    }
                }
            }
            return sum;
        }

        private static long read(TSpan t) {
            long sum = Sum.of(t.traceId)
                    + Sum.of(t.spanId)
                    + Sum.of(t.getTraceState())
                    + Sum.of(t.parentSpanId)
                    + t.getFlags()
                    + Sum.of(t.getName())
                    + t.getKind()
                    + t.getStartTimeUnixNano()
                    + t.getEndTimeUnixNano()
                    + read(t.getAttributes())
                    + t.getDroppedAttributesCount()
                    + t.getDroppedEventsCount()
                    + t.getDroppedLinksCount()
                    + Sum.of(t.getStatus().getMessage())
                    + t.getStatus().getCode();
            for (TEvent e : t.getEvents()) {
                sum += e.getTimeUnixNano()
                        + Sum.of(e.getName())
                        + read(e.getAttributes())
                        + e.getDroppedAttributesCount();
            }
            for (TLink l : t.getLinks()) {
                sum += Sum.of(l.traceId)
                        + Sum.of(l.spanId)
                        + Sum.of(l.getTraceState())
                        + read(l.getAttributes())
                        + l.getDroppedAttributesCount()
                        + l.getFlags();
            }
            return sum;
        }

        private static long read(List<TKeyValue> attributes) {
            long sum = 0;
            for (TKeyValue a : attributes) {
                sum += Sum.of(a.getKey()) + (a.isSetValue() ? read(a.getValue()) : 0);
            }
            return sum;
        }

        private static long read(TAnyValue t) {
            switch (t.getSetField()) {
                case STRING_VALUE:
                    return Sum.of(t.getStringValue());
                case BOOL_VALUE:
                    return Sum.of(t.getBoolValue());
                case INT_VALUE:
                    return t.getIntValue();
                case DOUBLE_VALUE:
                    return Double.doubleToLongBits(t.getDoubleValue());
                default:
                    long sum = 0;
                    for (TAnyValue element : t.getArrayValue()) {
                        sum += read(element);
                    }
                    return sum;
            }
        }

        @Override
        public boolean mutate(TBatch t) {
            TResourceSpans r = t.getResourceSpans().get(0);
            TSpan span = r.getScopeSpans().get(0).getSpans().get(0);
            r.getResource().getAttributes().get(0).getValue().setStringValue("!");
            r.getResource().getAttributes().get(5).getValue().getArrayValue().remove(0);
            span.traceId.put(span.traceId.position(), (byte) (span.traceId.get(span.traceId.position()) + 1));
            span.getStatus().setCode(7);
            span.getAttributes().remove(0);
            return true;
        }
    }
}
