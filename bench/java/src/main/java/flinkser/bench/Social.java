package flinkser.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flinkser.bench.corpus.Corpus;
import flinkser.bench.corpus.Post;
import flinkser.bench.corpus.Workload;
import java.io.IOException;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/** One cell of the social table: single calls are timed, so that there is a smallest and a middle one. */
final class Social {
    private static final int PREFIX_BYTES = 4;

    private Social() {}

    /** The formats of the table, by the lanes that write them. */
    enum Format {
        JSON("java-jackson"),
        PROTOBUF("java-protobuf"),
        AVRO_JSON("java-avro-json"),
        AVRO_BINARY("java-avro-binary");

        private final String lane;

        Format(String lane) {
            this.lane = lane;
        }

        static Format of(String label) {
            return valueOf(label.toUpperCase(java.util.Locale.ROOT).replace('-', '_'));
        }

        String label() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }
    }

    /** Measures serialize or deserialize. */
    static ObjectNode measure(Format format, String direction, Block.Effort effort)
            throws RunnerException, IOException {
        if (!direction.equals("serialize") && !direction.equals("deserialize")) {
            throw new IllegalArgumentException("no direction " + direction);
        }
        RunResult result = new Runner(new OptionsBuilder()
                        .include("^" + BlockBenchmark.class.getName().replace(".", "\\.") + "\\." + direction + "$")
                        .param("lane", format.lane)
                        .param("workload", Workload.SOCIAL.label())
                        .mode(Mode.SampleTime)
                        .forks(0)
                        .threads(1)
                        .warmupIterations(effort.warmups())
                        .warmupTime(TimeValue.milliseconds(effort.millis()))
                        .measurementIterations(effort.iterations())
                        .measurementTime(TimeValue.milliseconds(effort.millis()))
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .runSingle();
        Statistics times = result.getPrimaryResult().getStatistics();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("runtime", "java");
        json.put("format", format.label());
        json.put("direction", direction);
        json.put("size", size(format));
        json.put("min_ns", times.getMin());
        json.put("avg_ns", times.getMean());
        json.put("median_ns", times.getPercentile(50));
        json.put("calls", times.getN());
        return json;
    }

    @SuppressWarnings("unchecked")
    private static double size(Format format) throws IOException {
        return size((flinkser.bench.Format<Post, ?>) Lanes.of(format.lane).format(Workload.SOCIAL));
    }

    /** The mean size of a post, without the frame. */
    private static <T> double size(flinkser.bench.Format<Post, T> format) throws IOException {
        TypeSerializer<T> serializer = format.serializer();
        DataOutputSerializer out = new DataOutputSerializer(1024);
        List<Post> posts = Corpus.posts();
        long total = 0;
        for (Post post : posts) {
            out.clear();
            serializer.serialize(format.build(post), out);
            total += out.length() - PREFIX_BYTES;
        }
        return (double) total / posts.size();
    }
}
