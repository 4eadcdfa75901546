package flinkpeer;

import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.core.StreamReadConstraints;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;

/** JSON with texts of any length. */
final class Json {
    private Json() {}

    static ObjectMapper mapper() {
        ObjectMapper m = new ObjectMapper();
        m.getFactory().setStreamReadConstraints(StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build());
        return m;
    }
}
