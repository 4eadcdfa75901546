package flinkpeer;

import com.google.protobuf.Message;

import io.github.flink.gcp.protobuf.ProtobufSettings;
import io.github.flink.gcp.protobuf.ProtobufTypeInformation;
import io.github.flink.gcp.protobuf.ProtobufTypeSerializer;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.co.BroadcastProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;

import java.io.Serializable;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * A job that keeps messages in state. Its input are texts: "case key put message" or "case key get -", the message in base64.
 * Every state of a case is in an operator of its own, so that a job can be restored with some of them alone.
 */
final class StateJob {
    static final List<String> STATES = List.of("value", "map", "list", "operator", "broadcast");

    private StateJob() {}

    /** Messages of one class under some settings. */
    record Case(String name, Class<? extends Message> messages, ProtobufSettings settings) implements Serializable {
        @SuppressWarnings({"unchecked", "rawtypes"})
        TypeInformation<Message> type() {
            return (TypeInformation) ProtobufTypeInformation.forClass((Class) messages, settings);
        }

        @SuppressWarnings({"unchecked", "rawtypes"})
        ProtobufTypeSerializer<Message> serializer() {
            return new ProtobufTypeSerializer(messages, settings);
        }

        Message parse(String base64) throws Exception {
            return Codec.parse(messages, Base64.getDecoder().decode(base64));
        }
    }

    static void build(StreamExecutionEnvironment env, String run, List<Case> cases, List<String> states) {
        DataStream<String> in = env.addSource(new FeedSource(run), "input", Types.STRING).uid("input");
        for (Case c : cases) {
            for (String state : states) {
                add(in, run, c, state);
            }
        }
    }

    private static void add(DataStream<String> in, String run, Case c, String state) {
        String uid = c.name() + "/" + state;
        switch (state) {
            case "operator":
                in.map(new Operator(run, c)).returns(Types.STRING).name(uid).uid(uid).sinkTo(new DiscardingSink<>());
                break;
            case "broadcast":
                MapStateDescriptor<String, Message> d = new MapStateDescriptor<>(uid, Types.STRING, c.type());
                in.connect(in.broadcast(d)).process(new Broadcast(run, c, d), Types.STRING).name(uid).uid(uid).sinkTo(new DiscardingSink<>());
                break;
            default:
                in.keyBy((KeySelector<String, String>) s -> s.split(" ")[1], Types.STRING)
                        .process(new Keyed(run, c, state), Types.STRING)
                        .name(uid)
                        .uid(uid)
                        .sinkTo(new DiscardingSink<>());
        }
    }

    private static void out(String run, String state, String key, Message m) {
        Hub.out(run).add(new Hub.Value(state, key, m == null ? null : m.toByteArray()));
    }

    /** Value, map and list state. */
    static final class Keyed extends KeyedProcessFunction<String, String, String> {
        private static final long serialVersionUID = 1L;
        private final String run;
        private final Case c;
        private final String state;
        private transient ValueState<Message> value;
        private transient MapState<String, Message> map;
        private transient ListState<Message> list;

        Keyed(String run, Case c, String state) {
            this.run = run;
            this.c = c;
            this.state = state;
        }

        @Override
        public void open(OpenContext ctx) {
            String name = c.name() + "/" + state;
            switch (state) {
                case "value":
                    value = getRuntimeContext().getState(new ValueStateDescriptor<>(name, c.type()));
                    break;
                case "map":
                    map = getRuntimeContext().getMapState(new MapStateDescriptor<>(name, Types.STRING, c.type()));
                    break;
                default:
                    list = getRuntimeContext().getListState(new ListStateDescriptor<>(name, c.type()));
            }
        }

        @Override
        public void processElement(String s, Context ctx, Collector<String> out) throws Exception {
            String[] words = s.split(" ");
            if (!words[0].equals(c.name())) {
                return;
            }
            if (words[2].equals("put")) {
                put(c.parse(words[3]));
            } else {
                get(ctx.getCurrentKey());
            }
        }

        private void put(Message m) throws Exception {
            if (value != null) {
                value.update(m);
            } else if (map != null) {
                map.put("entry", m);
            } else {
                list.add(m);
            }
        }

        private void get(String key) throws Exception {
            if (value != null) {
                out(run, state, key, value.value());
            } else if (map != null) {
                for (Map.Entry<String, Message> e : map.entries()) {
                    out(run, state, key, e.getValue());
                }
            } else {
                for (Message m : list.get()) {
                    out(run, state, key, m);
                }
            }
        }
    }

    /** Operator state: a list, which is emitted when it is restored. */
    static final class Operator extends RichMapFunction<String, String> implements CheckpointedFunction {
        private static final long serialVersionUID = 1L;
        private final String run;
        private final Case c;
        private transient ListState<Message> list;

        Operator(String run, Case c) {
            this.run = run;
            this.c = c;
        }

        @Override
        public void initializeState(FunctionInitializationContext ctx) throws Exception {
            list = ctx.getOperatorStateStore().getListState(new ListStateDescriptor<>(c.name() + "/operator", c.type()));
            for (Message m : list.get()) {
                out(run, "operator", "", m);
            }
        }

        @Override
        public void snapshotState(FunctionSnapshotContext ctx) {}

        @Override
        public String map(String s) throws Exception {
            String[] words = s.split(" ");
            if (words[0].equals(c.name()) && words[2].equals("put")) {
                list.add(c.parse(words[3]));
            }
            return s;
        }
    }

    /** Broadcast state, which is emitted when it is restored. */
    static final class Broadcast extends BroadcastProcessFunction<String, String, String> implements CheckpointedFunction {
        private static final long serialVersionUID = 1L;
        private final String run;
        private final Case c;
        private final MapStateDescriptor<String, Message> d;

        Broadcast(String run, Case c, MapStateDescriptor<String, Message> d) {
            this.run = run;
            this.c = c;
            this.d = d;
        }

        @Override
        public void initializeState(FunctionInitializationContext ctx) throws Exception {
            for (Map.Entry<String, Message> e : ctx.getOperatorStateStore().getBroadcastState(d).entries()) {
                out(run, "broadcast", e.getKey(), e.getValue());
            }
        }

        @Override
        public void snapshotState(FunctionSnapshotContext ctx) {}

        @Override
        public void processElement(String s, ReadOnlyContext ctx, Collector<String> out) {}

        @Override
        public void processBroadcastElement(String s, Context ctx, Collector<String> out) throws Exception {
            String[] words = s.split(" ");
            if (words[0].equals(c.name()) && words[2].equals("put")) {
                ctx.getBroadcastState(d).put(words[1], c.parse(words[3]));
            }
        }
    }
}
