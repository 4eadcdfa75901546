#!/usr/bin/env bash
# crash-test.sh N kills the writer of a store N times, at random moments, and looks for every record that
# it has acknowledged.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib.sh
[[ ${1:-} =~ ^[1-9][0-9]*$ ]] || die "give the number of kills"
say "kill the writer of a store $1 times"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
(cd integration/bbolt && FLINKSER_STORE_CRASHES=$1 go test -count=1 -timeout 2h -v -run '^TestCrash$' .) > "$log" 2>&1 || { cat "$log"; die "records were lost, or the test failed"; }
grep -oE "(seed|$1 kills, ).*" "$log" || { cat "$log"; die "the test has not run"; }
