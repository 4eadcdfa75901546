package flinkser.bench;

/** What is measured, in the order of reports. */
public enum Operation {
    SERIALIZE("serialize"),
    DESERIALIZE("deserialize"),
    OBJECT_COPY("objectCopy"),
    STREAM_COPY("streamCopy"),
    DESERIALIZE_REUSE("deserializeReuse"),
    OBJECT_COPY_REUSE("objectCopyReuse"),
    SERIALIZE_SAME_INSTANCE("serializeSameInstance"),
    BUILD_AND_SERIALIZE("buildAndSerialize"),
    DECODE_AND_READ("decodeAndRead");

    private final String label;

    Operation(String label) {
        this.label = label;
    }

    /** The name in files, on the command line, and of the method that is measured. */
    public String label() {
        return label;
    }

    /** The operation with a label. */
    public static Operation of(String label) {
        for (Operation operation : values()) {
            if (operation.label.equals(label)) {
                return operation;
            }
        }
        throw new IllegalArgumentException("no operation " + label);
    }
}
