package flinkser.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flinkser.bench.corpus.Corpus;
import flinkser.bench.corpus.Workload;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the gate says of a lane, in all workloads. */
final class Report {
    private final Map<String, String> properties = new LinkedHashMap<>();
    private final ObjectNode sizes = JsonNodeFactory.instance.objectNode();
    private final Lane lane;
    private String failure;

    private Report(Lane lane) {
        this.lane = lane;
    }

    /** Runs the gate with some workloads. */
    static Report of(Lane lane, List<Workload> workloads) {
        Report report = new Report(lane);
        report.run(workloads);
        return report;
    }

    /** What is wrong, or null. */
    String failure() {
        return failure;
    }

    /** Writes LANE-plain.properties: the lane without further flags for the JVM. */
    void write(Path folder) throws IOException {
        StringBuilder text = new StringBuilder();
        properties.forEach((key, value) -> text.append(key).append('=').append(escape(value)).append('\n'));
        Files.writeString(folder.resolve(lane.name() + "-plain.properties"), text, StandardCharsets.UTF_8);
    }

    private static String escape(String value) {
        return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    }

    /** The lane, and the sizes by workload. */
    ObjectNode json() {
        ObjectNode json = lane.json();
        json.set("sizes", sizes);
        return json;
    }

    private void run(List<Workload> workloads) {
        properties.put("lane", lane.name());
        properties.put(
                "jvm.arguments",
                String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
        properties.put("status", "supported");
        properties.put("reason", "");
        properties.put("role", lane.role());
        properties.put("library", lane.library());
        properties.put("version", lane.version());
        try {
            for (Workload workload : workloads) {
                String missing = lane.missing(workload);
                if (missing == null) {
                    workload(workload);
                } else {
                    properties.put(workload.label() + ".unsupported", missing);
                }
            }
            for (Operation operation : Operation.values()) {
                if (lane.missing(operation) != null) {
                    properties.put(operation.label() + ".unsupported", lane.missing(operation));
                }
            }
        } catch (GateFailure | RuntimeException e) {
            failure = lane.name() + ": " + e.getMessage();
            properties.put("status", "failed");
            properties.put("reason", failure);
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private void workload(Workload workload) throws GateFailure {
        List values = Corpus.values(workload);
        Format format = lane.format(workload);
        Gate.Result result;
        try {
            result = Gate.check(lane, format, values);
        } catch (GateFailure e) {
            throw new GateFailure(workload.label() + ": " + e.getMessage());
        }
        if (!properties.containsKey("serializer.chain")) {
            properties.put("serializer.chain", String.join(",", result.chain));
            properties.put("immutable", Boolean.toString(result.immutable));
            properties.put("serializer.source", source(format.serializer().getClass()));
            properties.put("record.source", source(format.build(values.get(0)).getClass()));
        }
        String prefix = workload.label() + ".";
        properties.put(prefix + "records", Integer.toString(result.records));
        properties.put(prefix + "encoded.mean", String.format(Locale.ROOT, "%.6f", result.mean()));
        properties.put(prefix + "encoded.min", Integer.toString(result.min));
        properties.put(prefix + "encoded.max", Integer.toString(result.max));
        properties.put(prefix + "identityCopies", Integer.toString(result.identityCopies));
        properties.put(prefix + "deserializeReuses", Integer.toString(result.deserializeReuses));
        properties.put(prefix + "copyReuses", Integer.toString(result.copyReuses));
        sizes.putObject(workload.label())
                .put("Records", result.records)
                .put("Mean", result.mean())
                .put("Min", result.min)
                .put("Max", result.max);
    }

    /** The file that a class comes from, without its folder. */
    private static String source(Class<?> type) {
        Path path = Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
        return path.getFileName() + "!" + type.getName();
    }
}
