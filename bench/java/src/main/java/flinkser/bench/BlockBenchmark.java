package flinkser.bench;

import flinkser.bench.corpus.Workload;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The operations as JMH calls them, a method for each. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class BlockBenchmark {
    @Param("")
    public String lane;

    @Param("")
    public String workload;

    private Loops<?, ?> loops;

    @Setup
    public void setup() throws Exception {
        loops = Lanes.of(lane).loops(Workload.of(workload));
    }

    @Benchmark
    public Object serialize() throws Exception {
        return loops.serialize();
    }

    @Benchmark
    public Object deserialize() throws Exception {
        return loops.deserialize();
    }

    @Benchmark
    public Object objectCopy() {
        return loops.objectCopy();
    }

    @Benchmark
    public Object streamCopy() throws Exception {
        return loops.streamCopy();
    }

    @Benchmark
    public Object deserializeReuse() throws Exception {
        return loops.deserializeReuse();
    }

    @Benchmark
    public Object objectCopyReuse() {
        return loops.objectCopyReuse();
    }

    @Benchmark
    public Object serializeSameInstance() throws Exception {
        return loops.serializeSameInstance();
    }

    @Benchmark
    public Object buildAndSerialize() throws Exception {
        return loops.buildAndSerialize();
    }

    @Benchmark
    public long decodeAndRead() throws Exception {
        return loops.decodeAndRead();
    }
}
