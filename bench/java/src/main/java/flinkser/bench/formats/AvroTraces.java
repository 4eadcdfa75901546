package flinkser.bench.formats;

import static flinkser.bench.formats.GenericSchemas.text;
import static flinkser.bench.formats.Posts.each;

import flinkser.bench.Format;
import flinkser.bench.avro.AArray;
import flinkser.bench.avro.ABatch;
import flinkser.bench.avro.AEvent;
import flinkser.bench.avro.AKeyValue;
import flinkser.bench.avro.ALink;
import flinkser.bench.avro.AResource;
import flinkser.bench.avro.AResourceSpans;
import flinkser.bench.avro.AScope;
import flinkser.bench.avro.AScopeSpans;
import flinkser.bench.avro.ASpan;
import flinkser.bench.avro.AStatus;
import flinkser.bench.corpus.Batch;
import flinkser.bench.corpus.Bytes;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** The batch of the workload traces in Avro. */
public final class AvroTraces {
    private AvroTraces() {}

    private static ByteBuffer buffer(Bytes bytes) {
        return ByteBuffer.wrap(bytes.toArray());
    }

    private static void increment(ByteBuffer bytes) {
        bytes.put(bytes.position(), (byte) (bytes.get(bytes.position()) + 1));
    }

    /** Classes that Avro generates. */
    public static final class Specific extends Format<Batch, ABatch> {
        public Specific(Supplier<TypeSerializer<ABatch>> serializers) {
            super(serializers);
        }

        @Override
        public ABatch build(Batch value) {
            return new ABatch(each(
                    value.resourceSpans(),
                    r -> new AResourceSpans(
                            new AResource(
                                    each(r.resource().attributes(), Specific::build),
                                    r.resource().droppedAttributesCount()),
                            each(r.scopeSpans(), Specific::build),
                            r.schemaUrl())));
        }

        private static AScopeSpans build(Batch.ScopeSpans v) {
            AScope scope = new AScope(
                    v.scope().name(),
                    v.scope().version(),
                    each(v.scope().attributes(), Specific::build),
                    v.scope().droppedAttributesCount());
            return new AScopeSpans(scope, each(v.spans(), Specific::build), v.schemaUrl());
        }

        private static ASpan build(Batch.Span v) {
            return new ASpan(
                    buffer(v.traceId()),
                    buffer(v.spanId()),
                    v.traceState(),
                    buffer(v.parentSpanId()),
                    v.flags(),
                    v.name(),
                    v.kind(),
                    v.startTimeUnixNano(),
                    v.endTimeUnixNano(),
                    each(v.attributes(), Specific::build),
                    v.droppedAttributesCount(),
                    each(
                            v.events(),
                            e -> new AEvent(
                                    e.timeUnixNano(),
                                    e.name(),
                                    each(e.attributes(), Specific::build),
                                    e.droppedAttributesCount())),
                    v.droppedEventsCount(),
                    each(
                            v.links(),
                            l -> new ALink(
                                    buffer(l.traceId()),
                                    buffer(l.spanId()),
                                    l.traceState(),
                                    each(l.attributes(), Specific::build),
                                    l.droppedAttributesCount(),
                                    l.flags())),
                    v.droppedLinksCount(),
                    new AStatus(v.status().message(), v.status().code()));
        }

        private static AKeyValue build(Batch.KeyValue v) {
            return new AKeyValue(v.key(), anyValue(v.value()));
        }

        private static Object anyValue(Object value) {
            return value instanceof List<?> list ? new AArray(each(list, Specific::anyValue)) : value;
        }

        @Override
        public Batch value(ABatch a) {
            return new Batch(each(
                    a.getResourceSpans(),
                    r -> new Batch.ResourceSpans(
                            new Batch.Resource(
                                    each(r.getResource().getAttributes(), Specific::value),
                                    r.getResource().getDroppedAttributesCount()),
                            each(r.getScopeSpans(), Specific::value),
                            r.getSchemaUrl())));
        }

        private static Batch.ScopeSpans value(AScopeSpans a) {
            AScope scope = a.getScope();
            return new Batch.ScopeSpans(
                    new Batch.Scope(
                            scope.getName(),
                            scope.getVersion(),
                            each(scope.getAttributes(), Specific::value),
                            scope.getDroppedAttributesCount()),
                    each(a.getSpans(), Specific::value),
                    a.getSchemaUrl());
        }

        private static Batch.Span value(ASpan a) {
            return new Batch.Span(
                    Bytes.copyOf(a.getTraceId()),
                    Bytes.copyOf(a.getSpanId()),
                    a.getTraceState(),
                    Bytes.copyOf(a.getParentSpanId()),
                    a.getFlags(),
                    a.getName(),
                    a.getKind(),
                    a.getStartTimeUnixNano(),
                    a.getEndTimeUnixNano(),
                    each(a.getAttributes(), Specific::value),
                    a.getDroppedAttributesCount(),
                    each(
                            a.getEvents(),
                            e -> new Batch.Event(
                                    e.getTimeUnixNano(),
                                    e.getName(),
                                    each(e.getAttributes(), Specific::value),
                                    e.getDroppedAttributesCount())),
                    a.getDroppedEventsCount(),
                    each(
                            a.getLinks(),
                            l -> new Batch.Link(
                                    Bytes.copyOf(l.getTraceId()),
                                    Bytes.copyOf(l.getSpanId()),
                                    l.getTraceState(),
                                    each(l.getAttributes(), Specific::value),
                                    l.getDroppedAttributesCount(),
                                    l.getFlags())),
                    a.getDroppedLinksCount(),
                    new Batch.Status(a.getStatus().getMessage(), a.getStatus().getCode()));
        }

        private static Batch.KeyValue value(AKeyValue a) {
            return new Batch.KeyValue(a.getKey(), anything(a.getValue()));
        }

        private static Object anything(Object value) {
            if (value instanceof AArray array) {
                return each(array.getValues(), Specific::anything);
            }
            return value instanceof CharSequence chars ? chars.toString() : value;
        }

        @Override
        public long read(ABatch a) {
            long sum = 0;
            for (AResourceSpans r : a.getResourceSpans()) {
                sum += read(r.getResource().getAttributes())
                        + r.getResource().getDroppedAttributesCount()
                        + Sum.of(r.getSchemaUrl());
                for (AScopeSpans s : r.getScopeSpans()) {
                    AScope scope = s.getScope();
                    sum += Sum.of(scope.getName())
                            + Sum.of(scope.getVersion())
                            + read(scope.getAttributes())
                            + scope.getDroppedAttributesCount()
                            + Sum.of(s.getSchemaUrl());
                    for (ASpan span : s.getSpans()) {
                        sum += read(span);
                    }
                }
            }
            return sum;
        }

        private static long read(ASpan a) {
            long sum = Sum.of(a.getTraceId())
                    + Sum.of(a.getSpanId())
                    + Sum.of(a.getTraceState())
                    + Sum.of(a.getParentSpanId())
                    + a.getFlags()
                    + Sum.of(a.getName())
                    + a.getKind()
                    + a.getStartTimeUnixNano()
                    + a.getEndTimeUnixNano()
                    + read(a.getAttributes())
                    + a.getDroppedAttributesCount()
                    + a.getDroppedEventsCount()
                    + a.getDroppedLinksCount()
                    + Sum.of(a.getStatus().getMessage())
                    + a.getStatus().getCode();
            for (AEvent e : a.getEvents()) {
                sum += e.getTimeUnixNano()
                        + Sum.of(e.getName())
                        + read(e.getAttributes())
                        + e.getDroppedAttributesCount();
            }
            for (ALink l : a.getLinks()) {
                sum += Sum.of(l.getTraceId())
                        + Sum.of(l.getSpanId())
                        + Sum.of(l.getTraceState())
                        + read(l.getAttributes())
                        + l.getDroppedAttributesCount()
                        + l.getFlags();
            }
            return sum;
        }

        private static long read(List<AKeyValue> attributes) {
            long sum = 0;
            for (AKeyValue a : attributes) {
                sum += Sum.of(a.getKey()) + readAny(a.getValue());
            }
            return sum;
        }

        private static long readAny(Object value) {
            if (value instanceof AArray array) {
                long sum = 0;
                for (Object element : array.getValues()) {
                    sum += readAny(element);
                }
                return sum;
            }
            return scalar(value);
        }

        @Override
        public boolean mutate(ABatch a) {
            AResourceSpans r = a.getResourceSpans().get(0);
            ASpan span = r.getScopeSpans().get(0).getSpans().get(0);
            r.getResource().getAttributes().get(0).setValue("!");
            ((AArray) r.getResource().getAttributes().get(5).getValue()).getValues().remove(0);
            increment(span.getTraceId());
            span.getStatus().setCode(7);
            span.getAttributes().remove(0);
            return true;
        }
    }

    /** What a value that holds no others adds to a sum. */
    private static long scalar(Object value) {
        if (value instanceof CharSequence chars) {
            return chars.length();
        }
        if (value instanceof Boolean b) {
            return Sum.of(b);
        }
        if (value instanceof Long n) {
            return n;
        }
        return value instanceof Double d ? Double.doubleToLongBits(d) : 0;
    }

    /** Avro's records without generated classes. */
    public static final class Generic extends Format<Batch, GenericRecord> {
        /** The schema, which is that of the generated classes but for the class of texts. */
        public static final Schema SCHEMA = GenericSchemas.of(ABatch.getClassSchema());

        private static final Schema RESOURCE_SPANS = element(SCHEMA, "resourceSpans");
        private static final Schema RESOURCE = optional(RESOURCE_SPANS, "resource");
        private static final Schema KEY_VALUE = element(RESOURCE, "attributes");
        private static final Schema ARRAY = KEY_VALUE.getField("value").schema().getTypes().get(5);
        private static final Schema SCOPE_SPANS = element(RESOURCE_SPANS, "scopeSpans");
        private static final Schema SCOPE = optional(SCOPE_SPANS, "scope");
        private static final Schema SPAN = element(SCOPE_SPANS, "spans");
        private static final Schema EVENT = element(SPAN, "events");
        private static final Schema LINK = element(SPAN, "links");
        private static final Schema STATUS = optional(SPAN, "status");

        public Generic(Supplier<TypeSerializer<GenericRecord>> serializers) {
            super(serializers);
        }

        private static Schema element(Schema record, String field) {
            return record.getField(field).schema().getElementType();
        }

        private static Schema optional(Schema record, String field) {
            return record.getField(field).schema().getTypes().get(1);
        }

        private static GenericRecord record(Schema schema, Object... values) {
            GenericRecord record = new GenericData.Record(schema);
            for (int i = 0; i < values.length; i++) {
                record.put(i, values[i]);
            }
            return record;
        }

        @Override
        public GenericRecord build(Batch value) {
            return record(SCHEMA, each(value.resourceSpans(), Generic::build));
        }

        private static GenericRecord build(Batch.ResourceSpans v) {
            GenericRecord resource = record(
                    RESOURCE,
                    each(v.resource().attributes(), Generic::build),
                    v.resource().droppedAttributesCount());
            return record(RESOURCE_SPANS, resource, each(v.scopeSpans(), Generic::build), v.schemaUrl());
        }

        private static GenericRecord build(Batch.ScopeSpans v) {
            GenericRecord scope = record(
                    SCOPE,
                    v.scope().name(),
                    v.scope().version(),
                    each(v.scope().attributes(), Generic::build),
                    v.scope().droppedAttributesCount());
            return record(SCOPE_SPANS, scope, each(v.spans(), Generic::build), v.schemaUrl());
        }

        private static GenericRecord build(Batch.Span v) {
            return record(
                    SPAN,
                    buffer(v.traceId()),
                    buffer(v.spanId()),
                    v.traceState(),
                    buffer(v.parentSpanId()),
                    v.flags(),
                    v.name(),
                    v.kind(),
                    v.startTimeUnixNano(),
                    v.endTimeUnixNano(),
                    each(v.attributes(), Generic::build),
                    v.droppedAttributesCount(),
                    each(
                            v.events(),
                            e -> record(
                                    EVENT,
                                    e.timeUnixNano(),
                                    e.name(),
                                    each(e.attributes(), Generic::build),
                                    e.droppedAttributesCount())),
                    v.droppedEventsCount(),
                    each(
                            v.links(),
                            l -> record(
                                    LINK,
                                    buffer(l.traceId()),
                                    buffer(l.spanId()),
                                    l.traceState(),
                                    each(l.attributes(), Generic::build),
                                    l.droppedAttributesCount(),
                                    l.flags())),
                    v.droppedLinksCount(),
                    record(STATUS, v.status().message(), v.status().code()));
        }

        private static GenericRecord build(Batch.KeyValue v) {
            return record(KEY_VALUE, v.key(), anyValue(v.value()));
        }

        private static Object anyValue(Object value) {
            return value instanceof List<?> list ? record(ARRAY, each(list, Generic::anyValue)) : value;
        }

        @SuppressWarnings("unchecked")
        private static List<GenericRecord> list(GenericRecord r, int field) {
            return (List<GenericRecord>) r.get(field);
        }

        private static GenericRecord part(GenericRecord r, int field) {
            return (GenericRecord) r.get(field);
        }

        private static int number(GenericRecord r, int field) {
            return (Integer) r.get(field);
        }

        private static Bytes bytes(GenericRecord r, int field) {
            return Bytes.copyOf((ByteBuffer) r.get(field));
        }

        @Override
        public Batch value(GenericRecord a) {
            return new Batch(each(list(a, 0), r -> new Batch.ResourceSpans(
                    new Batch.Resource(each(list(part(r, 0), 0), Generic::keyValue), number(part(r, 0), 1)),
                    each(list(r, 1), Generic::scopeSpans),
                    text(r.get(2)))));
        }

        private static Batch.ScopeSpans scopeSpans(GenericRecord a) {
            GenericRecord scope = part(a, 0);
            return new Batch.ScopeSpans(
                    new Batch.Scope(
                            text(scope.get(0)),
                            text(scope.get(1)),
                            each(list(scope, 2), Generic::keyValue),
                            number(scope, 3)),
                    each(list(a, 1), Generic::span),
                    text(a.get(2)));
        }

        private static Batch.Span span(GenericRecord a) {
            return new Batch.Span(
                    bytes(a, 0),
                    bytes(a, 1),
                    text(a.get(2)),
                    bytes(a, 3),
                    number(a, 4),
                    text(a.get(5)),
                    number(a, 6),
                    (Long) a.get(7),
                    (Long) a.get(8),
                    each(list(a, 9), Generic::keyValue),
                    number(a, 10),
                    each(
                            list(a, 11),
                            e -> new Batch.Event(
                                    (Long) e.get(0),
                                    text(e.get(1)),
                                    each(list(e, 2), Generic::keyValue),
                                    number(e, 3))),
                    number(a, 12),
                    each(
                            list(a, 13),
                            l -> new Batch.Link(
                                    bytes(l, 0),
                                    bytes(l, 1),
                                    text(l.get(2)),
                                    each(list(l, 3), Generic::keyValue),
                                    number(l, 4),
                                    number(l, 5))),
                    number(a, 14),
                    new Batch.Status(text(part(a, 15).get(0)), number(part(a, 15), 1)));
        }

        private static Batch.KeyValue keyValue(GenericRecord a) {
            return new Batch.KeyValue(text(a.get(0)), anything(a.get(1)));
        }

        private static Object anything(Object value) {
            if (value instanceof GenericRecord array) {
                return each((List<?>) array.get(0), Generic::anything);
            }
            return value instanceof CharSequence chars ? chars.toString() : value;
        }

        @Override
        public long read(GenericRecord a) {
            long sum = 0;
            for (GenericRecord r : list(a, 0)) {
                sum += attributes(part(r, 0), 0) + number(part(r, 0), 1) + chars(r, 2);
                for (GenericRecord s : list(r, 1)) {
                    GenericRecord scope = part(s, 0);
                    sum += chars(scope, 0) + chars(scope, 1) + attributes(scope, 2) + number(scope, 3) + chars(s, 2);
                    for (GenericRecord span : list(s, 1)) {
                        sum += readSpan(span);
                    }
                }
            }
            return sum;
        }

        private static long readSpan(GenericRecord a) {
            long sum = sum(a, 0)
                    + sum(a, 1)
                    + chars(a, 2)
                    + sum(a, 3)
                    + number(a, 4)
                    + chars(a, 5)
                    + number(a, 6)
                    + (Long) a.get(7)
                    + (Long) a.get(8)
                    + attributes(a, 9)
                    + number(a, 10)
                    + number(a, 12)
                    + number(a, 14)
                    + chars(part(a, 15), 0)
                    + number(part(a, 15), 1);
            for (GenericRecord e : list(a, 11)) {
                sum += (Long) e.get(0) + chars(e, 1) + attributes(e, 2) + number(e, 3);
            }
            for (GenericRecord l : list(a, 13)) {
                sum += sum(l, 0) + sum(l, 1) + chars(l, 2) + attributes(l, 3) + number(l, 4) + number(l, 5);
            }
            return sum;
        }

        private static long sum(GenericRecord r, int field) {
            return Sum.of((ByteBuffer) r.get(field));
        }

        private static long chars(GenericRecord r, int field) {
            return Sum.of((CharSequence) r.get(field));
        }

        private static long attributes(GenericRecord r, int field) {
            long sum = 0;
            for (GenericRecord a : list(r, field)) {
                sum += chars(a, 0) + readAny(a.get(1));
            }
            return sum;
        }

        private static long readAny(Object value) {
            if (value instanceof GenericRecord array) {
                long sum = 0;
                for (Object element : (List<?>) array.get(0)) {
                    sum += readAny(element);
                }
                return sum;
            }
            return scalar(value);
        }

        @Override
        public boolean mutate(GenericRecord a) {
            GenericRecord r = list(a, 0).get(0);
            GenericRecord span = list(list(r, 1).get(0), 1).get(0);
            list(part(r, 0), 0).get(0).put(1, "!");
            ((List<?>) ((GenericRecord) list(part(r, 0), 0).get(5).get(1)).get(0)).remove(0);
            increment((ByteBuffer) span.get(0));
            part(span, 15).put(1, 7);
            list(span, 9).remove(0);
            return true;
        }
    }
}
