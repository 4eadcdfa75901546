package flinkser.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * What a lane must do right before it is measured, with every record of a workload.
 *
 * @param <L> the value as no library holds it
 * @param <T> the value as the library holds it
 */
public final class Gate<L, T> {
    /** Twice the largest record. */
    private static final int OUTPUT_BYTES = 256 << 10;

    private final Lane lane;
    private final Format<L, T> format;
    private final List<L> values;
    private final TypeSerializer<T> serializer;
    private final Result result = new Result();
    private final List<byte[]> encoded = new ArrayList<>();

    /** What the gate has seen. */
    public static final class Result {
        public int records;
        public int min = Integer.MAX_VALUE;
        public int max;
        public long total;
        public boolean immutable;
        public int identityCopies;
        public int deserializeReuses;
        public int copyReuses;
        public List<String> chain;

        /** The mean of the sizes. */
        public double mean() {
            return (double) total / records;
        }
    }

    private Gate(Lane lane, Format<L, T> format, List<L> values) {
        this.lane = lane;
        this.format = format;
        this.values = values;
        serializer = format.serializer();
    }

    /** Checks a format with the values of a workload. It fails at the first thing that is wrong. */
    public static <L, T> Result check(Lane lane, Format<L, T> format, List<L> values) throws GateFailure {
        Gate<L, T> gate = new Gate<>(lane, format, values);
        if (!lane.generic()) {
            Selection.requireNoFallback(gate.serializer);
        }
        gate.result.chain = Selection.chain(gate.serializer);
        gate.result.immutable = gate.serializer.isImmutableType();
        if (gate.result.immutable != lane.immutable()) {
            throw new GateFailure("the lane and the serializer do not agree whether values can change");
        }
        try {
            gate.encode();
            for (int i = 0; i < values.size(); i++) {
                gate.record(i);
            }
            gate.duplicate();
        } catch (IOException e) {
            throw new GateFailure(e.toString());
        }
        return gate.result;
    }

    private static void require(boolean condition, int record, String what) throws GateFailure {
        if (!condition) {
            throw new GateFailure("record " + record + ": " + what);
        }
    }

    private L value(int i) {
        return values.get(i % values.size());
    }

    private T build(int i) {
        return format.build(value(i));
    }

    private byte[] encoded(int i) {
        return encoded.get(i % values.size());
    }

    private boolean is(T held, int i) {
        return format.value(held).equals(value(i));
    }

    private static DataInputDeserializer input(byte[] bytes) {
        Input in = new Input();
        in.setBuffer(bytes);
        return in;
    }

    private static byte[] join(byte[] a, byte[] b) {
        byte[] both = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }

    private void encode() throws IOException, GateFailure {
        DataOutputSerializer out = new DataOutputSerializer(OUTPUT_BYTES);
        for (int i = 0; i < values.size(); i++) {
            T held = build(i);
            out.clear();
            serializer.serialize(held, out);
            encoded.add(out.getCopyOfBuffer());
            require(is(held, i), i, "writing changes the value");
            result.records++;
            result.total += out.length();
            result.min = Math.min(result.min, out.length());
            result.max = Math.max(result.max, out.length());
        }
    }

    private void record(int i) throws IOException, GateFailure {
        backToBack(i);
        deserializeReuse(i);
        objectCopy(i);
        objectCopyReuse(i);
        streamCopy(i);
        read(i);
    }

    /** A record and its neighbour in one stream: each is read as far as it was written. */
    private void backToBack(int i) throws IOException, GateFailure {
        DataOutputSerializer out = new DataOutputSerializer(OUTPUT_BYTES);
        serializer.serialize(build(i), out);
        int first = out.length();
        serializer.serialize(build(i + 1), out);
        DataInputDeserializer in = input(out.getCopyOfBuffer());
        T a = serializer.deserialize(in);
        require(in.getPosition() == first, i, "reading takes " + in.getPosition() + " of " + first + " bytes");
        T b = serializer.deserialize(in);
        require(in.available() == 0, i, in.available() + " bytes are left of the next record");
        require(is(a, i), i, "another value is read than was written");
        require(is(b, i + 1), i, "another value is read after it than was written");
    }

    private void deserializeReuse(int i) throws IOException, GateFailure {
        if (refused(Operation.DESERIALIZE_REUSE, () -> serializer.deserialize(build(i + 2), input(encoded(i))))) {
            return;
        }
        DataInputDeserializer in = input(join(encoded(i), encoded(i + 1)));
        T candidate = build(i + 2);
        T a = serializer.deserialize(candidate, in);
        require(in.getPosition() == encoded(i).length, i, "reading into a value takes another number of bytes");
        require(is(a, i), i, "another value is read into one than was written");
        if (a == candidate) {
            result.deserializeReuses++;
        }
        T b = serializer.deserialize(a, in);
        require(in.available() == 0, i, "bytes are left when two records have been read into a value");
        require(is(b, i + 1), i, "another value is read into the same one than was written");
    }

    private void objectCopy(int i) throws IOException, GateFailure {
        if (refused(Operation.OBJECT_COPY, () -> serializer.copy(build(i)))) {
            return;
        }
        T source = build(i);
        independent(i, source, serializer.copy(source), "a copy");
    }

    private void objectCopyReuse(int i) throws IOException, GateFailure {
        if (refused(Operation.OBJECT_COPY_REUSE, () -> serializer.copy(build(i), build(i + 3)))) {
            return;
        }
        T source = build(i);
        T candidate = build(i + 3);
        T copy = serializer.copy(source, candidate);
        if (copy == candidate) {
            result.copyReuses++;
        }
        independent(i, source, copy, "a copy onto a value");
    }

    /** A copy is equal; of what cannot change, the same; of anything else, it shares nothing that can change. */
    private void independent(int i, T source, T copy, String what) throws GateFailure {
        require(is(copy, i), i, what + " differs");
        if (copy == source) {
            result.identityCopies++;
        }
        if (serializer.isImmutableType()) {
            require(copy == source, i, what + " of what cannot change is another object");
            return;
        }
        require(copy != source, i, what + " is the source");
        if (!format.mutate(copy)) {
            return;
        }
        require(!is(copy, i), i, "the gate has changed nothing in " + what);
        require(is(source, i), i, what + " shares something with the source");
    }

    private void streamCopy(int i) throws IOException, GateFailure {
        Step step = () -> {
            serializer.copy(input(encoded(i)), new DataOutputSerializer(1));
            return null;
        };
        if (refused(Operation.STREAM_COPY, step)) {
            return;
        }
        DataInputDeserializer in = input(join(encoded(i), encoded(i + 1)));
        DataOutputSerializer out = new DataOutputSerializer(OUTPUT_BYTES);
        serializer.copy(in, out);
        require(in.getPosition() == encoded(i).length, i, "copying takes another number of bytes than reading");
        DataInputDeserializer copied = input(out.getCopyOfBuffer());
        require(is(serializer.deserialize(copied), i), i, "another value is read from a copied stream");
        require(copied.available() == 0, i, "the copied stream has bytes too many");
        require(is(serializer.deserialize(in), i + 1), i, "after copying, the next record is another");
    }

    private void read(int i) throws IOException, GateFailure {
        T decoded = serializer.deserialize(input(encoded(i)));
        require(format.read(decoded) == format.read(build(i)), i, "reading every field gives another sum");
    }

    /** Something that may be refused. */
    private interface Step {
        Object run() throws IOException;
    }

    /** Reports whether the lane leaves an operation out, in which case it must refuse it. */
    private boolean refused(Operation operation, Step step) throws IOException, GateFailure {
        String reason = lane.missing(operation);
        if (reason == null) {
            return false;
        }
        try {
            step.run();
        } catch (UnsupportedOperationException e) {
            return true;
        }
        throw new GateFailure(operation.label() + " works, though it is left out: " + reason);
    }

    /** A duplicate, as another thread gets it, writes and reads the same. */
    private void duplicate() throws IOException, GateFailure {
        TypeSerializer<T> duplicate = serializer.duplicate();
        DataOutputSerializer out = new DataOutputSerializer(OUTPUT_BYTES);
        duplicate.serialize(build(0), out);
        require(Arrays.equals(out.getCopyOfBuffer(), encoded(0)), 0, "a duplicate writes other bytes");
        require(is(duplicate.deserialize(input(encoded(0))), 0), 0, "a duplicate reads another value");
    }
}
