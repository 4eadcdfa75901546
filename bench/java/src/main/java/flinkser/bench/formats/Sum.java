package flinkser.bench.formats;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/** Numbers made of what was read, so that nothing of it can be left out. */
final class Sum {
    private Sum() {}

    static long of(boolean value) {
        return value ? 1 : 0;
    }

    /** Of a text that may be missing. */
    static long of(CharSequence text) {
        return text == null ? -1 : text.length();
    }

    static long of(byte[] bytes) {
        return bytes.length == 0 ? 0 : bytes.length + bytes[0];
    }

    static long of(ByteBuffer bytes) {
        int n = bytes.remaining();
        return n == 0 ? 0 : n + bytes.get(bytes.position());
    }

    static long ofNumbers(List<Long> values) {
        long sum = 0;
        for (long value : values) {
            sum += value;
        }
        return sum;
    }

    static long ofTexts(List<? extends CharSequence> values) {
        long sum = 0;
        for (CharSequence value : values) {
            sum += value.length();
        }
        return sum;
    }

    static long of(Map<? extends CharSequence, Long> entries) {
        long sum = 0;
        for (Map.Entry<? extends CharSequence, Long> entry : entries.entrySet()) {
            sum += entry.getKey().length() * entry.getValue();
        }
        return sum;
    }
}
