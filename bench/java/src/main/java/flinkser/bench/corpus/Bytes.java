package flinkser.bench.corpus;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Bytes that nobody can change. Two are equal when their content is. */
public final class Bytes {
    /** No bytes. */
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private final byte[] content;

    private Bytes(byte[] content) {
        this.content = content;
    }

    /** A copy of what the array holds now. */
    public static Bytes copyOf(byte[] content) {
        return content.length == 0 ? EMPTY : new Bytes(content.clone());
    }

    /** A copy of what remains in the buffer, whose position stays. */
    public static Bytes copyOf(ByteBuffer content) {
        byte[] copy = new byte[content.remaining()];
        content.duplicate().get(copy);
        return copy.length == 0 ? EMPTY : new Bytes(copy);
    }

    /** A view with a position of its own, through which nothing can be written. */
    public ByteBuffer view() {
        return ByteBuffer.wrap(content).asReadOnlyBuffer();
    }

    /** A copy that belongs to the caller. */
    public byte[] toArray() {
        return content.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes bytes && Arrays.equals(content, bytes.content);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(content);
    }

    @Override
    public String toString() {
        return content.length + " bytes with hash " + Integer.toHexString(hashCode());
    }
}
