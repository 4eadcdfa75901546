package flinkpeer;

import com.google.protobuf.Message;

import org.apache.flink.api.common.JobID;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Answers questions: one JSON object in a line of the input, one in a line of the output. The word "do" says what is asked.
 * An answer with "failed" means that the question itself was wrong, or the peer is.
 */
public final class Peer {
    private static final ObjectMapper JSON = Json.mapper();

    private final Classes classes;
    private Cluster cluster;
    private int runs;

    private Peer(Path protoc) throws Exception {
        classes = new Classes(protoc);
    }

    /** The argument is the path of protoc. */
    public static void main(String[] args) throws Exception {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        System.setOut(System.err);
        Peer peer = new Peer(Path.of(args[0]));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = in.readLine()) != null; ) {
            ObjectNode answer = JSON.createObjectNode();
            try {
                peer.answer(JSON.readTree(line), answer);
            } catch (Throwable t) {
                t.printStackTrace();
                answer.put("failed", t.toString());
            }
            answers.println(JSON.writeValueAsString(answer));
            answers.flush();
        }
        peer.close();
        System.exit(0);
    }

    private void close() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
        classes.close();
    }

    private void answer(JsonNode q, ObjectNode a) throws Exception {
        switch (q.get("do").asText()) {
            case "versions":
                a.put("flink", EnvironmentInformation.getVersion());
                a.put("protobuf", protobufVersion());
                a.put("java", System.getProperty("java.version"));
                break;
            case "compile":
                classes.compile(q.get("sources"), path(q, "jar"), a);
                break;
            case "each":
                Class<? extends Message> c = message(q);
                Codec.each(Codec.serializer(c, q.get("settings")), c, q.get("what").asText(), q.get("items"), a.putArray("results"));
                break;
            case "corpus":
                corpus(q, a.putArray("results"));
                break;
            case "snapshot":
                a.put("bytes", Codec.bytes(Codec.serializer(message(q), q.get("settings")).snapshotConfiguration()));
                break;
            case "reread":
                boolean restore = q.hasNonNull("jar");
                ClassLoader loader = restore ? classes.loader(path(q, "jar")) : Peer.class.getClassLoader();
                Codec.reread(q.get("items"), loader, restore, a.putArray("results"));
                break;
            case "resolve":
                Codec.resolve(q.get("pairs"), a.putArray("results"));
                break;
            case "frames":
                frames(q, a);
                break;
            case "savepoint":
                savepoint(q, a);
                break;
            case "restore":
                restore(q, a);
                break;
            case "extract":
                Savepoints.snapshots(path(q, "savepoint"), classes.loader(path(q, "jar")), a.putArray("snapshots"));
                break;
            default:
                throw new IllegalArgumentException("no such question: " + q.get("do"));
        }
    }

    /** The version in the name of the jar: protobuf-java 3 has no other place for it. */
    private static String protobufVersion() {
        Path jar = Path.of(Message.class.getProtectionDomain().getCodeSource().getLocation().getPath()).getFileName();
        return jar.toString().replaceAll("^protobuf-java-|\\.jar$", "");
    }

    private static Path path(JsonNode q, String key) {
        return Path.of(q.get(key).asText());
    }

    private Class<? extends Message> message(JsonNode q) throws Exception {
        return classes.message(path(q, "jar"), q.get("class").asText());
    }

    private Cluster cluster() throws Exception {
        if (cluster == null) {
            cluster = new Cluster();
        }
        return cluster;
    }

    private String run() {
        return "run" + runs++;
    }

    private void corpus(JsonNode q, ArrayNode results) throws Exception {
        Class<? extends Message> c = message(q);
        for (int i = 0; i < Corpus.SIZE; i++) {
            Message m = Corpus.record(c, q.get("workload").asText(), i);
            results.addObject().put("bytes", Codec.write(Codec.serializer(c, q.get("settings")), m));
        }
    }

    private StateJob.Case testCase(Path jar, JsonNode c) throws Exception {
        return new StateJob.Case(c.get("name").asText(), classes.message(jar, c.get("class").asText()), Codec.settings(c.get("settings")));
    }

    /** Half of the frames go through a job, a savepoint is taken, the other half goes through a job that is restored from it. */
    private void frames(JsonNode q, ObjectNode a) throws Exception {
        Path jar = path(q, "jar");
        StateJob.Case c = testCase(jar, q.get("case"));
        List<JsonNode> frames = new ArrayList<>();
        q.get("frames").forEach(frames::add);
        int half = frames.size() / 2;
        Path savepoint = null;
        TreeSet<String> keys = new TreeSet<>();
        for (boolean first : new boolean[] {true, false}) {
            String run = run();
            StreamExecutionEnvironment env = cluster().environment(q.get("backend").asText(), 2);
            FrameJob.build(env, run, c);
            JobID id = cluster().submit(env, savepoint, jar, classes.loader(jar));
            try {
                cluster().running(id);
                for (int i = first ? 0 : half; i < (first ? half : frames.size()); i++) {
                    keys.add("k" + i % 7);
                    Hub.feed(run).offer("k" + i % 7 + " put " + frames.get(i).asText());
                }
                if (!first) {
                    keys.forEach(k -> Hub.feed(run).offer(k + " flush -"));
                }
                Hub.feed(run).drain();
                savepoint = cluster().savepoint(id, path(q, "folder"), SavepointFormatType.CANONICAL);
                if (!first) {
                    values(run, a);
                }
            } finally {
                cluster().cancel(id);
                Hub.close(run);
            }
        }
    }

    private static void values(String run, ObjectNode a) {
        ArrayNode values = a.putArray("values");
        for (Hub.Value v : Hub.out(run)) {
            values.addObject().put("state", v.state()).put("key", v.key()).put("bytes", v.bytes());
        }
    }

    private static List<String> states(JsonNode q) {
        List<String> states = new ArrayList<>();
        q.get("states").forEach(s -> states.add(s.asText()));
        if (states.isEmpty() || !StateJob.STATES.containsAll(states)) {
            throw new IllegalArgumentException("states " + states);
        }
        return states;
    }

    /** Puts the payloads of cases into state, each under a key of its own, and takes a savepoint. */
    private void savepoint(JsonNode q, ObjectNode a) throws Exception {
        Path jar = path(q, "jar");
        List<StateJob.Case> cases = new ArrayList<>();
        for (JsonNode c : q.get("cases")) {
            cases.add(testCase(jar, c));
        }
        String run = run();
        StreamExecutionEnvironment env = cluster().environment(q.get("backend").asText(), 1);
        StateJob.build(env, run, cases, states(q));
        JobID id = cluster().submit(env, null, jar, classes.loader(jar));
        try {
            cluster().running(id);
            for (JsonNode c : q.get("cases")) {
                int key = 0;
                for (JsonNode payload : c.get("payloads")) {
                    Hub.feed(run).offer(c.get("name").asText() + " k" + key++ + " put " + payload.asText());
                }
            }
            Hub.feed(run).drain();
            SavepointFormatType format = SavepointFormatType.valueOf(q.get("format").asText());
            a.put("savepoint", cluster().savepoint(id, path(q, "folder"), format).toString());
        } finally {
            cluster().cancel(id);
            Hub.close(run);
        }
    }

    /** Restores one case from a savepoint, reads all that is in its states, and takes a savepoint again. */
    private void restore(JsonNode q, ObjectNode a) throws Exception {
        Path jar = path(q, "jar");
        String run = run();
        JobID id = null;
        try {
            StateJob.Case c = testCase(jar, q.get("case"));
            StreamExecutionEnvironment env = cluster().environment(q.get("backend").asText(), 1);
            StateJob.build(env, run, List.of(c), states(q));
            id = cluster().submit(env, path(q, "savepoint"), jar, classes.loader(jar));
            cluster().running(id);
            for (int key = 0; key < q.get("keys").asInt(); key++) {
                Hub.feed(run).offer(c.name() + " k" + key + " get -");
            }
            Hub.feed(run).drain();
            // Behind it all "get" are done, and it shows that the state can be written again.
            Path again = cluster().savepoint(id, path(q, "folder"), SavepointFormatType.CANONICAL);
            a.put("restored", true).put("savepoint", again.toString());
            values(run, a);
        } catch (Cluster.JobFailed | IllegalArgumentException e) {
            a.put("restored", false);
            ArrayNode causes = a.putArray("causes");
            for (Throwable t = e; t != null && causes.size() < 20; t = t.getCause()) {
                causes.add(t.toString());
            }
        } finally {
            if (id != null) {
                cluster().cancel(id);
            }
            Hub.close(run);
        }
    }
}
