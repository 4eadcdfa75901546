package flinkser.bench.formats;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import java.io.IOException;
import java.util.Arrays;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A serializer of the frames that flinkser writes, for Flink: a length of 4 bytes, most significant
 * first, and the message. It keeps the limits of size and depth, on writing and reading. It was
 * written from the description of the format, to be measured; it is not the published library for
 * Java, and takes no snapshots.
 */
public final class NativePeer<T extends Message> extends PlainSerializer<T> {
    private static final long serialVersionUID = 1L;

    private static final int MAX_MESSAGE_SIZE = 64 << 20;
    private static final int SCRATCH_BYTES = 4096;
    private static final int FIRST_LARGE_BYTES = 1 << 20;

    private final T example;
    private final boolean deterministic;
    private final transient Parser<? extends Message> parser;
    private final transient byte[] scratch = new byte[SCRATCH_BYTES];
    private final transient Depth depth;

    /** Serializers for messages of the example's class; deterministic ones sort the entries of maps. */
    public NativePeer(T example, boolean deterministic) {
        this.example = example;
        this.deterministic = deterministic;
        parser = example.getParserForType();
        depth = new Depth(example.getDescriptorForType());
    }

    @Override
    public TypeSerializer<T> duplicate() {
        return new NativePeer<>(example, deterministic);
    }

    @Override
    public boolean isImmutableType() {
        return true;
    }

    @Override
    public T createInstance() {
        return example;
    }

    @Override
    public T copy(T from) {
        return from;
    }

    @Override
    public T copy(T from, T reuse) {
        return from;
    }

    @Override
    public void serialize(T value, DataOutputView target) throws IOException {
        depth.check(value);
        int size = value.getSerializedSize();
        if (size < 0 || size > MAX_MESSAGE_SIZE) {
            throw new IOException("a message of " + size + " bytes, " + MAX_MESSAGE_SIZE + " are allowed");
        }
        byte[] payload = size <= SCRATCH_BYTES ? scratch : new byte[size];
        CodedOutputStream out = CodedOutputStream.newInstance(payload, 0, size);
        if (deterministic) {
            out.useDeterministicSerialization();
        }
        value.writeTo(out);
        out.checkNoSpaceLeft();
        target.writeInt(size);
        target.write(payload, 0, size);
    }

    @Override
    @SuppressWarnings("unchecked")
    public T deserialize(DataInputView source) throws IOException {
        int size = readSize(source);
        byte[] payload = size <= SCRATCH_BYTES ? readSmall(source, size) : readLarge(source, size);
        CodedInputStream in = CodedInputStream.newInstance(payload, 0, size);
        in.setSizeLimit(MAX_MESSAGE_SIZE);
        in.setRecursionLimit(Depth.LIMIT);
        // The array belongs to this message alone.
        in.enableAliasing(size > SCRATCH_BYTES);
        Message message = parser.parseFrom(in, ExtensionRegistryLite.getEmptyRegistry());
        in.checkLastTagWas(0);
        if (in.getTotalBytesRead() != size) {
            throw new IOException("the message ends before its frame");
        }
        return (T) message;
    }

    @Override
    public T deserialize(T reuse, DataInputView source) throws IOException {
        return deserialize(source);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        int left = readSize(source);
        target.writeInt(left);
        while (left > 0) {
            int n = Math.min(left, SCRATCH_BYTES);
            source.readFully(scratch, 0, n);
            target.write(scratch, 0, n);
            left -= n;
        }
    }

    private static int readSize(DataInputView source) throws IOException {
        int size = source.readInt();
        if (size < 0 || size > MAX_MESSAGE_SIZE) {
            throw new IOException("a frame of " + size + " bytes, " + MAX_MESSAGE_SIZE + " are allowed");
        }
        return size;
    }

    private byte[] readSmall(DataInputView source, int size) throws IOException {
        source.readFully(scratch, 0, size);
        return scratch;
    }

    /** The array grows with what has arrived, not with what the length promises. */
    private static byte[] readLarge(DataInputView source, int size) throws IOException {
        byte[] payload = new byte[Math.min(size, FIRST_LARGE_BYTES)];
        source.readFully(payload);
        while (payload.length < size) {
            int have = payload.length;
            payload = Arrays.copyOf(payload, (int) Math.min(size, 2L * have));
            source.readFully(payload, have, payload.length - have);
        }
        return payload;
    }
}
