package flinkpeer;

import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** A MiniCluster for all jobs: one JobManager and one TaskManager in this JVM. */
final class Cluster implements AutoCloseable {
    private final MiniCluster cluster;
    private final Path temporary;

    /** The failure of a job. */
    static final class JobFailed extends Exception {
        private static final long serialVersionUID = 1L;

        JobFailed(JobStatus status, Throwable cause) {
            super("job is " + status, cause);
        }
    }

    Cluster() throws Exception {
        temporary = Files.createTempDirectory("peer-");
        Configuration c = new Configuration();
        c.setString("taskmanager.memory.managed.size", "256m");
        c.setString("taskmanager.memory.network.min", "128m");
        c.setString("taskmanager.memory.network.max", "128m");
        c.setString("rest.port", "0");
        c.setString("rest.bind-port", "0");
        c.setString("io.tmp.dirs", temporary.toString());
        cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(4)
                .setConfiguration(c)
                .build());
        cluster.start();
    }

    @Override
    public void close() throws Exception {
        cluster.close();
        Folders.delete(temporary);
    }

    /** An environment with a state backend. Types that Flink would hand to Kryo are refused. */
    StreamExecutionEnvironment environment(String backend, int parallelism) {
        Configuration c = new Configuration();
        c.setString("state.backend.type", backend);
        c.setString("pipeline.generic-types", "false");
        c.setString("restart-strategy.type", "none");
        c.setString("execution.checkpointing.dir", temporary.resolve("checkpoints").toUri().toString());
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(c);
        env.setParallelism(parallelism);
        env.setMaxParallelism(16);
        return env;
    }

    /** Submits a job with its classes in a jar, restored from a savepoint unless that is null. */
    JobID submit(StreamExecutionEnvironment env, Path savepoint, Path jar, ClassLoader loader) throws Exception {
        JobGraph g = env.getStreamGraph().getJobGraph(loader, null);
        g.addJar(new org.apache.flink.core.fs.Path(jar.toUri()));
        if (savepoint != null) {
            g.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(savepoint.toUri().toString(), true));
        }
        cluster.submitJob(g).get(60, TimeUnit.SECONDS);
        return g.getJobID();
    }

    /** Waits until every subtask runs, and throws what the job has failed with. */
    void running(JobID id) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (System.nanoTime() < end) {
            AccessExecutionGraph g = cluster.getExecutionGraph(id).get(60, TimeUnit.SECONDS);
            if (g.getState().isTerminalState() || g.getState() == JobStatus.FAILING) {
                throw new JobFailed(g.getState(), g.getFailureInfo() == null
                        ? null
                        : g.getFailureInfo().getException().deserializeError(Cluster.class.getClassLoader()));
            }
            boolean all = g.getState() == JobStatus.RUNNING;
            for (AccessExecutionVertex v : g.getAllExecutionVertices()) {
                all &= v.getExecutionState() == ExecutionState.RUNNING;
            }
            if (all) {
                return;
            }
            Thread.sleep(5);
        }
        throw new IllegalStateException("the job does not run after two minutes");
    }

    /** Takes a savepoint, which is complete when this returns, and so is all that was emitted before. */
    Path savepoint(JobID id, Path folder, SavepointFormatType format) throws Exception {
        try {
            String path = cluster.triggerSavepoint(id, folder.toUri().toString(), false, format).get(120, TimeUnit.SECONDS);
            return Path.of(java.net.URI.create(path));
        } catch (ExecutionException e) {
            // The job's own failure says more than that there was no savepoint.
            Thread.sleep(200);
            running(id);
            throw e;
        }
    }

    /** Ends a job, in whatever state it is. */
    void cancel(JobID id) throws Exception {
        if (cluster.getJobStatus(id).get().isTerminalState()) {
            return;
        }
        try {
            cluster.cancelJob(id).get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            // It may have ended by itself in between; the loop below decides.
        }
        while (!cluster.getJobStatus(id).get().isTerminalState()) {
            Thread.sleep(2);
        }
    }
}
