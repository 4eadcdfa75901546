package flinkpeer;

import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.OperatorBackendSerializationProxy;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ArrayNode;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads a savepoint with Flink's own code and lists the serializer snapshots of its states. */
final class Savepoints {
    private final ClassLoader loader;
    private final ArrayNode found;

    private Savepoints(ClassLoader loader, ArrayNode found) {
        this.loader = loader;
        this.found = found;
    }

    static void snapshots(Path savepoint, ClassLoader loader, ArrayNode found) throws IOException {
        CheckpointMetadata metadata;
        try (InputStream in = Files.newInputStream(savepoint.resolve("_metadata"))) {
            metadata = Checkpoints.loadCheckpointMetadata(new DataInputStream(in), loader, savepoint.toUri().toString());
        }
        Savepoints s = new Savepoints(loader, found);
        for (OperatorState operator : metadata.getOperatorStates()) {
            for (OperatorSubtaskState subtask : operator.getStates()) {
                for (KeyedStateHandle h : subtask.getManagedKeyedState()) {
                    s.keyed(h);
                }
                for (OperatorStateHandle h : subtask.getManagedOperatorState()) {
                    s.operator(h);
                }
            }
        }
    }

    private void keyed(KeyedStateHandle h) throws IOException {
        StreamStateHandle stream = h instanceof IncrementalRemoteKeyedStateHandle
                ? ((IncrementalRemoteKeyedStateHandle) h).getMetaDataStateHandle()
                : (StreamStateHandle) h;
        KeyedBackendSerializationProxy<?> proxy = new KeyedBackendSerializationProxy<>(loader);
        try (FSDataInputStream in = stream.openInputStream()) {
            proxy.read(new DataInputViewStreamWrapper(in));
        }
        add(proxy.getStateMetaInfoSnapshots());
    }

    private void operator(OperatorStateHandle h) throws IOException {
        OperatorBackendSerializationProxy proxy = new OperatorBackendSerializationProxy(loader);
        try (FSDataInputStream in = h.openInputStream()) {
            proxy.read(new DataInputViewStreamWrapper(in));
        }
        add(proxy.getOperatorStateMetaInfoSnapshots());
        add(proxy.getBroadcastStateMetaInfoSnapshots());
    }

    private void add(List<StateMetaInfoSnapshot> states) throws IOException {
        for (StateMetaInfoSnapshot state : states) {
            TypeSerializerSnapshot<?> s =
                    state.getTypeSerializerSnapshot(StateMetaInfoSnapshot.CommonSerializerKeys.VALUE_SERIALIZER);
            found.addObject().put("state", state.getName()).put("bytes", Codec.bytes(s));
        }
    }
}
