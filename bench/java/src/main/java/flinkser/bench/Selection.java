package flinkser.bench;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializer;

/**
 * Finds out which serializers a serializer is made of. A part that Flink did not know and left to
 * Kryo would make a lane slower than its name says, in silence.
 */
public final class Selection {
    private Selection() {}

    /** The classes of a serializer and of all that it calls, the outermost first, each once. */
    public static List<String> chain(TypeSerializer<?> serializer) {
        List<String> names = new ArrayList<>();
        for (TypeSerializer<?> part : parts(serializer)) {
            String name = part.getClass().getName();
            if (!names.contains(name)) {
                names.add(name);
            }
        }
        return names;
    }

    /** Fails if a part of a serializer, or the whole, is left to Kryo. */
    public static void requireNoFallback(TypeSerializer<?> serializer) throws GateFailure {
        for (TypeSerializer<?> part : parts(serializer)) {
            if (part instanceof KryoSerializer) {
                throw new GateFailure("a part is left to Kryo: " + chain(serializer));
            }
        }
    }

    private static List<TypeSerializer<?>> parts(TypeSerializer<?> serializer) {
        List<TypeSerializer<?>> found = new ArrayList<>();
        visit(serializer, found, Collections.newSetFromMap(new IdentityHashMap<>()));
        return found;
    }

    private static void visit(Object value, List<TypeSerializer<?>> found, Set<Object> seen) {
        if (value == null || !seen.add(value)) {
            return;
        }
        if (value instanceof TypeSerializer<?> serializer) {
            found.add(serializer);
            // What Kryo is made of is its own affair.
            if (!(value instanceof KryoSerializer)) {
                visitFields(serializer, found, seen);
            }
        } else if (value instanceof Object[] array) {
            for (Object element : array) {
                visit(element, found, seen);
            }
        } else if (value instanceof Collection<?> collection) {
            for (Object element : collection) {
                visit(element, found, seen);
            }
        } else if (value instanceof Map<?, ?> map) {
            for (Object element : map.values()) {
                visit(element, found, seen);
            }
        }
    }

    private static void visitFields(TypeSerializer<?> serializer, List<TypeSerializer<?>> found, Set<Object> seen) {
        for (Class<?> c = serializer.getClass(); c != Object.class; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) || field.getType().isPrimitive()) {
                    continue;
                }
                field.setAccessible(true);
                try {
                    visit(field.get(serializer), found, seen);
                } catch (IllegalAccessException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }
}
