#!/usr/bin/env bash
# nightly.sh DURATION looks for differences from google.golang.org/protobuf for DURATION in
# all: two thirds of it with random messages and mutated payloads (TestDifferential), a twelfth
# with the same once more while it counts which branches of generated code they enter, the rest with
# the fuzz targets. Then a million corrupted snapshots, and the newest google.golang.org/protobuf have their turn. It ends with the sum of
# the inputs.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib.sh
total=$(seconds "$1")
random=$((total * 2 / 3))
counted=$((total / 12))
log=$(mktemp)
trap 'rm -f "$log"' EXIT

say "random messages and mutated payloads for ${random}s"
FLINKSER_DIFF_TIME=${random}s go test -count=1 -v -timeout $((random * 2 + 600))s -run '^TestDifferential$' ./golden | tee "$log"
tools/coverage.sh $counted | tee -a "$log"
say "fuzz targets for $((total - random - counted))s"
tools/fuzz.sh $((total - random - counted)) | tee -a "$log"
say "a million corrupted snapshots"
FLINKSER_CORRUPTED=1000000 go test -count=1 -v -timeout 30m -run '^TestCorrupted$' ./runtime/snapshot
tools/newest.sh

say "result"
inputs=$(awk '/differential inputs: / { n += $NF } END { printf "%d", n }' "$log")
echo "differential inputs in all: $inputs"
# Thirty minutes are enough for ten million on two slow cores, and longer runs do no worse.
least=$((total < 1800 ? total * 10000000 / 1800 : 10000000))
if [ "$inputs" -lt $least ]; then die "too few inputs"; fi
