package flinkser.bench;

import com.google.protobuf.Message;
import com.twitter.chill.protobuf.ProtobufSerializer;
import com.twitter.chill.thrift.TBaseSerializer;
import flinkser.bench.avro.ABatch;
import flinkser.bench.avro.APost;
import flinkser.bench.avro.ARecord;
import flinkser.bench.avro.AWide;
import flinkser.bench.corpus.Workload;
import flinkser.bench.formats.AvroTraces;
import flinkser.bench.formats.BatchPojo;
import flinkser.bench.formats.Flink;
import flinkser.bench.formats.JacksonJson;
import flinkser.bench.formats.NativePeer;
import flinkser.bench.formats.PlainAvro;
import flinkser.bench.formats.PlainProtobuf;
import flinkser.bench.formats.PostPojo;
import flinkser.bench.formats.Posts;
import flinkser.bench.formats.RecordPojo;
import flinkser.bench.formats.Records;
import flinkser.bench.formats.Traces;
import flinkser.bench.formats.WidePojo;
import flinkser.bench.formats.Wides;
import flinkser.bench.thrift.TBatch;
import flinkser.bench.thrift.TPost;
import flinkser.bench.thrift.TRecord;
import flinkser.bench.thrift.TWide;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.formats.avro.typeutils.AvroTypeInfo;
import org.apache.flink.formats.avro.typeutils.GenericRecordAvroTypeInfo;

/** All lanes. */
public final class Lanes {
    private static final String NATIVE = "native";
    private static final String BASELINE = "baseline";
    private static final String PEER = "protobuf peer";
    private static final String OTHER = "other format";
    private static final String ANALOGUE = "analogue";

    private static final Checks NONE = new Checks(false, false, false, false, false);
    private static final Checks REQUIRED = new Checks(false, false, false, true, false);
    private static final Checks PROTOBUF = new Checks(true, true, false, true, true);

    /** The lane whose bytes depend on the values alone. */
    static final String SORTED_PEER = "java-native-peer-deterministic";

    private static final String SOCIAL_ALONE = "a lane of the workload social alone";

    private static final Map<String, Supplier<Lane>> ALL = Map.ofEntries(
            Map.entry("java-pojo", Lanes::pojo),
            Map.entry("java-tuple", Lanes::tuple),
            Map.entry("java-avro-specific", Lanes::avroSpecific),
            Map.entry("java-avro-generic", Lanes::avroGeneric),
            Map.entry("java-native-peer", Lanes::nativePeer),
            Map.entry(SORTED_PEER, Lanes::nativePeerDeterministic),
            Map.entry("java-protobuf-chill", Lanes::chillProtobuf),
            Map.entry("java-thrift-chill", Lanes::chillThrift),
            Map.entry("java-kryo", Lanes::kryo),
            Map.entry("java-protobuf", Lanes::protobuf),
            Map.entry("java-jackson", Lanes::jackson),
            Map.entry("java-avro-json", Lanes::avroJson),
            Map.entry("java-avro-binary", Lanes::avroBinary));

    private Lanes() {}

    /** The names, in the order of reports. */
    public static List<String> names() {
        return List.of(
                "java-pojo",
                "java-tuple",
                "java-avro-specific",
                "java-avro-generic",
                "java-native-peer",
                SORTED_PEER,
                "java-protobuf-chill",
                "java-thrift-chill",
                "java-kryo",
                "java-protobuf",
                "java-jackson",
                "java-avro-json",
                "java-avro-binary");
    }

    /** The lane with a name. */
    public static Lane of(String name) {
        Supplier<Lane> lane = ALL.get(name);
        if (lane == null) {
            throw new IllegalArgumentException("no lane " + name + "; there are " + names());
        }
        return lane.get();
    }

    private static Lane pojo() {
        return new Lane("java-pojo", ANALOGUE, "Flink's PojoSerializer", "flink", NONE)
                .withRecords(() -> new Records.Pojo(Flink.typed(TypeInformation.of(RecordPojo.class))))
                .with(Workload.SOCIAL, () -> new Posts.Pojo(Flink.typed(TypeInformation.of(PostPojo.class))))
                .with(Workload.WIDE, () -> new Wides.Pojo(Flink.typed(TypeInformation.of(WidePojo.class))))
                .without(
                        Workload.TRACES,
                        "a value of a span can hold values; Flink's extraction of types does not end for a class that holds a list of itself");
    }

    private static Lane tuple() {
        return new Lane("java-tuple", ANALOGUE, "Flink's TupleSerializer", "flink", NONE)
                .withRecords(Records.Tuple::new)
                .with(Workload.SOCIAL, Posts.Tuple::new)
                .without(Workload.TRACES, "a value of a span can hold values; the type of a tuple cannot refer to itself")
                .without(Workload.WIDE, "Flink's tuples have at most 25 fields, none of which may be missing");
    }

    private static Lane avroSpecific() {
        return new Lane("java-avro-specific", OTHER, "Flink's AvroSerializer, generated classes", "flink,avro", REQUIRED)
                .withRecords(() -> new Records.AvroSpecific(Flink.typed(new AvroTypeInfo<>(ARecord.class))))
                .with(Workload.SOCIAL, () -> new Posts.AvroSpecific(Flink.typed(new AvroTypeInfo<>(APost.class))))
                .with(Workload.TRACES, () -> new AvroTraces.Specific(Flink.typed(new AvroTypeInfo<>(ABatch.class))))
                .with(Workload.WIDE, () -> new Wides.AvroSpecific(Flink.typed(new AvroTypeInfo<>(AWide.class))));
    }

    private static Lane avroGeneric() {
        return new Lane("java-avro-generic", OTHER, "Flink's AvroSerializer, generic records", "flink,avro", REQUIRED)
                .withRecords(() -> new Records.AvroGeneric(
                        Flink.typed(new GenericRecordAvroTypeInfo(Records.AvroGeneric.SCHEMA))))
                .with(Workload.SOCIAL, () -> new Posts.AvroGeneric(
                        Flink.typed(new GenericRecordAvroTypeInfo(Posts.AvroGeneric.SCHEMA))))
                .with(Workload.TRACES, () -> new AvroTraces.Generic(
                        Flink.typed(new GenericRecordAvroTypeInfo(AvroTraces.Generic.SCHEMA))))
                .with(Workload.WIDE, () -> new Wides.AvroGeneric(
                        Flink.typed(new GenericRecordAvroTypeInfo(Wides.AvroGeneric.SCHEMA))));
    }

    private static Lane nativePeer() {
        Lane lane = new Lane(
                "java-native-peer",
                NATIVE,
                "the frames of flinkser by protobuf-java, written for this comparison",
                "flink,protobuf",
                new Checks(true, true, true, true, true));
        return eachProtobuf(lane, Lanes::framed).ofImmutableValues().asCore();
    }

    private static Lane nativePeerDeterministic() {
        Lane lane = new Lane(
                SORTED_PEER,
                NATIVE,
                "the same with sorted maps",
                "flink,protobuf",
                new Checks(true, true, true, true, true));
        return eachProtobuf(lane, Lanes::framedSorted)
                .ofImmutableValues()
                .asCore()
                .asSupplementOf("java-native-peer");
    }

    private static <T extends Message> TypeSerializer<T> framed(T example) {
        return new NativePeer<>(example, false);
    }

    private static <T extends Message> TypeSerializer<T> framedSorted(T example) {
        return new NativePeer<>(example, true);
    }

    private static Lane protobuf() {
        Lane lane = new Lane("java-protobuf", BASELINE, "protobuf-java with a frame of 4 bytes", "protobuf", PROTOBUF);
        String immutable = "messages cannot change, so that they are shared and not copied";
        return eachProtobuf(lane, Lanes::plain)
                .ofImmutableValues()
                .asCore()
                .without(Operation.OBJECT_COPY, immutable)
                .without(Operation.OBJECT_COPY_REUSE, immutable)
                .without(Operation.DESERIALIZE_REUSE, "messages cannot change, so that none can be read into")
                .without(Operation.STREAM_COPY, "the library has no streams of frames");
    }

    private static <T extends Message> TypeSerializer<T> plain(T example) {
        return new PlainProtobuf<>(example);
    }

    private static Lane chillProtobuf() {
        Lane lane = new Lane(
                "java-protobuf-chill", PEER, "Flink's KryoSerializer with Chill's for protobuf", "flink,chill,protobuf", PROTOBUF);
        return eachProtobuf(lane, Lanes::chill).leftToKryo().asCore();
    }

    @SuppressWarnings("unchecked")
    private static <T extends Message> TypeSerializer<T> chill(T example) {
        return Flink.chill((Class<T>) example.getClass(), ProtobufSerializer.class).get();
    }

    /** Makes a serializer for messages of the example's class. */
    private interface Maker {
        <T extends Message> TypeSerializer<T> make(T example);
    }

    private static Lane eachProtobuf(Lane lane, Maker maker) {
        return lane.withRecords(() -> new Records.Protobuf(() -> maker.make(Bench.Record.getDefaultInstance())))
                .with(Workload.SOCIAL, () -> new Posts.Protobuf(() -> maker.make(Bench.Post.getDefaultInstance())))
                .with(Workload.TRACES, () -> new Traces.Protobuf(() -> maker.make(Bench.Batch.getDefaultInstance())))
                .with(Workload.WIDE, () -> new Wides.Protobuf(() -> maker.make(Bench.Wide.getDefaultInstance())));
    }

    private static Lane chillThrift() {
        return new Lane("java-thrift-chill", OTHER, "Flink's KryoSerializer with Chill's for Thrift", "flink,chill,thrift", NONE)
                .withRecords(() -> new Records.Thrift(Flink.chill(TRecord.class, TBaseSerializer.class)))
                .with(Workload.SOCIAL, () -> new Posts.Thrift(Flink.chill(TPost.class, TBaseSerializer.class)))
                .with(Workload.TRACES, () -> new Traces.Thrift(Flink.chill(TBatch.class, TBaseSerializer.class)))
                .with(Workload.WIDE, () -> new Wides.Thrift(Flink.chill(TWide.class, TBaseSerializer.class)))
                .leftToKryo();
    }

    private static Lane kryo() {
        return new Lane("java-kryo", OTHER, "Flink's KryoSerializer, classes registered", "flink", NONE)
                .withRecords(() -> new Records.Pojo(
                        Flink.kryo(RecordPojo.class, c -> register(c, RecordPojo.class, RecordPojo.Child.class))))
                .with(
                        Workload.SOCIAL,
                        () -> new Posts.Pojo(Flink.kryo(
                                PostPojo.class,
                                c -> register(c, PostPojo.class, PostPojo.Media.class, PostPojo.Comment.class))))
                .with(
                        Workload.TRACES,
                        () -> new Traces.Pojo(Flink.kryo(
                                BatchPojo.class,
                                c -> {
                                    register(c, BatchPojo.class);
                                    register(c, BatchPojo.class.getDeclaredClasses());
                                })))
                .with(
                        Workload.WIDE,
                        () -> new Wides.Pojo(Flink.kryo(WidePojo.class, c -> register(c, WidePojo.class))))
                .leftToKryo();
    }

    private static void register(SerializerConfigImpl config, Class<?>... classes) {
        for (Class<?> c : classes) {
            config.registerKryoType(c);
        }
    }

    private static Lane jackson() {
        return socialAlone(new Lane("java-jackson", OTHER, "Jackson, JSON", "jackson", new Checks(true, true, false, false, false)))
                .with(Workload.SOCIAL, () -> new Posts.Pojo(() -> new JacksonJson<>(PostPojo.class)));
    }

    private static Lane avroJson() {
        return socialAlone(new Lane("java-avro-json", OTHER, "Avro, JSON", "avro", REQUIRED))
                .with(Workload.SOCIAL, () -> new Posts.AvroSpecific(() -> new PlainAvro.Json<>(APost.class)));
    }

    private static Lane avroBinary() {
        return socialAlone(new Lane("java-avro-binary", OTHER, "Avro, binary", "avro", REQUIRED))
                .with(Workload.SOCIAL, () -> new Posts.AvroSpecific(() -> new PlainAvro.Binary<>(APost.class)));
    }

    private static Lane socialAlone(Lane lane) {
        for (Workload workload : Workload.values()) {
            lane.without(workload, SOCIAL_ALONE);
        }
        return lane.without(Operation.OBJECT_COPY, "the library alone has no copies")
                .without(Operation.OBJECT_COPY_REUSE, "the library alone has no copies")
                .without(Operation.STREAM_COPY, "the library alone has no copies")
                .without(Operation.DESERIALIZE_REUSE, "not measured for the lanes of social alone");
    }
}
