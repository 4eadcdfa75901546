package io.github.flink.gcp.protobuf;

import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;

import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;

/** Per-class inspection of a generated message (section a.1), cached by class identity. */
final class MessageSupport {
    private static final ClassValue<MessageSupport> CACHE =
            new ClassValue<>() {
                @Override
                protected MessageSupport computeValue(Class<?> c) {
                    return inspect(c);
                }
            };

    final Class<?> messageClass;
    final Message defaultInstance;
    final Descriptor descriptor;
    final Parser<? extends Message> parser;
    final FileDescriptorSet schema;
    final byte[] schemaBytes;

    private MessageSupport(Class<?> c, Message d, Parser<? extends Message> p, FileDescriptorSet s, byte[] b) {
        this.messageClass = c;
        this.defaultInstance = d;
        this.descriptor = d.getDescriptorForType();
        this.parser = p;
        this.schema = s;
        this.schemaBytes = b;
    }

    static MessageSupport of(Class<?> c) {
        if (c == null) {
            throw new IllegalArgumentException("messageClass must not be null");
        }
        if (!Message.class.isAssignableFrom(c)) {
            throw new IllegalArgumentException("Not a Protobuf message: " + c.getName());
        }
        return CACHE.get(c);
    }

    /** Generated classes of protobuf-java 3 and 4 have different super classes, so they are looked for by name. */
    private static boolean isGenerated(Class<?> c) {
        for (Class<?> s = c.getSuperclass(); s != null; s = s.getSuperclass()) {
            if (s.getName().equals("com.google.protobuf.GeneratedMessage") || s.getName().equals("com.google.protobuf.GeneratedMessageV3")) {
                return true;
            }
        }
        return false;
    }

    private static MessageSupport inspect(Class<?> c) {
        try {
            int mod = c.getModifiers();
            if (!Modifier.isPublic(mod)
                    || Modifier.isAbstract(mod)
                    || c.isInterface()
                    || c.isHidden()
                    || !isGenerated(c)) {
                throw new IllegalArgumentException("not a public concrete full-runtime generated class");
            }
            Object d = c.getMethod("getDefaultInstance").invoke(null);
            if (d == null || d.getClass() != c) {
                throw new IllegalArgumentException("no usable default instance");
            }
            Message def = (Message) d;
            Descriptor root = def.getDescriptorForType();
            if (root == null) {
                throw new IllegalArgumentException("no full descriptor");
            }
            Set<Descriptor> seen = new HashSet<>();
            ArrayDeque<Descriptor> todo = new ArrayDeque<>();
            seen.add(root);
            todo.add(root);
            while (!todo.isEmpty()) {
                Descriptor m = todo.poll();
                if (!m.getExtensions().isEmpty()) {
                    throw new IllegalArgumentException("declares extensions: " + m.getFullName());
                }
                if (m.isExtendable()) {
                    throw new IllegalArgumentException("has extension ranges: " + m.getFullName());
                }
                if (m.getOptions().getMessageSetWireFormat()) {
                    throw new IllegalArgumentException("message set: " + m.getFullName());
                }
                if (!"proto3".equals(m.getFile().toProto().getSyntax())) {
                    throw new IllegalArgumentException("not proto3: " + m.getFullName());
                }
                for (FieldDescriptor f : m.getFields()) {
                    if (f.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                            && seen.add(f.getMessageType())) {
                        todo.add(f.getMessageType());
                    }
                }
            }
            Parser<? extends Message> parser = def.getParserForType();
            Message zero = parser.parsePartialFrom(new byte[0], ExtensionRegistryLite.getEmptyRegistry());
            if (zero.getClass() != c || zero.getDescriptorForType() != root) {
                throw new IllegalArgumentException("parser yields another type");
            }
            FileDescriptorSet schema = DescriptorSets.fromLive(root.getFile());
            return new MessageSupport(c, def, parser, schema, DescriptorSets.encode(schema));
        } catch (Exception | LinkageError e) {
            throw new IllegalArgumentException(
                    "Unsupported Protobuf message class " + c.getName() + ": " + e.getMessage(), e);
        }
    }
}
