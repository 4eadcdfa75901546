package flinkser.bench;

import flinkser.bench.formats.PlainSerializer;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** A serializer that calls another one; tests override what shall be wrong with it. */
class Wrong<T> extends PlainSerializer<T> {
    private static final long serialVersionUID = 1L;

    final transient TypeSerializer<T> right;

    Wrong(TypeSerializer<T> right) {
        this.right = right;
    }

    @Override
    public boolean isImmutableType() {
        return right.isImmutableType();
    }

    @Override
    public TypeSerializer<T> duplicate() {
        return this;
    }

    @Override
    public T copy(T from) {
        return right.copy(from);
    }

    @Override
    public T copy(T from, T reuse) {
        return right.copy(from, reuse);
    }

    @Override
    public void serialize(T value, DataOutputView target) throws IOException {
        right.serialize(value, target);
    }

    @Override
    public T deserialize(DataInputView source) throws IOException {
        return right.deserialize(source);
    }

    @Override
    public T deserialize(T reuse, DataInputView source) throws IOException {
        return right.deserialize(reuse, source);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        right.copy(source, target);
    }
}
