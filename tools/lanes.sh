#!/usr/bin/env bash
# lanes.sh writes the generated code of the benchmarks' lanes that buf does not write. The
# generators are of the versions that stand here.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib.sh
cd bench/internal/lanes

say "bench/internal/lanes: types of the lanes"
(cd ../.. && go run ./internal/lanes/internal/gen -lanes internal/lanes)
for form in mapform tupleform; do
  (cd "msgp/$form" && go run github.com/tinylib/msgp@v1.6.5 -file types.go -o types_gen.go -io=false -tests=false > /dev/null)
  chmod 644 "msgp/$form/types_gen.go"
done

say "bench/internal/lanes/thrift: code of the Thrift compiler"
# Debian has this version, as package thrift-compiler.
version=0.17.0
if [ "$(thrift --version 2> /dev/null)" = "Thrift version $version" ]; then
  thrift --gen go -out thrift thrift/bench.thrift
  rm thrift/thriftgen/GoUnusedProtection__.go # holds nothing that is used
  gofmt -w thrift/thriftgen
else
  echo "left as it is: there is no thrift $version here (Debian: apt-get install thrift-compiler)"
fi
