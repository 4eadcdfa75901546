package flinkser.bench.formats;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import flinkser.bench.Input;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** JSON by Jackson, behind a length of 4 bytes, since JSON does not say where it ends. */
public final class JacksonJson<T> extends PlainSerializer<T> {
    private static final long serialVersionUID = 1L;

    private final Class<T> type;
    private final transient ObjectWriter writer;
    private final transient ObjectReader reader;

    /** Serializers of a class whose public fields are what is written. */
    public JacksonJson(Class<T> type) {
        this.type = type;
        ObjectMapper mapper = new ObjectMapper();
        writer = mapper.writerFor(type);
        reader = mapper.readerFor(type);
    }

    @Override
    public TypeSerializer<T> duplicate() {
        return new JacksonJson<>(type);
    }

    @Override
    public void serialize(T value, DataOutputView target) throws IOException {
        byte[] json = writer.writeValueAsBytes(value);
        target.writeInt(json.length);
        target.write(json);
    }

    @Override
    public T deserialize(DataInputView source) throws IOException {
        Input in = (Input) source;
        int size = in.readInt();
        int start = in.getPosition();
        in.skipBytesToRead(size);
        return reader.readValue(in.bytes(), start, size);
    }
}
