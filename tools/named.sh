#!/usr/bin/env bash
# named.sh [-C MODULE] [-n COUNT] PATTERN PACKAGE... runs the tests that match PATTERN, prints their
# names and results, subtests too, and fails if one fails or is skipped, or if fewer than
# COUNT (1) of them ran.
set -euo pipefail
module=. count=1
while getopts C:n: opt; do
  case $opt in
    C) module=$OPTARG ;;
    n) count=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
pattern=$1
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT

if ! (cd "$module" && go test -count=1 -v -run "$pattern" "$@") > "$log" 2>&1; then
  cat "$log"
  exit 1
fi
grep -aE '^ *--- |^ok' "$log" | grep -av 'no tests to run' || true
if grep -aqE '^ *--- SKIP' "$log"; then
  echo "named.sh: a test that must run was skipped" >&2
  grep -aA3 -E '^ *--- SKIP' "$log" >&2
  exit 1
fi
ran=$(grep -acE '^--- PASS' "$log" || true)
if [ "$ran" -lt "$count" ]; then
  echo "named.sh: $ran tests match $pattern in $*, want $count" >&2
  exit 1
fi
