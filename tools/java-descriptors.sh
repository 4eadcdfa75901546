#!/usr/bin/env bash
# java-descriptors.sh compares the descriptors in snapshots of the golden messages with those that Java classes
# hold: protoc writes Java source for every golden .proto file, javac compiles it, the classes are loaded. Files whose
# source javac refuses are compared with the source itself, and listed with the cause. It
# also compares the names of the classes. It needs a JDK, Maven for protobuf-java, and npm for protoc.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib.sh
. tools/versions.sh
for program in java javac mvn; do
  command -v $program > /dev/null || die "$program is not here: a JDK and Maven are needed"
done
tools/install.sh protoc protobuf-java
export PATH=$PWD/.bin:$PATH FLINKSER_PROTOBUF_JAVA=$PWD/.bin/protobuf-java-$PROTOBUF_JAVA_VERSION.jar
say "descriptors of golden files, as in Java classes with protobuf-java $PROTOBUF_JAVA_VERSION"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
go test -count=1 -v -timeout 30m -run '^(TestJavaDescriptors|TestJavaLiterals|TestProtocDescriptors)$' ./golden | tee "$log"
[ "$(grep -acE '^--- PASS' "$log")" = 3 ] || die "a test was skipped"
