package flinkser.bench;

import com.sun.management.OperatingSystemMXBean;
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
 * Counts the processor time of the threads of Java and the time of collections, in which those threads stand still. What
 * other processes take does not count, as it does not for the Go lanes, and neither does the compiler, which has done
 * its work in the warm-up.
 */
public final class ProcessorTime implements InternalProfiler {
    /** The name of the result: nanoseconds for each operation. */
    static final String RESULT = "processor.time.norm";

    /** The time of collections in it, which is another result. */
    static final String COLLECTIONS = "collections.time.norm";

    /** What is counted, as results say it. */
    static final String CLOCK = "processor time of threads, and time of collections";

    /** The processor time of the process is counted in steps, of which two ends of an interval may miss one each. */
    private static final long STEPS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    /**
     * Nanoseconds since some point.
     *
     * @param threads processor time of the threads of Java
     * @param process processor time of the process, in steps
     * @param collections passed time of collections
     */
    record Times(long threads, long process, long collections) {
        static Times now() {
            if (!THREADS.isThreadCpuTimeSupported() || !THREADS.isThreadCpuTimeEnabled()) {
                throw new IllegalStateException("this JVM does not know the processor time of threads");
            }
            long threads = 0;
            for (long thread : THREADS.getAllThreadIds()) {
                // -1 for one that has just ended.
                threads += Math.max(0, THREADS.getThreadCpuTime(thread));
            }
            long collections = 0;
            for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
                collections += TimeUnit.MILLISECONDS.toNanos(collector.getCollectionTime());
            }
            return new Times(threads, SYSTEM.getProcessCpuTime(), collections);
        }

        Times since(Times begin) {
            return new Times(threads - begin.threads, process - begin.process, collections - begin.collections);
        }

        /**
         * The time of collections without what other processes have taken meanwhile: it is no more than what the process has
         * taken beside its threads.
         */
        long collected() {
            return Math.min(collections, Math.max(0, process - threads) + STEPS);
        }
    }

    private Times begin;

    @Override
    public String getDescription() {
        return CLOCK;
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        begin = Times.now();
    }

    @Override
    @SuppressWarnings("rawtypes") // the type of the method that this one implements
    public Collection<? extends Result> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        Times spent = Times.now().since(begin);
        // All operations are in the time, also those before and after the iteration.
        double operations = result.getMetadata().getAllOps();
        return List.of(
                new ScalarResult(
                        RESULT, (spent.threads + spent.collected()) / operations, "ns/op", AggregationPolicy.AVG),
                new ScalarResult(COLLECTIONS, spent.collected() / operations, "ns/op", AggregationPolicy.AVG));
    }
}
