package flinkpeer;

import com.google.protobuf.Message;

import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;

import java.util.Base64;

/**
 * A job that reads frames, sends the messages over the network to the tasks of their keys, keeps them in state there, and
 * writes them as frames when it is told to. Its input are texts: "key put frame", the frame in base64, or "key flush -".
 */
final class FrameJob {
    private FrameJob() {}

    static void build(StreamExecutionEnvironment env, String run, StateJob.Case c) {
        env.addSource(new FeedSource(run), "input", Types.STRING)
                .uid("input")
                .map(new ReadFrame(c))
                .returns(Types.TUPLE(Types.STRING, c.type()))
                // Elements that go through two tasks here would overtake each other.
                .setParallelism(1)
                .keyBy((KeySelector<Tuple2<String, Message>, String>) t -> t.f0.split(" ")[0], Types.STRING)
                .process(new Keep(run, c), Types.STRING)
                .uid("keep")
                .sinkTo(new DiscardingSink<>());
    }

    /** Reads the frame of an element. */
    static final class ReadFrame implements MapFunction<String, Tuple2<String, Message>> {
        private static final long serialVersionUID = 1L;
        private final StateJob.Case c;

        ReadFrame(StateJob.Case c) {
            this.c = c;
        }

        @Override
        public Tuple2<String, Message> map(String s) throws Exception {
            String[] words = s.split(" ");
            if (words[1].equals("flush")) {
                return Tuple2.of(words[0] + " flush", Codec.defaultInstance(c.messages()));
            }
            DataInputDeserializer in = new DataInputDeserializer(Base64.getDecoder().decode(words[2]));
            Message m = c.serializer().deserialize(in);
            if (in.available() != 0) {
                throw new IllegalStateException(in.available() + " bytes are left behind a frame");
            }
            return Tuple2.of(words[0] + " put", m);
        }
    }

    /** Keeps messages, and writes frames of all of them at the end. */
    static final class Keep extends KeyedProcessFunction<String, Tuple2<String, Message>, String> {
        private static final long serialVersionUID = 1L;
        private final String run;
        private final StateJob.Case c;
        private transient ListState<Message> kept;

        Keep(String run, StateJob.Case c) {
            this.run = run;
            this.c = c;
        }

        @Override
        public void open(OpenContext ctx) {
            kept = getRuntimeContext().getListState(new ListStateDescriptor<>("kept", c.type()));
        }

        @Override
        public void processElement(Tuple2<String, Message> t, Context ctx, Collector<String> out) throws Exception {
            if (t.f0.endsWith(" put")) {
                kept.add(t.f1);
                return;
            }
            for (Message m : kept.get()) {
                Hub.out(run).add(new Hub.Value("kept", ctx.getCurrentKey(), Codec.write(c.serializer(), m)));
            }
        }
    }
}
