package flinkser.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flinkser.bench.corpus.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The program that the driver starts. Every command prints JSON, one object on a line.
 *
 * <pre>
 * lanes                                    every lane, and what it leaves out
 * corpus                                   the frames of every workload: number, bytes, SHA-256
 * check --lane L --out DIR [--workloads W,W]
 *                                          the gate; writes DIR/L-plain.properties
 * measure --lane L --workload W --operation O --block N
 *         [--warmups 4] [--iterations 5] [--millis 1000]
 * social --format F --direction D          one cell of the social table, with the last three options
 * </pre>
 */
public final class Main {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Main() {}

    public static void main(String[] args) throws Exception {
        // JMH would refuse to run beside another one, which may be that of another project.
        System.setProperty("jmh.ignoreLock", "true");
        Map<String, String> flags = flags(args);
        switch (args.length == 0 ? "" : args[0]) {
            case "lanes" -> lanes();
            case "corpus" -> corpus();
            case "check" -> check(flags);
            case "measure" -> print(measure(flags));
            case "social" -> print(Social.measure(
                    Social.Format.of(need(flags, "format")), need(flags, "direction"), effort(flags)));
            default -> {
                System.err.println("usage: lanes | corpus | check | measure | social; see Main.java");
                System.exit(2);
            }
        }
    }

    private static void print(ObjectNode json) throws IOException {
        System.out.println(JSON.writeValueAsString(json));
    }

    private static Map<String, String> flags(String[] args) {
        Map<String, String> flags = new LinkedHashMap<>();
        for (int i = 1; i < args.length; i += 2) {
            if (!args[i].startsWith("--") || i + 1 == args.length) {
                throw new IllegalArgumentException("no flag with a value: " + args[i]);
            }
            flags.put(args[i].substring(2), args[i + 1]);
        }
        return flags;
    }

    private static String need(Map<String, String> flags, String name) {
        String value = flags.get(name);
        if (value == null) {
            throw new IllegalArgumentException("--" + name + " is missing");
        }
        return value;
    }

    private static Block.Effort effort(Map<String, String> flags) {
        return new Block.Effort(
                Integer.parseInt(flags.getOrDefault("warmups", "4")),
                Integer.parseInt(flags.getOrDefault("iterations", "5")),
                Long.parseLong(flags.getOrDefault("millis", "1000")));
    }

    private static ObjectNode measure(Map<String, String> flags) throws Exception {
        return Block.measure(
                Lanes.of(need(flags, "lane")),
                Workload.of(need(flags, "workload")),
                Operation.of(need(flags, "operation")),
                Integer.parseInt(need(flags, "block")),
                effort(flags));
    }

    private static void lanes() throws IOException {
        for (String name : Lanes.names()) {
            print(Lanes.of(name).json());
        }
    }

    private static void corpus() throws IOException {
        for (Workload workload : Workload.values()) {
            Frames frames = Frames.of(workload);
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            json.put("workload", workload.label());
            json.put("records", frames.records());
            json.put("total", frames.total());
            json.put("min", frames.min());
            json.put("max", frames.max());
            json.put("sha256", frames.sha256());
            print(json);
        }
    }

    /** The workloads whose labels are given, or all. */
    private static List<Workload> workloads(String labels) {
        return labels == null || labels.isEmpty()
                ? List.of(Workload.values())
                : Stream.of(labels.split(",")).map(Workload::of).toList();
    }

    private static void check(Map<String, String> flags) throws Exception {
        Report report = Report.of(Lanes.of(need(flags, "lane")), workloads(flags.get("workloads")));
        report.write(Path.of(need(flags, "out")));
        print(report.json());
        if (report.failure() != null) {
            System.err.println(report.failure());
            System.exit(1);
        }
    }
}
