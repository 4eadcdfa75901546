package flinkser.bench.formats;

import com.google.protobuf.ByteString;
import flinkser.bench.Bench;
import flinkser.bench.Format;
import flinkser.bench.avro.AChild;
import flinkser.bench.avro.ARecord;
import flinkser.bench.corpus.Bytes;
import flinkser.bench.corpus.Rec;
import flinkser.bench.thrift.TChild;
import flinkser.bench.thrift.TRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple9;

/** The record of the workloads scalar, text, nested, collections and large in all formats. */
public final class Records {
    private Records() {}

    /** What the gate changes values and attributes with. */
    private static final String NEW_KEY = "added by the gate";

    /** POJOs, which Kryo takes too. */
    public static final class Pojo extends Format<Rec, RecordPojo> {
        public Pojo(Supplier<TypeSerializer<RecordPojo>> serializers) {
            super(serializers);
        }

        @Override
        public RecordPojo build(Rec value) {
            RecordPojo p = new RecordPojo();
            p.id = value.id();
            p.timestamp = value.timestamp();
            p.active = value.active();
            p.name = value.name();
            p.note = value.note();
            p.payload = value.payload().toArray();
            p.child = new RecordPojo.Child(value.child().code(), value.child().name());
            p.values = new ArrayList<>(value.values());
            p.attributes = new LinkedHashMap<>(value.attributes());
            return p;
        }

        @Override
        public Rec value(RecordPojo p) {
            return new Rec(
                    p.id,
                    p.timestamp,
                    p.active,
                    p.name,
                    p.note,
                    Bytes.copyOf(p.payload),
                    new Rec.Child(p.child.code, p.child.name),
                    new ArrayList<>(p.values),
                    new LinkedHashMap<>(p.attributes));
        }

        @Override
        public long read(RecordPojo p) {
            return p.id
                    + p.timestamp
                    + Sum.of(p.active)
                    + Sum.of(p.name)
                    + Sum.of(p.note)
                    + Sum.of(p.payload)
                    + p.child.code
                    + Sum.of(p.child.name)
                    + Sum.ofNumbers(p.values)
                    + Sum.of(p.attributes);
        }

        @Override
        public boolean mutate(RecordPojo p) {
            p.child.name += "!";
            p.values.add(1L);
            p.attributes.put(NEW_KEY, 1L);
            if (p.payload.length > 0) {
                p.payload[0]++;
            }
            return true;
        }
    }

    /** Flink's tuples. */
    public static final class Tuple
            extends Format<
                    Rec,
                    Tuple9<Integer, Long, Boolean, String, String, byte[], Tuple2<Integer, String>, List<Long>, Map<String, Long>>> {
        private static final TypeInformation<?> TYPE = Types.TUPLE(
                Types.INT,
                Types.LONG,
                Types.BOOLEAN,
                Types.STRING,
                Types.STRING,
                Types.PRIMITIVE_ARRAY(Types.BYTE),
                Types.TUPLE(Types.INT, Types.STRING),
                Types.LIST(Types.LONG),
                Types.MAP(Types.STRING, Types.LONG));

        @SuppressWarnings("unchecked")
        public Tuple() {
            super(Flink.typed((TypeInformation<
                            Tuple9<Integer, Long, Boolean, String, String, byte[], Tuple2<Integer, String>, List<Long>, Map<String, Long>>>)
                    TYPE));
        }

        @Override
        public Tuple9<Integer, Long, Boolean, String, String, byte[], Tuple2<Integer, String>, List<Long>, Map<String, Long>> build(
                Rec value) {
            return Tuple9.of(
                    value.id(),
                    value.timestamp(),
                    value.active(),
                    value.name(),
                    value.note(),
                    value.payload().toArray(),
                    Tuple2.of(value.child().code(), value.child().name()),
                    new ArrayList<>(value.values()),
                    new LinkedHashMap<>(value.attributes()));
        }

        @Override
        public Rec value(
                Tuple9<Integer, Long, Boolean, String, String, byte[], Tuple2<Integer, String>, List<Long>, Map<String, Long>> t) {
            return new Rec(
                    t.f0,
                    t.f1,
                    t.f2,
                    t.f3,
                    t.f4,
                    Bytes.copyOf(t.f5),
                    new Rec.Child(t.f6.f0, t.f6.f1),
                    new ArrayList<>(t.f7),
                    new LinkedHashMap<>(t.f8));
        }

        @Override
        public long read(
                Tuple9<Integer, Long, Boolean, String, String, byte[], Tuple2<Integer, String>, List<Long>, Map<String, Long>> t) {
            return t.f0
                    + t.f1
                    + Sum.of(t.f2)
                    + Sum.of(t.f3)
                    + Sum.of(t.f4)
                    + Sum.of(t.f5)
                    + t.f6.f0
                    + Sum.of(t.f6.f1)
                    + Sum.ofNumbers(t.f7)
                    + Sum.of(t.f8);
        }

        @Override
        public boolean mutate(
                Tuple9<Integer, Long, Boolean, String, String, byte[], Tuple2<Integer, String>, List<Long>, Map<String, Long>> t) {
            t.f6.f1 += "!";
            t.f7.add(1L);
            t.f8.put(NEW_KEY, 1L);
            if (t.f5.length > 0) {
                t.f5[0]++;
            }
            return true;
        }
    }

    /** Classes that Avro generates. */
    public static final class AvroSpecific extends Format<Rec, ARecord> {
        public AvroSpecific(Supplier<TypeSerializer<ARecord>> serializers) {
            super(serializers);
        }

        @Override
        public ARecord build(Rec value) {
            return new ARecord(
                    value.id(),
                    value.timestamp(),
                    value.active(),
                    value.name(),
                    value.note(),
                    ByteBuffer.wrap(value.payload().toArray()),
                    new AChild(value.child().code(), value.child().name()),
                    new ArrayList<>(value.values()),
                    new LinkedHashMap<>(value.attributes()));
        }

        @Override
        public Rec value(ARecord a) {
            return new Rec(
                    a.getId(),
                    a.getTimestamp(),
                    a.getActive(),
                    a.getName(),
                    a.getNote(),
                    Bytes.copyOf(a.getPayload()),
                    new Rec.Child(a.getChild().getCode(), a.getChild().getName()),
                    new ArrayList<>(a.getValues()),
                    new LinkedHashMap<>(a.getAttributes()));
        }

        @Override
        public long read(ARecord a) {
            return a.getId()
                    + a.getTimestamp()
                    + Sum.of(a.getActive())
                    + Sum.of(a.getName())
                    + Sum.of(a.getNote())
                    + Sum.of(a.getPayload())
                    + a.getChild().getCode()
                    + Sum.of(a.getChild().getName())
                    + Sum.ofNumbers(a.getValues())
                    + Sum.of(a.getAttributes());
        }

        @Override
        public boolean mutate(ARecord a) {
            a.getChild().setName(a.getChild().getName() + "!");
            a.getValues().add(1L);
            a.getAttributes().put(NEW_KEY, 1L);
            increment(a.getPayload());
            return true;
        }
    }

    /** Avro's records without generated classes. */
    public static final class AvroGeneric extends Format<Rec, GenericRecord> {
        /** The schema, which is that of the generated classes but for the class of texts. */
        public static final Schema SCHEMA = GenericSchemas.of(ARecord.getClassSchema());

        private static final Schema CHILD = SCHEMA.getField("child").schema();

        public AvroGeneric(Supplier<TypeSerializer<GenericRecord>> serializers) {
            super(serializers);
        }

        @Override
        public GenericRecord build(Rec value) {
            GenericRecord child = new GenericData.Record(CHILD);
            child.put(0, value.child().code());
            child.put(1, value.child().name());
            GenericRecord record = new GenericData.Record(SCHEMA);
            record.put(0, value.id());
            record.put(1, value.timestamp());
            record.put(2, value.active());
            record.put(3, value.name());
            record.put(4, value.note());
            record.put(5, ByteBuffer.wrap(value.payload().toArray()));
            record.put(6, child);
            record.put(7, new ArrayList<>(value.values()));
            record.put(8, new LinkedHashMap<CharSequence, Long>(value.attributes()));
            return record;
        }

        @Override
        public Rec value(GenericRecord r) {
            GenericRecord child = (GenericRecord) r.get(6);
            Map<String, Long> attributes = new LinkedHashMap<>();
            attributes(r).forEach((key, number) -> attributes.put(key.toString(), number));
            return new Rec(
                    (Integer) r.get(0),
                    (Long) r.get(1),
                    (Boolean) r.get(2),
                    GenericSchemas.text(r.get(3)),
                    GenericSchemas.text(r.get(4)),
                    Bytes.copyOf((ByteBuffer) r.get(5)),
                    new Rec.Child((Integer) child.get(0), GenericSchemas.text(child.get(1))),
                    new ArrayList<>(values(r)),
                    attributes);
        }

        @SuppressWarnings("unchecked")
        private static List<Long> values(GenericRecord r) {
            return (List<Long>) r.get(7);
        }

        @SuppressWarnings("unchecked")
        private static Map<CharSequence, Long> attributes(GenericRecord r) {
            return (Map<CharSequence, Long>) r.get(8);
        }

        @Override
        public long read(GenericRecord r) {
            GenericRecord child = (GenericRecord) r.get(6);
            return (Integer) r.get(0)
                    + (Long) r.get(1)
                    + Sum.of((Boolean) r.get(2))
                    + Sum.of((CharSequence) r.get(3))
                    + Sum.of((CharSequence) r.get(4))
                    + Sum.of((ByteBuffer) r.get(5))
                    + (Integer) child.get(0)
                    + Sum.of((CharSequence) child.get(1))
                    + Sum.ofNumbers(values(r))
                    + Sum.of(attributes(r));
        }

        @Override
        public boolean mutate(GenericRecord r) {
            GenericRecord child = (GenericRecord) r.get(6);
            child.put(1, child.get(1) + "!");
            values(r).add(1L);
            attributes(r).put(NEW_KEY, 1L);
            increment((ByteBuffer) r.get(5));
            return true;
        }
    }

    /** Classes that protoc generates. */
    public static final class Protobuf extends Format<Rec, Bench.Record> {
        public Protobuf(Supplier<TypeSerializer<Bench.Record>> serializers) {
            super(serializers);
        }

        @Override
        public Bench.Record build(Rec value) {
            Bench.Record.Builder record = Bench.Record.newBuilder()
                    .setId(value.id())
                    .setTimestamp(value.timestamp())
                    .setActive(value.active())
                    .setName(value.name())
                    .setPayload(ByteString.copyFrom(value.payload().view()))
                    .setChild(Bench.Child.newBuilder()
                            .setCode(value.child().code())
                            .setName(value.child().name()))
                    .addAllValues(value.values())
                    .putAllAttributes(value.attributes());
            if (value.note() != null) {
                record.setNote(value.note());
            }
            return record.build();
        }

        @Override
        public Rec value(Bench.Record r) {
            return new Rec(
                    r.getId(),
                    r.getTimestamp(),
                    r.getActive(),
                    r.getName(),
                    r.hasNote() ? r.getNote() : null,
                    Bytes.copyOf(r.getPayload().asReadOnlyByteBuffer()),
                    new Rec.Child(r.getChild().getCode(), r.getChild().getName()),
                    new ArrayList<>(r.getValuesList()),
                    new LinkedHashMap<>(r.getAttributesMap()));
        }

        @Override
        public long read(Bench.Record r) {
            ByteString payload = r.getPayload();
            return r.getId()
                    + r.getTimestamp()
                    + Sum.of(r.getActive())
                    + Sum.of(r.getName())
                    + (r.hasNote() ? Sum.of(r.getNote()) : -1)
                    + (payload.isEmpty() ? 0 : payload.size() + payload.byteAt(0))
                    + r.getChild().getCode()
                    + Sum.of(r.getChild().getName())
                    + Sum.ofNumbers(r.getValuesList())
                    + Sum.of(r.getAttributesMap());
        }

        @Override
        public boolean mutate(Bench.Record held) {
            return false;
        }
    }

    /** Classes that the Thrift compiler generates. */
    public static final class Thrift extends Format<Rec, TRecord> {
        public Thrift(Supplier<TypeSerializer<TRecord>> serializers) {
            super(serializers);
        }

        @Override
        public TRecord build(Rec value) {
            TRecord record = new TRecord(
                    value.id(),
                    value.timestamp(),
                    value.active(),
                    value.name(),
                    ByteBuffer.wrap(value.payload().toArray()),
                    new TChild(value.child().code(), value.child().name()),
                    new ArrayList<>(value.values()),
                    new LinkedHashMap<>(value.attributes()));
            if (value.note() != null) {
                record.setNote(value.note());
            }
            return record;
        }

        @Override
        public Rec value(TRecord t) {
            return new Rec(
                    t.getId(),
                    t.getTimestamp(),
                    t.isActive(),
                    t.getName(),
                    t.isSetNote() ? t.getNote() : null,
                    Bytes.copyOf(t.bufferForPayload()),
                    new Rec.Child(t.getChild().getCode(), t.getChild().getName()),
                    new ArrayList<>(t.getValues()),
                    new LinkedHashMap<>(t.getAttributes()));
        }

        @Override
        public long read(TRecord t) {
            return t.getId()
                    + t.getTimestamp()
                    + Sum.of(t.isActive())
                    + Sum.of(t.getName())
                    + (t.isSetNote() ? Sum.of(t.getNote()) : -1)
                    + Sum.of(t.payload)
                    + t.getChild().getCode()
                    + Sum.of(t.getChild().getName())
                    + Sum.ofNumbers(t.getValues())
                    + Sum.of(t.getAttributes());
        }

        @Override
        public boolean mutate(TRecord t) {
            t.getChild().setName(t.getChild().getName() + "!");
            t.getValues().add(1L);
            t.getAttributes().put(NEW_KEY, 1L);
            increment(t.payload);
            return true;
        }
    }

    /** Changes the first byte, if there is one. */
    private static void increment(ByteBuffer bytes) {
        if (bytes.hasRemaining()) {
            int at = bytes.position();
            bytes.put(at, (byte) (bytes.get(at) + 1));
        }
    }
}
