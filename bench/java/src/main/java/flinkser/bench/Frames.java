package flinkser.bench;

import flinkser.bench.corpus.Corpus;
import flinkser.bench.corpus.Workload;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * The frames of a workload, by which two programs can tell whether they measure the same.
 *
 * @param sha256 of all frames in their order, in lower-case hex
 */
public record Frames(int records, long total, int min, int max, String sha256) {

    /** The frames with maps sorted. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public static Frames of(Workload workload) throws IOException {
        Format format = Lanes.of(Lanes.SORTED_PEER).format(workload);
        return of(format, (List) Corpus.values(workload));
    }

    private static <L, T> Frames of(Format<L, T> format, List<L> values) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
        TypeSerializer<T> serializer = format.serializer();
        DataOutputSerializer out = new DataOutputSerializer(128 << 10);
        long total = 0;
        int min = Integer.MAX_VALUE;
        int max = 0;
        for (L value : values) {
            out.clear();
            serializer.serialize(format.build(value), out);
            digest.update(out.getSharedBuffer(), 0, out.length());
            total += out.length();
            min = Math.min(min, out.length());
            max = Math.max(max, out.length());
        }
        return new Frames(values.size(), total, min, max, HexFormat.of().formatHex(digest.digest()));
    }
}
