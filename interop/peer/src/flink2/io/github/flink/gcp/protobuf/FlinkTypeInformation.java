package io.github.flink.gcp.protobuf;

import org.apache.flink.api.common.typeinfo.TypeInformation;

/** Flink 1 wants one more method, which Flink 2 has no more. */
abstract class FlinkTypeInformation<T> extends TypeInformation<T> {
    private static final long serialVersionUID = 1L;
}
