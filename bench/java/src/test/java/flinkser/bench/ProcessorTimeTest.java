package flinkser.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProcessorTimeTest {
    private static ProcessorTime.Times millis(long threads, long process, long collections) {
        return new ProcessorTime.Times(
                TimeUnit.MILLISECONDS.toNanos(threads),
                TimeUnit.MILLISECONDS.toNanos(process),
                TimeUnit.MILLISECONDS.toNanos(collections));
    }

    @Test
    void collectionsCountAsTheProcessTakesThem() {
        assertEquals(TimeUnit.MILLISECONDS.toNanos(30), millis(900, 930, 30).collected());
        // The process stood still in a collection, because others ran: 800 ms have passed in it.
        assertEquals(TimeUnit.MILLISECONDS.toNanos(50), millis(200, 230, 800).collected());
        // The process is counted in steps.
        assertEquals(TimeUnit.MILLISECONDS.toNanos(10), millis(905, 900, 10).collected());
    }

    @Test
    void whatAThreadDoesIsCounted() {
        ProcessorTime.Times begin = ProcessorTime.Times.now();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50);
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        long threads = ProcessorTime.Times.now().since(begin).threads();
        assertTrue(threads > 0, threads + " ns");
    }
}
