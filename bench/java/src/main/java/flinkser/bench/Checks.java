package flinkser.bench;

/**
 * What a lane looks at, and what it keeps.
 *
 * @param utf8 texts that are no UTF-8 are refused on reading
 * @param depth so is what nests too deeply
 * @param size so are values above a limit
 * @param required values without a part that the schema wants are refused
 * @param unknown no check: fields that the schema does not have are kept and written again
 */
public record Checks(boolean utf8, boolean depth, boolean size, boolean required, boolean unknown) {}
