package flinkser.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * One lane and one workload, ready to be measured. Each call handles one record, and the next call
 * the next one.
 */
public final class Loops<L, T> {
    /** Large enough for every record; cleared, not made anew, by each call. */
    private static final int OUTPUT_BYTES = 128 << 10;

    private final Format<L, T> format;
    private final TypeSerializer<T> serializer;
    private final List<L> values;
    private final List<T> held;
    private final byte[][] encoded;
    private final Input in = new Input();
    private final DataOutputSerializer out = new DataOutputSerializer(OUTPUT_BYTES);
    private T last;
    private int next;

    /** Encodes every record and fails if one does not come back. */
    public Loops(Format<L, T> format, List<L> values) throws IOException {
        this.format = format;
        this.values = values;
        serializer = format.serializer();
        held = new ArrayList<>(values.size());
        encoded = new byte[values.size()][];
        for (int i = 0; i < encoded.length; i++) {
            T t = format.build(values.get(i));
            held.add(t);
            out.clear();
            serializer.serialize(t, out);
            encoded[i] = out.getCopyOfBuffer();
            in.setBuffer(encoded[i]);
            if (!format.value(serializer.deserialize(in)).equals(values.get(i))) {
                throw new IllegalStateException("record " + i + " does not come back");
            }
        }
    }

    private int turn() {
        int i = next;
        next = i + 1 == encoded.length ? 0 : i + 1;
        return i;
    }

    private Input input(int i) {
        in.setBuffer(encoded[i]);
        return in;
    }

    /** See {@link Operation#SERIALIZE}. */
    public Object serialize() throws IOException {
        out.clear();
        serializer.serialize(held.get(turn()), out);
        return out;
    }

    /** See {@link Operation#DESERIALIZE}. */
    public Object deserialize() throws IOException {
        return serializer.deserialize(input(turn()));
    }

    /** See {@link Operation#OBJECT_COPY}. */
    public Object objectCopy() {
        return serializer.copy(held.get(turn()));
    }

    /** See {@link Operation#STREAM_COPY}. */
    public Object streamCopy() throws IOException {
        out.clear();
        serializer.copy(input(turn()), out);
        return out;
    }

    /** Reads into the result of the call before. See {@link Operation#DESERIALIZE_REUSE}. */
    public Object deserializeReuse() throws IOException {
        int i = turn();
        if (last == null) {
            last = serializer.deserialize(input(i));
        }
        last = serializer.deserialize(last, input(i));
        return last;
    }

    /** Copies into the result of the call before. See {@link Operation#OBJECT_COPY_REUSE}. */
    public Object objectCopyReuse() {
        int i = turn();
        if (last == null) {
            last = serializer.copy(held.get(i));
        }
        last = serializer.copy(held.get(i), last);
        return last;
    }

    /** Writes record 0, always. See {@link Operation#SERIALIZE_SAME_INSTANCE}. */
    public Object serializeSameInstance() throws IOException {
        out.clear();
        serializer.serialize(held.get(0), out);
        return out;
    }

    /** Makes what the library holds, and writes it. See {@link Operation#BUILD_AND_SERIALIZE}. */
    public Object buildAndSerialize() throws IOException {
        out.clear();
        serializer.serialize(format.build(values.get(turn())), out);
        return out;
    }

    /** Reads every field of what it has decoded. See {@link Operation#DECODE_AND_READ}. */
    public long decodeAndRead() throws IOException {
        return format.read(serializer.deserialize(input(turn())));
    }
}
