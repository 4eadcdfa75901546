package flinkser.bench.formats;

import java.util.List;
import java.util.Map;

/** The record as Flink's serializer of POJOs wants it. */
public class RecordPojo {
    public int id;
    public long timestamp;
    public boolean active;
    public String name;
    public String note;
    public byte[] payload;
    public Child child;
    public List<Long> values;
    public Map<String, Long> attributes;

    public RecordPojo() {}

    /** The nested message. */
    public static class Child {
        public int code;
        public String name;

        public Child() {}

        Child(int code, String name) {
            this.code = code;
            this.name = name;
        }
    }
}
