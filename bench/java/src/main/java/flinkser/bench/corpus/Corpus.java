package flinkser.bench.corpus;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;

/**
 * The values that are measured, drawn from {@link Random} with fixed seeds, as the Go lanes draw
 * them. The order of the draws is part of a workload.
 */
public final class Corpus {
    /** Record i is drawn from the seed SEED + i. */
    public static final long SEED = 30012026L;

    /** How many values a workload has. */
    public static final int SIZE = 64;

    private static final long EPOCH = 1_700_000_000_000L;
    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

    private Corpus() {}

    /** The records of one of the workloads scalar, text, nested, collections and large. */
    public static List<Rec> records(Workload workload) {
        if (workload.kind() != Workload.Kind.RECORD) {
            throw new IllegalArgumentException(workload + " has no records");
        }
        return each(i -> record(workload, i));
    }

    /** The posts of the workload social. */
    public static List<Post> posts() {
        return each(Corpus::post);
    }

    /** The batches of the workload traces. */
    public static List<Batch> batches() {
        return each(Batches::batch);
    }

    /** The messages of the workload wide: every sixth field is set. */
    public static List<Wide> wides() {
        return each(Corpus::wide);
    }

    /** The values of a workload, of the class that its kind has. */
    public static List<?> values(Workload workload) {
        return switch (workload.kind()) {
            case RECORD -> records(workload);
            case POST -> posts();
            case TRACES -> batches();
            case WIDE -> wides();
        };
    }

    private static Wide wide(int i) {
        int n = i + 1;
        Object[] fields = new Object[60];
        for (int half = 0; half < 60; half += 30) {
            fields[half + 1] = (long) n;
            fields[half + 7] = n;
            fields[half + 13] = -n;
            fields[half + 19] = EPOCH + n;
            fields[half + 25] = "wide-value";
        }
        return Wide.of(fields);
    }

    private static <T> List<T> each(IntFunction<T> make) {
        List<T> all = new ArrayList<>(SIZE);
        for (int i = 0; i < SIZE; i++) {
            all.add(make.apply(i));
        }
        return Collections.unmodifiableList(all);
    }

    private static Rec record(Workload workload, int i) {
        Random random = new Random(SEED + i);
        Bytes payload = bytes(random, workload == Workload.TEXT ? 1024 : workload == Workload.LARGE ? 65536 : 0);
        List<Long> values = new ArrayList<>();
        Map<String, Long> attributes = new LinkedHashMap<>();
        if (workload == Workload.COLLECTIONS) {
            for (int k = 0; k < 16; k++) {
                values.add(random.nextLong());
                attributes.put("key-" + (15 - k), random.nextLong());
            }
        }
        boolean nested = workload == Workload.NESTED;
        return new Rec(
                i - 32,
                i == 0 ? 0 : EPOCH + i,
                i % 2 == 0,
                workload == Workload.TEXT ? "ASCII-日本語-é-".repeat(32) + i : "",
                note(i),
                payload,
                nested ? new Rec.Child(i * 7, "child-日本語-" + i) : new Rec.Child(0, ""),
                Collections.unmodifiableList(values),
                Collections.unmodifiableMap(attributes));
    }

    private static String note(int i) {
        return switch (i % 3) {
            case 0 -> null;
            case 1 -> "";
            default -> "note-" + i;
        };
    }

    private static Post post(int i) {
        Random random = new Random(SEED + i);
        String postId = letters(random, 10);
        String authorId = letters(random, 10);
        String content = letters(random, 104);
        List<Post.Media> media = new ArrayList<>();
        for (int k = 0; k < 2; k++) {
            String type = letters(random, 5);
            media.add(new Post.Media(type, letters(random, 30)));
        }
        List<String> likes = new ArrayList<>();
        for (int k = 0; k < 10; k++) {
            likes.add(letters(random, 10));
        }
        List<Post.Comment> comments = new ArrayList<>();
        for (int k = 0; k < 5; k++) {
            String id = letters(random, 10);
            String commenter = letters(random, 10);
            String text = letters(random, 50);
            comments.add(new Post.Comment(id, commenter, text, EPOCH + random.nextInt(1_000_000)));
        }
        return new Post(
                postId,
                authorId,
                content,
                EPOCH + i,
                Collections.unmodifiableList(media),
                Collections.unmodifiableList(likes),
                Collections.unmodifiableList(comments));
    }

    static Bytes bytes(Random random, int n) {
        byte[] drawn = new byte[n];
        for (int k = 0; k < n; k++) {
            drawn[k] = (byte) random.nextInt(256);
        }
        return Bytes.copyOf(drawn);
    }

    static String letters(Random random, int n) {
        StringBuilder drawn = new StringBuilder(n);
        for (int k = 0; k < n; k++) {
            drawn.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return drawn.toString();
    }
}
