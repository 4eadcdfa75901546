package flinkser.bench.formats;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import flinkser.bench.Input;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;

/**
 * protobuf-java alone: a length of 4 bytes, most significant first, and the message, written into
 * and read from the array behind the view, without a copy between.
 */
public final class PlainProtobuf<T extends MessageLite> extends PlainSerializer<T> {
    private static final long serialVersionUID = 1L;

    private final T example;
    private final transient Parser<? extends MessageLite> parser;

    /** Serializers for messages of the example's class. */
    public PlainProtobuf(T example) {
        this.example = example;
        parser = example.getParserForType();
    }

    @Override
    public TypeSerializer<T> duplicate() {
        return new PlainProtobuf<>(example);
    }

    @Override
    public boolean isImmutableType() {
        return true;
    }

    @Override
    public void serialize(T value, DataOutputView target) throws IOException {
        DataOutputSerializer out = (DataOutputSerializer) target;
        int size = value.getSerializedSize();
        out.writeInt(size);
        int start = out.length();
        out.skipBytesToWrite(size);
        CodedOutputStream coded = CodedOutputStream.newInstance(out.getSharedBuffer(), start, size);
        value.writeTo(coded);
        coded.checkNoSpaceLeft();
    }

    @Override
    @SuppressWarnings("unchecked")
    public T deserialize(DataInputView source) throws IOException {
        Input in = (Input) source;
        int size = in.readInt();
        int start = in.getPosition();
        in.skipBytesToRead(size);
        CodedInputStream coded = CodedInputStream.newInstance(in.bytes(), start, size);
        return (T) parser.parseFrom(coded);
    }
}
