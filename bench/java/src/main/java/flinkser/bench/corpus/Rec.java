package flinkser.bench.corpus;

import java.util.List;
import java.util.Map;

/**
 * One record of the workloads scalar, text, nested, collections and large, as no library holds it.
 *
 * @param note null where the record has none, which is not the same as an empty one
 * @param attributes in the order of insertion, which does not count when two records are compared
 */
public record Rec(
        int id,
        long timestamp,
        boolean active,
        String name,
        String note,
        Bytes payload,
        Child child,
        List<Long> values,
        Map<String, Long> attributes) {

    /** The nested message. */
    public record Child(int code, String name) {}
}
