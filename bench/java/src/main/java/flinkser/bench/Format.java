package flinkser.bench;

import java.util.function.Supplier;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * What one library does with values of one kind.
 *
 * @param <L> the value as no library holds it
 * @param <T> the value as this library holds it
 */
public abstract class Format<L, T> {
    private final Supplier<TypeSerializer<T>> serializers;

    /** Each call of the supplier makes a new serializer. */
    protected Format(Supplier<TypeSerializer<T>> serializers) {
        this.serializers = serializers;
    }

    /** A new serializer. */
    public final TypeSerializer<T> serializer() {
        return serializers.get();
    }

    /** Makes what the library holds. It shares nothing with the value that can be changed. */
    public abstract T build(L value);

    /** The way back. */
    public abstract L value(T held);

    /** Reads every field once, and makes a number of what it reads. */
    public abstract long read(T held);

    /**
     * Changes, in place, parts of every nesting that the value has.
     *
     * @return false if what the library holds cannot be changed
     */
    public abstract boolean mutate(T held);
}
