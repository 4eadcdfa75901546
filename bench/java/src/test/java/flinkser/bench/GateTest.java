package flinkser.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flinkser.bench.corpus.Corpus;
import flinkser.bench.corpus.Rec;
import flinkser.bench.corpus.Wide;
import flinkser.bench.corpus.Workload;
import flinkser.bench.formats.BatchPojo;
import flinkser.bench.formats.Flink;
import flinkser.bench.formats.NativePeer;
import flinkser.bench.formats.RecordPojo;
import flinkser.bench.formats.Records;
import flinkser.bench.formats.WidePojo;
import flinkser.bench.formats.Wides;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GateTest {
    static List<String> lanes() {
        return Lanes.names();
    }

    /** Mean sizes that the benchmark of the published library for Java had, by lane, in the order of workloads. */
    private static final Map<String, String> SIZES = Map.of(
            "java-pojo", "48.9 1683.8 66.8 454.9 65584.9",
            "java-tuple", "34.3 1669.1 52.1 408.3 65570.3",
            "java-avro-specific", "39.9 1673.7 57.7 447.9 65575.9",
            "java-avro-generic", "39.9 1673.7 57.7 447.9 65575.9",
            "java-native-peer", "23.9 1663.8 46.4 498.1 65563.9",
            "java-protobuf", "23.9 1663.8 46.4 498.1 65563.9",
            "java-protobuf-chill", "22.9 1663.8 45.4 498.1 65564.9",
            "java-thrift-chill", "81.8 1716.7 99.7 488.8 65619.8",
            "java-kryo", "71.2 1708.0 90.9 477.0 65609.2");

    @ParameterizedTest
    @MethodSource("lanes")
    @SuppressWarnings({"unchecked", "rawtypes"})
    void everyLanePasses(String name) throws Exception {
        Lane lane = Lanes.of(name);
        List<String> sizes = new ArrayList<>();
        int passed = 0;
        for (Workload workload : Workload.values()) {
            if (lane.missing(workload) != null) {
                continue;
            }
            Gate.Result result = Gate.check(lane, (Format) lane.format(workload), (List) Corpus.values(workload));
            assertEquals(64, result.records);
            passed++;
            if (workload.kind() == Workload.Kind.RECORD) {
                sizes.add(String.format(Locale.ROOT, "%.1f", result.mean()));
            }
        }
        assertTrue(passed > 0, "a lane without a workload");
        if (SIZES.containsKey(name)) {
            assertEquals(SIZES.get(name), String.join(" ", sizes));
        }
    }

    @Test
    void onlyTheNativeLaneSharesItsCopies() throws Exception {
        Gate.Result peer = check("java-native-peer", new Records.Protobuf(
                () -> new NativePeer<>(Bench.Record.getDefaultInstance(), false)));
        assertTrue(peer.immutable);
        // Two copies of each record.
        assertEquals(128, peer.identityCopies);
        assertEquals(0, peer.deserializeReuses);
        assertEquals(0, peer.copyReuses);
        Gate.Result pojo = check("java-pojo", pojos(right -> right));
        assertEquals(0, pojo.identityCopies);
        assertEquals(64, pojo.deserializeReuses);
        assertEquals(64, pojo.copyReuses);
    }

    private static Gate.Result check(String lane, Format<Rec, ?> format) throws GateFailure {
        return Gate.check(Lanes.of(lane), format, Corpus.records(Workload.TEXT));
    }

    private static Format<Rec, RecordPojo> pojos(UnaryOperator<TypeSerializer<RecordPojo>> wrong) {
        return new Records.Pojo(() ->
                wrong.apply(Flink.typed(TypeInformation.of(RecordPojo.class)).get()));
    }

    private static void fails(String why, Format<Rec, ?> format) {
        GateFailure failure = assertThrows(GateFailure.class, () -> check("java-pojo", format));
        assertTrue(failure.getMessage().contains(why), failure.getMessage());
    }

    @Test
    void aCopyThatAliasesThePayloadFails() {
        fails("a copy shares something", pojos(right -> new Wrong<>(right) {
            @Override
            public RecordPojo copy(RecordPojo from) {
                RecordPojo copy = right.copy(from);
                copy.payload = from.payload;
                return copy;
            }
        }));
    }

    @Test
    void aCopyOntoAValueThatAliasesThePayloadFails() {
        fails("a copy onto a value shares something", pojos(right -> new Wrong<>(right) {
            @Override
            public RecordPojo copy(RecordPojo from, RecordPojo reuse) {
                RecordPojo copy = right.copy(from, reuse);
                copy.payload = from.payload;
                return copy;
            }
        }));
    }

    @Test
    void aCopyThatAliasesTheChildFails() {
        fails("a copy shares something", pojos(right -> new Wrong<>(right) {
            @Override
            public RecordPojo copy(RecordPojo from) {
                RecordPojo copy = right.copy(from);
                copy.child = from.child;
                return copy;
            }
        }));
    }

    @Test
    void aCopyThatIsTheSourceFails() {
        fails("a copy is the source", pojos(right -> new Wrong<>(right) {
            @Override
            public RecordPojo copy(RecordPojo from) {
                return from;
            }
        }));
    }

    @Test
    void aLostNoteFails() {
        fails("another value is read than was written", pojos(right -> new Wrong<>(right) {
            @Override
            public RecordPojo deserialize(DataInputView source) throws IOException {
                RecordPojo p = right.deserialize(source);
                // Missing and empty are not the same.
                p.note = p.note == null ? "" : p.note;
                return p;
            }
        }));
    }

    @Test
    void bytesTooManyFail() {
        fails("reading takes", pojos(right -> new Wrong<>(right) {
            @Override
            public void serialize(RecordPojo value, DataOutputView target) throws IOException {
                right.serialize(value, target);
                target.write(0);
            }
        }));
    }

    @Test
    void aReusedValueThatKeepsItsOldFieldsFails() {
        fails("another value is read into one", pojos(right -> new Wrong<>(right) {
            @Override
            public RecordPojo deserialize(RecordPojo reuse, DataInputView source) throws IOException {
                RecordPojo p = right.deserialize(source);
                p.note = p.note == null ? reuse.note : p.note;
                return p;
            }
        }));
    }

    @Test
    void aStreamCopyThatTakesTheNextRecordFails() {
        fails("copying takes another number of bytes", pojos(right -> new Wrong<>(right) {
            @Override
            public void copy(DataInputView source, DataOutputView target) throws IOException {
                right.copy(source, target);
                right.copy(source, target);
            }
        }));
    }

    @Test
    void aValueThatChangesWhenWrittenFails() {
        fails("writing changes the value", pojos(right -> new Wrong<>(right) {
            @Override
            public void serialize(RecordPojo value, DataOutputView target) throws IOException {
                right.serialize(value, target);
                value.timestamp++;
            }
        }));
    }

    @Test
    void anOperationThatIsLeftOutMustBeRefused() {
        Lane lane = new Lane("test", "peer", "a test", "flink", new Checks(false, false, false, false, false))
                .without(Operation.OBJECT_COPY, "for no reason");
        GateFailure failure = assertThrows(
                GateFailure.class,
                () -> Gate.check(lane, pojos(right -> right), Corpus.records(Workload.SCALAR)));
        assertTrue(failure.getMessage().contains("objectCopy works, though it is left out"), failure.getMessage());
    }

    @Test
    void theNegativeZeroIsAValueOfItsOwn() throws Exception {
        Format<Wide, WidePojo> format = new Wides.Pojo(Flink.typed(TypeInformation.of(WidePojo.class)));
        WidePojo zero = new WidePojo();
        zero.f13 = -0.0;
        zero.f15 = -0.0f;
        WidePojo other = new WidePojo();
        other.f13 = 0.0;
        other.f15 = 0.0f;
        assertTrue(!format.value(zero).equals(format.value(other)));
        for (String lane : Lanes.names()) {
            if (Lanes.of(lane).missing(Workload.WIDE) == null) {
                negativeZero(Lanes.of(lane), format.value(zero));
            }
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void negativeZero(Lane lane, Wide value) throws GateFailure {
        // The gate wants something to change: field 2 of its neighbour.
        Gate.check(lane, (Format) lane.format(Workload.WIDE), List.of(value, Corpus.wides().get(0)));
    }

    /** A POJO with a part that Flink knows nothing of. */
    public static class WithUnknown {
        public int id;
        public Object unknown;
        public List<Hidden> list;

        public WithUnknown() {}
    }

    /** No POJO, since nobody can make one. */
    public static class Hidden {
        public final int number;

        public Hidden(int number) {
            this.number = number;
        }
    }

    @Test
    void aNestedFallbackFailsTheSelection() {
        TypeInformation<WithUnknown> type = TypeInformation.of(WithUnknown.class);
        TypeSerializer<WithUnknown> serializer = type.createSerializer(new SerializerConfigImpl());
        assertEquals(
                "org.apache.flink.api.java.typeutils.runtime.PojoSerializer", serializer.getClass().getName());
        GateFailure failure = assertThrows(GateFailure.class, () -> Selection.requireNoFallback(serializer));
        assertTrue(failure.getMessage().contains("KryoSerializer"), failure.getMessage());
        // The way that the lanes take refuses such a type from the start.
        assertThrows(UnsupportedOperationException.class, () -> Flink.typed(type).get());
    }

    @Test
    void aFallbackInAListFailsTheSelection() {
        TypeInformation<List<Hidden>> type =
                new org.apache.flink.api.java.typeutils.ListTypeInfo<>(Hidden.class);
        TypeSerializer<?> serializer = type.createSerializer(new SerializerConfigImpl());
        assertThrows(GateFailure.class, () -> Selection.requireNoFallback(serializer));
    }

    @Test
    void theChainOfAPojoNamesItsParts() throws Exception {
        TypeSerializer<RecordPojo> serializer = Flink.typed(TypeInformation.of(RecordPojo.class)).get();
        Selection.requireNoFallback(serializer);
        List<String> chain = Selection.chain(serializer);
        for (String part : List.of("PojoSerializer", "ListSerializer", "MapSerializer", "StringSerializer")) {
            assertTrue(chain.stream().anyMatch(name -> name.endsWith("." + part)), part + " in " + chain);
        }
    }

    /** The reason why a lane leaves traces out. */
    @Test
    void aClassThatHoldsAListOfItselfHasNoTypeInformation() {
        assertThrows(StackOverflowError.class, () -> TypeInformation.of(BatchPojo.class));
    }
}
