package flinkser.bench.formats;

import flinkser.bench.Input;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.io.JsonEncoder;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Avro alone, behind a length of 4 bytes: binary or JSON. */
public abstract class PlainAvro<T extends SpecificRecord> extends PlainSerializer<T> {
    private static final long serialVersionUID = 1L;
    private static final int FIRST_BYTES = 1024;

    final Class<T> type;
    final transient SpecificDatumWriter<T> writer;
    final transient SpecificDatumReader<T> reader;

    private PlainAvro(Class<T> type) {
        this.type = type;
        writer = new SpecificDatumWriter<>(type);
        reader = new SpecificDatumReader<>(type);
    }

    abstract void encode(T value, ByteArrayOutputStream out) throws IOException;

    abstract T decode(byte[] bytes, int start, int size) throws IOException;

    @Override
    public void serialize(T value, DataOutputView target) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(FIRST_BYTES);
        encode(value, out);
        byte[] bytes = out.toByteArray();
        target.writeInt(bytes.length);
        target.write(bytes);
    }

    @Override
    public T deserialize(DataInputView source) throws IOException {
        Input in = (Input) source;
        int size = in.readInt();
        int start = in.getPosition();
        in.skipBytesToRead(size);
        return decode(in.bytes(), start, size);
    }

    /** The binary form. */
    public static final class Binary<T extends SpecificRecord> extends PlainAvro<T> {
        private static final long serialVersionUID = 1L;

        private transient BinaryEncoder encoder;
        private transient BinaryDecoder decoder;

        public Binary(Class<T> type) {
            super(type);
        }

        @Override
        public TypeSerializer<T> duplicate() {
            return new Binary<>(type);
        }

        @Override
        void encode(T value, ByteArrayOutputStream out) throws IOException {
            encoder = EncoderFactory.get().binaryEncoder(out, encoder);
            writer.write(value, encoder);
            encoder.flush();
        }

        @Override
        T decode(byte[] bytes, int start, int size) throws IOException {
            decoder = DecoderFactory.get().binaryDecoder(bytes, start, size, decoder);
            return reader.read(null, decoder);
        }
    }

    /** The JSON form. */
    public static final class Json<T extends SpecificRecord> extends PlainAvro<T> {
        private static final long serialVersionUID = 1L;

        public Json(Class<T> type) {
            super(type);
        }

        @Override
        public TypeSerializer<T> duplicate() {
            return new Json<>(type);
        }

        @Override
        void encode(T value, ByteArrayOutputStream out) throws IOException {
            JsonEncoder encoder = EncoderFactory.get().jsonEncoder(schema(), out);
            writer.write(value, encoder);
            encoder.flush();
        }

        @Override
        T decode(byte[] bytes, int start, int size) throws IOException {
            return reader.read(
                    null, DecoderFactory.get().jsonDecoder(schema(), new ByteArrayInputStream(bytes, start, size)));
        }

        private org.apache.avro.Schema schema() {
            return SpecificData.get().getSchema(type);
        }
    }
}
