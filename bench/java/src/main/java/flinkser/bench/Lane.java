package flinkser.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flinkser.bench.corpus.Corpus;
import flinkser.bench.corpus.Workload;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Supplier;

/** One way to use one library. */
public final class Lane {
    private final String name;
    private final String role;
    private final String library;
    private final String version;
    private final Checks checks;
    private boolean generic;
    private boolean immutable;
    private boolean core;
    private String supplementOf;
    private final Map<Workload, Supplier<Format<?, ?>>> formats = new EnumMap<>(Workload.class);
    private final Map<Workload, String> missingWorkloads = new EnumMap<>(Workload.class);
    private final Map<Operation, String> missingOperations = new EnumMap<>(Operation.class);

    Lane(String name, String role, String library, String versions, Checks checks) {
        this.name = name;
        this.role = role;
        this.library = library;
        this.version = version(versions);
        this.checks = checks;
    }

    /** The name in reports. */
    public String name() {
        return name;
    }

    /** What part the lane plays: native, baseline or peer. */
    public String role() {
        return role;
    }

    /** What is measured. */
    public String library() {
        return library;
    }

    /** Its version, as in pom.xml. */
    public String version() {
        return version;
    }

    /** What it looks at. */
    public Checks checks() {
        return checks;
    }

    /** Whether a copy is the value itself. */
    public boolean immutable() {
        return immutable;
    }

    /** The lane whose bytes this one writes with maps sorted, or null. It is measured for one cell only. */
    public String supplementOf() {
        return supplementOf;
    }

    /** Whether the values are left to Kryo by intent. */
    public boolean generic() {
        return generic;
    }

    /** Why a workload is left out, or null. */
    public String missing(Workload workload) {
        return formats.containsKey(workload)
                ? null
                : missingWorkloads.getOrDefault(workload, "no such lane has been written");
    }

    /** Why an operation is left out, or null. */
    public String missing(Operation operation) {
        return missingOperations.get(operation);
    }

    /** What the library does with a workload. */
    public Format<?, ?> format(Workload workload) {
        Supplier<Format<?, ?>> format = formats.get(workload);
        if (format == null) {
            throw new IllegalArgumentException(name + " has no " + workload.label() + ": " + missing(workload));
        }
        return format.get();
    }

    /** A workload, ready to be measured. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    Loops<?, ?> loops(Workload workload) throws IOException {
        return new Loops(format(workload), (List) Corpus.values(workload));
    }

    /** The lane in the form in which the Go lanes describe themselves; there the role says that this is another runtime. */
    ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("lane", name);
        json.put("role", "java");
        json.put("runtime", "java");
        json.put("library", library);
        json.put("version", version);
        json.putObject("checks")
                .put("UTF8", checks.utf8())
                .put("Depth", checks.depth())
                .put("Size", checks.size())
                .put("Required", checks.required())
                .put("Unknown", checks.unknown());
        json.put("shares_input", false);
        json.put("opt_in", false);
        json.put("immutable", immutable);
        json.put("core", core);
        json.put("deterministic", supplementOf == null ? "" : supplementOf);
        ObjectNode unsupported = json.putObject("unsupported");
        for (Workload workload : Workload.values()) {
            if (missing(workload) != null) {
                unsupported.put(workload.label(), missing(workload));
                continue;
            }
            missingOperations.forEach((operation, reason) ->
                    unsupported.put(workload.label() + "/" + operation.label(), reason));
        }
        return json;
    }

    Lane with(Workload workload, Supplier<Format<?, ?>> format) {
        formats.put(workload, format);
        return this;
    }

    /** The same format for all workloads of records. */
    Lane withRecords(Supplier<Format<?, ?>> format) {
        for (Workload workload : Workload.values()) {
            if (workload.kind() == Workload.Kind.RECORD) {
                formats.put(workload, format);
            }
        }
        return this;
    }

    Lane without(Workload workload, String reason) {
        missingWorkloads.put(workload, reason);
        return this;
    }

    Lane without(Operation operation, String reason) {
        missingOperations.put(operation, reason);
        return this;
    }

    Lane leftToKryo() {
        generic = true;
        return this;
    }

    /** Values cannot change, so that a copy is the value itself. */
    Lane ofImmutableValues() {
        immutable = true;
        return this;
    }

    /** The lane is the other one with maps sorted. */
    Lane asSupplementOf(String lane) {
        supplementOf = lane;
        return this;
    }

    /** The lane is measured when nothing else is asked for. */
    Lane asCore() {
        core = true;
        return this;
    }

    /** Versions are named as in versions.properties, which Maven fills in. */
    private static String version(String names) {
        Properties versions = new Properties();
        try (var in = Lane.class.getResourceAsStream("/versions.properties")) {
            versions.load(in);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        StringBuilder text = new StringBuilder();
        for (String name : names.split(",")) {
            String version = versions.getProperty(name);
            if (version == null || version.startsWith("$")) {
                throw new IllegalStateException("no version of " + name);
            }
            text.append(text.isEmpty() ? "" : " ").append(name).append(' ').append(version);
        }
        return text.toString();
    }
}
