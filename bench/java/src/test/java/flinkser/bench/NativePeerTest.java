package flinkser.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.UnknownFieldSet;
import flinkser.bench.formats.NativePeer;
import java.io.EOFException;
import java.io.IOException;
import java.util.HexFormat;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NativePeerTest {
    private final NativePeer<Bench.AnyValue> values = new NativePeer<>(Bench.AnyValue.getDefaultInstance(), false);
    private final NativePeer<Bench.Record> records = new NativePeer<>(Bench.Record.getDefaultInstance(), false);

    /** A list in a list, and so on; each list is two levels. */
    private static Bench.AnyValue nested(int lists) {
        Bench.AnyValue value = Bench.AnyValue.newBuilder().setIntValue(1).build();
        for (int i = 0; i < lists; i++) {
            value = Bench.AnyValue.newBuilder()
                    .setArrayValue(Bench.ArrayValue.newBuilder().addValues(value))
                    .build();
        }
        return value;
    }

    private static UnknownFieldSet groups(int depth) {
        UnknownFieldSet set = UnknownFieldSet.newBuilder().build();
        for (int i = 0; i < depth; i++) {
            set = UnknownFieldSet.newBuilder()
                    .addField(100, UnknownFieldSet.Field.newBuilder().addGroup(set).build())
                    .build();
        }
        return set;
    }

    @Test
    void hundredLevelsAreRead() throws Exception {
        DataOutputSerializer out = new DataOutputSerializer(1024);
        values.serialize(nested(50), out);
        assertEquals(nested(50), values.deserialize(new DataInputDeserializer(out.getCopyOfBuffer())));
        assertThrows(IOException.class, () -> values.serialize(nested(51), new DataOutputSerializer(1024)));
    }

    @Test
    void groupsThatNobodyKnowsAreLevelsToo() throws Exception {
        Bench.Record fits = Bench.Record.newBuilder().setUnknownFields(groups(100)).build();
        DataOutputSerializer out = new DataOutputSerializer(1024);
        records.serialize(fits, out);
        assertEquals(fits, records.deserialize(new DataInputDeserializer(out.getCopyOfBuffer())));
        Bench.Record deep = Bench.Record.newBuilder().setUnknownFields(groups(101)).build();
        DataOutputSerializer none = new DataOutputSerializer(1024);
        assertThrows(IOException.class, () -> records.serialize(deep, none));
        assertEquals(0, none.length());
    }

    /** Frames that hold no message: no length, half of one, too few bytes, none that a message begins with. */
    @ParameterizedTest
    @ValueSource(strings = {"", "0000", "ffffffff", "7fffffff", "00000003" + "00", "0000000100", "0000000108", "000000010c", "000000010f", "000000020a7f"})
    void framesThatAreNoneAreRefused(String hex) {
        byte[] frame = HexFormat.of().parseHex(hex);
        assertThrows(IOException.class, () -> records.deserialize(new DataInputDeserializer(frame)));
    }

    @Test
    void copiesOfStreamsAreNotDecoded() throws Exception {
        // No message begins with a zero.
        byte[] frame = HexFormat.of().parseHex("00000001" + "00" + "00000000");
        DataInputDeserializer in = new DataInputDeserializer(frame);
        DataOutputSerializer out = new DataOutputSerializer(16);
        records.copy(in, out);
        assertEquals("0000000100", HexFormat.of().formatHex(out.getCopyOfBuffer()));
        assertEquals(4, in.available());
        records.copy(in, out);
        assertEquals(0, in.available());
        assertThrows(EOFException.class, () -> records.copy(in, out));
    }

    @Test
    void mapsAreSortedWhenAsked() throws Exception {
        Bench.Record ab = Bench.Record.newBuilder().putAttributes("a", 1).putAttributes("b", 2).build();
        Bench.Record ba = Bench.Record.newBuilder().putAttributes("b", 2).putAttributes("a", 1).build();
        assertTrue(!bytes(records, ab).equals(bytes(records, ba)));
        NativePeer<Bench.Record> deterministic = new NativePeer<>(Bench.Record.getDefaultInstance(), true);
        assertEquals(bytes(deterministic, ab), bytes(deterministic, ba));
    }

    private static String bytes(NativePeer<Bench.Record> serializer, Bench.Record record) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(record, out);
        return HexFormat.of().formatHex(out.getCopyOfBuffer());
    }
}
