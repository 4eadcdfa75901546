#!/usr/bin/env bash
# interop.sh compares this project with Java and Flink: it builds the test peer in interop/peer with Maven and runs
# the tests in interop, which print how much they have compared. Flags for "go test" are arguments. From the
# environment it takes FLINK and PROTOBUF_JAVA, the versions to run with, and INTEROP=all for the
# whole instead of the part that ends within ten minutes. It needs a JDK and Maven.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib.sh
. tools/versions.sh
for program in java javac mvn; do
  command -v $program > /dev/null || die "$program is not here: a JDK and Maven are needed"
done
flink=${FLINK:-$FLINK_VERSION} protobuf=${PROTOBUF_JAVA:-$PROTOBUF_JAVA_VERSION}
case $(uname -sm) in
  "Linux x86_64") platform=linux-x86_64 ;;
  "Linux aarch64") platform=linux-aarch_64 ;;
  "Darwin x86_64") platform=osx-x86_64 ;;
  "Darwin arm64") platform=osx-aarch_64 ;;
  *) die "there is no protoc in Maven for $(uname -sm)" ;;
esac
target=$PWD/interop/peer/target-$flink-$protobuf
say "test peer with Flink $flink and protobuf-java $protobuf"
mvn -B -q -f interop/peer/pom.xml -Dpeer.target="$target" -Dflink.version="$flink" -Dflink.line="${flink%%.*}" \
  -Dprotobuf.version="$protobuf" -Dprotoc.classifier=$platform process-classes
say "frames, snapshots and verdicts against Flink $flink and protobuf-java $protobuf"
cd interop
FLINKSER_INTEROP_PEER=$target FLINKSER_INTEROP_FLINK=$flink FLINKSER_INTEROP_PROTOBUF=$protobuf \
  go test -count=1 -v -timeout 60m "$@" .
