package flinkser.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flinkser.bench.corpus.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Measures one operation of one lane in this process. JMH would start another process for it, but
 * this one has been started for this block alone.
 */
final class Block {
    private Block() {}

    /** How long to measure. */
    record Effort(int warmups, int iterations, long millis) {}

    /** Measures, and returns the result in the form that the Go lanes print. */
    static ObjectNode measure(
            Lane lane, Workload workload, Operation operation, int block, Effort effort)
            throws RunnerException {
        String missing = lane.missing(operation);
        if (missing != null) {
            throw new IllegalArgumentException(lane.name() + " has no " + operation.label() + ": " + missing);
        }
        BenchmarkResult result = run(lane, workload, operation, effort);
        List<Double> iterations = new ArrayList<>();
        double total = 0;
        double collections = 0;
        for (IterationResult iteration : result.getIterationResults()) {
            double time = secondary(iteration.getSecondaryResults(), ProcessorTime.RESULT);
            double operations = iteration.getMetadata().getAllOps();
            iterations.add(time);
            total += time * operations;
            collections += secondary(iteration.getSecondaryResults(), ProcessorTime.COLLECTIONS) * operations;
        }
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("lane", lane.supplementOf() != null ? lane.supplementOf() : lane.name());
        json.put("workload", workload.label());
        json.put("operation", operation.label());
        json.put("block", block);
        json.put("deterministic", lane.supplementOf() != null);
        json.put("ns_per_op", iterations.stream().mapToDouble(Double::doubleValue).average().orElseThrow());
        // What JMH itself makes of it.
        json.put("passed_ns_per_op", finite("the mean", result.getPrimaryResult().getScore()));
        json.put("allocated_bytes_per_op", secondary(result.getSecondaryResults(), "gc.alloc.rate.norm"));
        // A JVM does not count them.
        json.putNull("allocations_per_op");
        iterations.forEach(json.withArray("iterations")::add);
        json.put("gc_share", collections / total);
        json.put("clock", ProcessorTime.CLOCK);
        json.put("runtime", "java");
        return json;
    }

    private static BenchmarkResult run(
            Lane lane, Workload workload, Operation operation, Effort effort)
            throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + BlockBenchmark.class.getName().replace(".", "\\.") + "\\." + operation.label() + "$")
                .param("lane", lane.name())
                .param("workload", workload.label())
                .forks(0)
                .threads(1)
                .warmupIterations(effort.warmups)
                .warmupTime(TimeValue.milliseconds(effort.millis))
                .measurementIterations(effort.iterations)
                .measurementTime(TimeValue.milliseconds(effort.millis))
                .addProfiler(GCProfiler.class)
                .addProfiler(ProcessorTime.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        Collection<RunResult> results = new Runner(options.build()).run();
        if (results.size() != 1) {
            throw new IllegalStateException(results.size() + " results instead of one");
        }
        return results.iterator().next().getBenchmarkResults().iterator().next();
    }

    /** A result of a profiler, which must be there. */
    @SuppressWarnings("rawtypes") // as JMH has them
    private static double secondary(Map<String, ? extends Result> results, String name) {
        Result<?> found = results.get(name);
        return finite(name, found == null ? Double.NaN : found.getScore());
    }

    private static double finite(String what, double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalStateException(what + " is " + value);
        }
        return value;
    }
}
