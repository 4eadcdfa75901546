package flinkpeer;

import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** What the driver and the tasks of a job share, as both are in one JVM. */
public final class Hub {
    /** Elements for a source. */
    public static final class Feed {
        private final BlockingQueue<String> queue = new LinkedBlockingQueue<>();
        private final AtomicInteger emitted = new AtomicInteger();
        private int offered;

        public void offer(String element) {
            offered++;
            queue.add(element);
        }

        String poll() throws InterruptedException {
            return queue.poll(5, TimeUnit.MILLISECONDS);
        }

        void emitted() {
            emitted.incrementAndGet();
        }

        /** Waits until the source has emitted all that was offered. */
        public void drain() throws InterruptedException {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
            while (emitted.get() < offered) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException("the source emitted " + emitted + " of " + offered + " elements");
                }
                Thread.sleep(1);
            }
        }
    }

    /** A message that a task has read from state, or that it emits. */
    public record Value(String state, String key, byte[] bytes) {}

    private static final Map<String, Feed> FEEDS = new ConcurrentHashMap<>();
    private static final Map<String, ConcurrentLinkedQueue<Value>> OUT = new ConcurrentHashMap<>();

    private Hub() {}

    public static Feed feed(String run) {
        return FEEDS.computeIfAbsent(run, k -> new Feed());
    }

    public static ConcurrentLinkedQueue<Value> out(String run) {
        return OUT.computeIfAbsent(run, k -> new ConcurrentLinkedQueue<>());
    }

    /** Forgets a run. */
    public static void close(String run) {
        FEEDS.remove(run);
        OUT.remove(run);
    }
}
