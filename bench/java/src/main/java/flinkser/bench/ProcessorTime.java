package flinkser.bench;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Counts the processor time of the threads of Java and, in milliseconds, the time of collections, in which those threads
 * stand still. What other processes take does not count, as it does not for the Go lanes, and neither does the
 * compiler, which has done its work in the warm-up.
 */
public final class ProcessorTime implements InternalProfiler {
    /** The name of the result: nanoseconds for each operation. */
    static final String RESULT = "processor.time.norm";

    /** What is counted, as results say it. */
    static final String CLOCK = "processor time of threads, and time of collections";

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private long begin;

    /** Nanoseconds since some point. */
    static long now() {
        if (!THREADS.isThreadCpuTimeSupported() || !THREADS.isThreadCpuTimeEnabled()) {
            throw new IllegalStateException("this JVM does not know the processor time of threads");
        }
        long sum = 0;
        for (long thread : THREADS.getAllThreadIds()) {
            // -1 for one that has just ended.
            sum += Math.max(0, THREADS.getThreadCpuTime(thread));
        }
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            sum += TimeUnit.MILLISECONDS.toNanos(collector.getCollectionTime());
        }
        return sum;
    }

    @Override
    public String getDescription() {
        return CLOCK;
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        begin = now();
    }

    @Override
    public Collection<? extends Result> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        // All operations are in the time, also those before and after the iteration.
        double perOperation = (double) (now() - begin) / result.getMetadata().getAllOps();
        return List.of(new ScalarResult(RESULT, perOperation, "ns/op", AggregationPolicy.AVG));
    }
}
