package flinkpeer;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.Message;

import io.github.flink.gcp.protobuf.ProtobufSettings;
import io.github.flink.gcp.protobuf.ProtobufTypeSerializer;
import io.github.flink.gcp.protobuf.ProtobufTypeSerializerSnapshot;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;

/** What can be asked of serializers and snapshots without a cluster. */
final class Codec {
    private Codec() {}

    static ProtobufSettings settings(JsonNode s) {
        return new ProtobufSettings(
                s.get("deterministic").asBoolean(), s.get("maxMessageSize").asInt(), s.get("recursionLimit").asInt(), true);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    static ProtobufTypeSerializer<Message> serializer(Class<? extends Message> c, JsonNode settings) {
        return new ProtobufTypeSerializer(c, settings(settings));
    }

    static Message defaultInstance(Class<? extends Message> c) throws ReflectiveOperationException {
        return (Message) c.getMethod("getDefaultInstance").invoke(null);
    }

    /** Parses a payload without any of the serializer's limits. */
    static Message parse(Class<? extends Message> c, byte[] payload) throws Exception {
        CodedInputStream in = CodedInputStream.newInstance(payload);
        in.setRecursionLimit(Integer.MAX_VALUE);
        return defaultInstance(c).getParserForType().parseFrom(in, ExtensionRegistryLite.getEmptyRegistry());
    }

    /**
     * Does the same with each of many byte strings. "read" reads a frame and says how many bytes are left behind it; "write"
     * writes the message of a payload; "both" reads a frame and writes it again.
     */
    static void each(ProtobufTypeSerializer<Message> s, Class<? extends Message> c, String what, JsonNode items, ArrayNode results)
            throws IOException {
        for (JsonNode item : items) {
            byte[] bytes = item.binaryValue();
            ObjectNode result = results.addObject();
            try {
                if (what.equals("write")) {
                    result.put("bytes", write(s, parse(c, bytes)));
                    continue;
                }
                DataInputDeserializer in = new DataInputDeserializer(bytes);
                Message m = s.deserialize(in);
                result.put("left", in.available());
                if (what.equals("both")) {
                    result.put("bytes", write(s, m));
                }
            } catch (Exception e) {
                result.put("error", String.valueOf(e.getMessage()));
            }
        }
    }

    /** Writes a frame. What fails must have written nothing. */
    static byte[] write(ProtobufTypeSerializer<Message> s, Message m) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        try {
            s.serialize(m, out);
        } catch (IOException e) {
            if (out.length() != 0) {
                throw new IllegalStateException("refused, but " + out.length() + " bytes are written", e);
            }
            throw e;
        }
        return out.getCopyOfBuffer();
    }

    static byte[] bytes(TypeSerializerSnapshot<?> s) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(1024);
        TypeSerializerSnapshot.writeVersionedSnapshot(out, s);
        return out.getCopyOfBuffer();
    }

    static TypeSerializerSnapshot<Message> read(byte[] b, ClassLoader loader) throws IOException {
        DataInputDeserializer in = new DataInputDeserializer(b);
        TypeSerializerSnapshot<Message> s = TypeSerializerSnapshot.readVersionedSnapshot(in, loader);
        if (in.available() != 0) {
            throw new IOException(in.available() + " bytes are left");
        }
        return s;
    }

    /** Reads snapshots and writes them again; with classes, restores their serializers as well. */
    static void reread(JsonNode items, ClassLoader loader, boolean restore, ArrayNode results) throws IOException {
        for (JsonNode item : items) {
            ObjectNode result = results.addObject();
            try {
                TypeSerializerSnapshot<Message> s = read(item.binaryValue(), loader);
                result.put("bytes", bytes(s));
                if (restore) {
                    TypeSerializer<Message> restored = s.restoreSerializer();
                    result.put("restored", bytes(restored.snapshotConfiguration()));
                }
            } catch (Exception e) {
                result.put("error", String.valueOf(e.getMessage()));
            }
        }
    }

    /** What Flink is told when state under the one snapshot is to be used with the other. */
    static void resolve(JsonNode pairs, ArrayNode results) throws IOException {
        ClassLoader loader = Codec.class.getClassLoader();
        for (JsonNode pair : pairs) {
            ObjectNode result = results.addObject();
            try {
                TypeSerializerSnapshot<Message> old = read(pair.get("old").binaryValue(), loader);
                TypeSerializerSnapshot<Message> now = read(pair.get("new").binaryValue(), loader);
                TypeSerializerSchemaCompatibility<Message> answer = now.resolveSchemaCompatibility(old);
                result.put("verdict", answer.isCompatibleAsIs() ? "ok" : answer.isIncompatible() ? "break" : answer.toString());
                ArrayNode reasons = result.putArray("reasons");
                ((ProtobufTypeSerializerSnapshot<Message>) now).reasons((ProtobufTypeSerializerSnapshot<Message>) old).forEach(reasons::add);
            } catch (Exception e) {
                result.put("error", String.valueOf(e.getMessage()));
            }
        }
    }
}
