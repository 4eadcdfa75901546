package flinkser.bench.formats;

import org.apache.avro.Schema;

/** Schemas for Avro's records without generated classes. */
final class GenericSchemas {
    private GenericSchemas() {}

    /** The schema without the wish of generated classes to have texts as String, so that texts are Avro's own. */
    static Schema of(Schema specific) {
        return new Schema.Parser().parse(specific.toString().replace(",\"avro.java.string\":\"String\"", ""));
    }

    /** A text that may be missing. */
    static String text(Object value) {
        return value == null ? null : value.toString();
    }
}
