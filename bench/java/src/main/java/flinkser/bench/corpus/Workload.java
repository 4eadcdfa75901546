package flinkser.bench.corpus;

/** The workloads, in the order of reports. */
public enum Workload {
    SCALAR(Kind.RECORD),
    TEXT(Kind.RECORD),
    NESTED(Kind.RECORD),
    COLLECTIONS(Kind.RECORD),
    LARGE(Kind.RECORD),
    SOCIAL(Kind.POST),
    TRACES(Kind.TRACES),
    WIDE(Kind.WIDE);

    /** What the values of a workload are. */
    public enum Kind {
        RECORD,
        POST,
        TRACES,
        WIDE
    }

    private final Kind kind;

    Workload(Kind kind) {
        this.kind = kind;
    }

    /** What the values are. */
    public Kind kind() {
        return kind;
    }

    /** The name in files and on the command line. */
    public String label() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    /** The workload with a label. */
    public static Workload of(String label) {
        for (Workload workload : values()) {
            if (workload.label().equals(label)) {
                return workload;
            }
        }
        throw new IllegalArgumentException("no workload " + label);
    }
}
