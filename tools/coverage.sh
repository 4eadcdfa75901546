#!/usr/bin/env bash
# coverage.sh [DURATION] runs the tests of the golden packages, TestDifferential for DURATION (60s),
# and counts what parts of generated code they enter, with the build tag protoopaque and without.
# It prints the number of inputs, lists the blocks without any, and fails if these are
# more than 2 %.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib.sh
total=$(seconds "${1:-60s}")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

packages=$(go list ./golden/... | paste -sd, -)
# The tag changes the hybrid package alone, so it gets a tenth of the time.
for tags in "" protoopaque; do
  time=$((total * 9 / 10))
  [ -z "$tags" ] || time=$((total - time))
  say "tests of generated code${tags:+ with the build tag $tags}, random messages for ${time}s"
  FLINKSER_DIFF_TIME=${time}s go test -count=1 -v -tags "$tags" -timeout $((time * 2 + 1200))s \
    -coverpkg="$packages" -coverprofile="$dir/profile$tags" ./golden > "$dir/log$tags" 2>&1 ||
    { grep -aE '_test\.go|^ *--- FAIL|^panic' "$dir/log$tags" | cut -c1-2000; die "the tests fail"; }
done

say "blocks of generated code that no input enters"
echo "differential inputs: $(cat "$dir"/log* | awk '/differential inputs: / { n += $NF } END { printf "%d", n }')"
go run ./internal/branches -limit 2 "$dir"/profile*
