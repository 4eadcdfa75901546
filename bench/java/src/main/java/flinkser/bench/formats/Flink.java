package flinkser.bench.formats;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.typeutils.GenericTypeInfo;

/** How a Flink job comes by its serializers. */
public final class Flink {
    private Flink() {}

    /** Serializers of a type that Flink knows. A part that it does not know fails, instead of being left to Kryo. */
    public static <T> Supplier<TypeSerializer<T>> typed(TypeInformation<T> type) {
        return () -> {
            SerializerConfigImpl config = new SerializerConfigImpl();
            config.setGenericTypes(false);
            return type.createSerializer(config);
        };
    }

    /** Serializers of a type that is left to Kryo, with what is registered there. */
    public static <T> Supplier<TypeSerializer<T>> kryo(Class<T> type, Consumer<SerializerConfigImpl> register) {
        return () -> {
            SerializerConfigImpl config = new SerializerConfigImpl();
            register.accept(config);
            return new GenericTypeInfo<>(type).createSerializer(config);
        };
    }

    /** Kryo with a serializer of Chill's, which is written for a Kryo without the type parameter. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public static <T> Supplier<TypeSerializer<T>> chill(Class<T> type, Class<?> chill) {
        return kryo(type, config -> config.registerTypeWithKryoSerializer(type, (Class) chill));
    }
}
