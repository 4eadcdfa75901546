package flinkpeer;

import org.apache.flink.streaming.api.functions.source.SourceFunction;

/** Flink 2 moved the interface to another package; this is the only difference that the peer notices. */
interface PeerSource<T> extends SourceFunction<T> {}
