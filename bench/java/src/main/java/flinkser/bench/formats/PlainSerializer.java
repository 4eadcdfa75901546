package flinkser.bench.formats;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A serializer of a library that has no notion of Flink. It does what is overridden, and refuses
 * the rest.
 */
public abstract class PlainSerializer<T> extends TypeSerializer<T> {
    private static final long serialVersionUID = 1L;

    @Override
    public boolean isImmutableType() {
        return false;
    }

    @Override
    public T createInstance() {
        throw new UnsupportedOperationException("createInstance");
    }

    @Override
    public T copy(T from) {
        throw new UnsupportedOperationException("copy");
    }

    @Override
    public T copy(T from, T reuse) {
        throw new UnsupportedOperationException("copy onto another value");
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public T deserialize(T reuse, DataInputView source) throws IOException {
        throw new UnsupportedOperationException("deserialize into another value");
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        throw new UnsupportedOperationException("copy of a stream");
    }

    @Override
    public TypeSerializerSnapshot<T> snapshotConfiguration() {
        throw new UnsupportedOperationException("snapshotConfiguration");
    }

    @Override
    public boolean equals(Object other) {
        return other != null && other.getClass() == getClass();
    }

    @Override
    public int hashCode() {
        return getClass().hashCode();
    }
}
