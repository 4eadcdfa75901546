#!/usr/bin/env bash
# nightly.sh DURATION looks for differences from google.golang.org/protobuf for DURATION in
# all: two thirds of it with random messages and mutated payloads (TestDifferential), the
# rest with the fuzz targets. It ends with the sum of their inputs.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib.sh
total=$(seconds "$1")
random=$((total * 2 / 3))
log=$(mktemp)
trap 'rm -f "$log"' EXIT

say "random messages and mutated payloads for ${random}s"
FLINKSER_DIFF_TIME=${random}s go test -count=1 -v -timeout $((random * 2 + 600))s -run '^TestDifferential$' ./golden | tee "$log"
say "fuzz targets for $((total - random))s"
tools/fuzz.sh $((total - random)) | tee -a "$log"

say "result"
inputs=$(awk '/differential inputs: / { n += $NF } END { printf "%d", n }' "$log")
echo "differential inputs in all: $inputs"
# 30 minutes are enough for ten million on two slow cores.
if [ "$inputs" -lt $((total * 10000000 / 1800)) ]; then die "too few inputs"; fi
