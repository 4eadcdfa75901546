package flinkpeer;

import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;

/** JSON with texts of any length, which Flink 1 has anyway. */
final class Json {
    private Json() {}

    static ObjectMapper mapper() {
        return new ObjectMapper();
    }
}
