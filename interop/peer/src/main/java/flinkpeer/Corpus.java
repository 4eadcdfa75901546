package flinkpeer;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;

import java.util.Random;

/** The records of the workloads, made in Java from the same seed as in Go. */
final class Corpus {
    static final int SIZE = 64;
    private static final long SEED = 30012026L;

    private Corpus() {}

    private static void set(Message.Builder b, String field, Object value) {
        b.setField(b.getDescriptorForType().findFieldByName(field), value);
    }

    static Message record(Class<? extends Message> c, String workload, int i) throws Exception {
        Random r = new Random(SEED + i);
        Message.Builder b = Codec.defaultInstance(c).newBuilderForType();
        byte[] payload = new byte[workload.equals("text") ? 1024 : workload.equals("large") ? 65536 : 0];
        for (int k = 0; k < payload.length; k++) {
            payload[k] = (byte) r.nextInt(256);
        }
        set(b, "id", i - SIZE / 2);
        set(b, "timestamp", i == 0 ? 0L : 1_700_000_000_000L + i);
        set(b, "active", i % 2 == 0);
        set(b, "payload", ByteString.copyFrom(payload));
        Descriptor d = b.getDescriptorForType();
        Message.Builder child = b.newBuilderForField(d.findFieldByName("child"));
        if (workload.equals("nested")) {
            set(child, "code", i * 7);
            set(child, "name", "child-\u65e5\u672c\u8a9e-" + i);
        }
        set(b, "child", child.build());
        if (workload.equals("text")) {
            set(b, "name", "ASCII-\u65e5\u672c\u8a9e-\u00e9-".repeat(32) + i);
        }
        if (i % 3 != 0) {
            set(b, "note", i % 3 == 1 ? "" : "note-" + i);
        }
        if (workload.equals("collections")) {
            FieldDescriptor values = d.findFieldByName("values");
            FieldDescriptor attributes = d.findFieldByName("attributes");
            Descriptor entry = attributes.getMessageType();
            for (int k = 0; k < 16; k++) {
                b.addRepeatedField(values, r.nextLong());
                Message.Builder e = b.newBuilderForField(attributes);
                e.setField(entry.findFieldByName("key"), "key-" + (15 - k));
                e.setField(entry.findFieldByName("value"), r.nextLong());
                b.addRepeatedField(attributes, e.build());
            }
        }
        return b.build();
    }
}
