#!/usr/bin/env bash
# verify-jar.sh JAR asks a jar with the Java serializer what the tests of this module say about it: all snapshots
# are read and written again, all verdicts of the strict policy compared, frames read and written again.
# It prints every difference, and fails if there is one. It needs a JDK, Maven for Flink and
# protobuf-java, and npm for protoc.
set -euo pipefail
jar=$(realpath "${1:?usage: make verify-jar JAR=path of flink-datastream-protobuf-1.0.0.jar}")
cd "$(dirname "$0")/.."
. tools/lib.sh
for program in java javac mvn; do
  command -v $program > /dev/null || die "$program is not here: a JDK and Maven are needed"
done
[ -f "$jar" ] || die "there is no $jar"
tools/install.sh protoc
export PATH=$PWD/.bin:$PATH
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

say "what $(basename "$jar") is asked"
go run ./internal/verifyjar "$dir"
mvn -B -q -f internal/verifyjar/pom.xml org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath -Dmdep.outputFile="$dir/classpath"
classpath=$jar:$(cat "$dir/classpath")

say "classes of the schemas"
testdata=$PWD/runtime/snapshot/testdata
for proto in "$testdata"/flink-schemas/*/evolve.proto "$testdata"/flink-snapshots/proto/snapshot.proto; do
  folder=$(dirname "$proto")
  name=$(basename "$folder")
  [ "$name" != proto ] || name=flink-snapshots
  mkdir -p "$dir/java/$name" "$dir/classes/$name"
  (cd "$folder" && protoc --java_out="$dir/java/$name" ./*.proto)
done
# One compiler for all: each set of sources has classes of the same names, so it is called anew.
for name in "$dir"/java/*; do
  find "$name" -name '*.java' -print0 | xargs -0 javac -nowarn -cp "$classpath" -d "$dir/classes/$(basename "$name")"
done
javac -nowarn -cp "$classpath" -d "$dir/verify" internal/verifyjar/VerifyJar.java

say "what it answers"
java -cp "$dir/verify:$classpath" VerifyJar "$dir"
