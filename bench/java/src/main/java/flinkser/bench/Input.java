package flinkser.bench;

import org.apache.flink.core.memory.DataInputDeserializer;

/** An input that a library without a notion of Flink's views can read its bytes from, without a copy. */
public final class Input extends DataInputDeserializer {
    private static final long serialVersionUID = 1L;

    private transient byte[] bytes = new byte[0];

    @Override
    public void setBuffer(byte[] bytes) {
        this.bytes = bytes;
        super.setBuffer(bytes);
    }

    /** All bytes, also those that have been read. */
    public byte[] bytes() {
        return bytes;
    }
}
