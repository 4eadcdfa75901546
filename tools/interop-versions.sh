#!/usr/bin/env bash
# interop-versions.sh runs tools/interop.sh with every version of Flink and protobuf-java in tools/versions.sh, and writes
# the table of the results in docs/compatibility.md. If a run fails, the others are done too, the results are printed, and the
# table stays as it is. It needs a JDK and Maven.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib.sh
. tools/versions.sh
rows=$(mktemp)
trap 'rm -f "$rows" "$rows.doc"' EXIT
export FLINKSER_INTEROP_ROWS=$rows
bad=0
# run runs with a version of Flink and one of protobuf-java. What fails before it can count gets a row, too.
run() {
  local before
  before=$(wc -l < "$rows")
  FLINK=$1 PROTOBUF_JAVA=$2 tools/interop.sh || bad=1
  [ "$(wc -l < "$rows")" -gt "$before" ] || { bad=1; echo "| $1 | $2 | – | – | – | – | – | failed |" >> "$rows"; }
}
run "$FLINK_VERSION" "$PROTOBUF_JAVA_VERSION"
for flink in $FLINK_OTHERS; do
  run "$flink" "$PROTOBUF_JAVA_VERSION"
done
for protobuf in $PROTOBUF_JAVA_OTHERS; do
  run "$FLINK_VERSION" "$protobuf"
done
say "results"
cat "$rows"
[ $bad = 0 ] || die "a run failed, so docs/compatibility.md stays as it is"
doc=docs/compatibility.md
# Whatever is between the marks is replaced, but for the head of the table.
awk -v rows="$rows" '
  /<!-- \/interop -->/ { while ((getline line < rows) > 0) print line; print ""; inside = 0 }
  !inside || /^\| Flink/ || /^\|---/ || !/^\|/ && !/^$/ { print }
  /<!-- interop -->/ { print ""; inside = 1 }' "$doc" > "$rows.doc"
cat "$rows.doc" > "$doc"
