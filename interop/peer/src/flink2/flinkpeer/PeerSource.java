package flinkpeer;

import org.apache.flink.streaming.api.functions.source.legacy.SourceFunction;

/** Flink 2 has moved the interface to another package. */
interface PeerSource<T> extends SourceFunction<T> {}
