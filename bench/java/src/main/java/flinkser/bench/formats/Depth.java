package flinkser.bench.formats;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Refuses messages that nest too deeply. */
final class Depth {
    /** How many messages may lie in each other below the outermost one. */
    static final int LIMIT = 100;

    /** The fields of a message type that hold messages. */
    private record Plan(List<FieldDescriptor> single, List<FieldDescriptor> repeated, List<FieldDescriptor> scalarMaps) {}

    private final Map<Descriptor, Plan> plans = new IdentityHashMap<>();

    Depth(Descriptor root) {
        plan(root);
    }

    private void plan(Descriptor type) {
        if (plans.containsKey(type)) {
            return;
        }
        Plan plan = new Plan(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        plans.put(type, plan);
        for (FieldDescriptor field : type.getFields()) {
            if (field.getJavaType() != JavaType.MESSAGE) {
                continue;
            }
            boolean scalars = field.isMapField()
                    && field.getMessageType().findFieldByNumber(2).getJavaType() != JavaType.MESSAGE;
            (scalars ? plan.scalarMaps : field.isRepeated() ? plan.repeated : plan.single).add(field);
            plan(field.getMessageType());
        }
    }

    /** Fails if the message nests deeper than the limit. */
    void check(Message message) throws IOException {
        check(message, LIMIT);
    }

    private void check(Message message, int left) throws IOException {
        if (left < 0) {
            throw new IOException("more than " + LIMIT + " levels");
        }
        Plan plan = plans.get(message.getDescriptorForType());
        for (FieldDescriptor field : plan.single) {
            if (message.hasField(field)) {
                check((Message) message.getField(field), left - 1);
            }
        }
        for (FieldDescriptor field : plan.repeated) {
            int n = message.getRepeatedFieldCount(field);
            for (int i = 0; i < n; i++) {
                check((Message) message.getRepeatedField(field, i), left - 1);
            }
        }
        // An entry is a level of its own. To count entries costs a list of them, so only where it matters.
        if (left == 0) {
            for (FieldDescriptor field : plan.scalarMaps) {
                if (message.getRepeatedFieldCount(field) > 0) {
                    throw new IOException("more than " + LIMIT + " levels");
                }
            }
        }
        UnknownFieldSet unknown = message.getUnknownFields();
        if (unknown != UnknownFieldSet.getDefaultInstance()) {
            check(unknown, left);
        }
    }

    private static void check(UnknownFieldSet fields, int left) throws IOException {
        if (left < 0) {
            throw new IOException("more than " + LIMIT + " levels");
        }
        for (UnknownFieldSet.Field field : fields.asMap().values()) {
            for (UnknownFieldSet group : field.getGroupList()) {
                check(group, left - 1);
            }
        }
    }
}
