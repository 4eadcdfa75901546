#!/usr/bin/env bash
# bench-tables.sh writes the tables of README.md and docs/benchmarks.md that are made from committed
# runs of the benchmark. bench-tables.sh -check fails if one of them is not current.
set -euo pipefail
cd "$(dirname "$0")/../bench"
case ${1-} in
  -check) go run ./cmd/bench tables --check ../README.md ../docs/benchmarks.md && echo "the benchmark tables are current" ;;
  '') go run ./cmd/bench tables ../README.md ../docs/benchmarks.md ;;
  *) echo "usage: bench-tables.sh [-check]" >&2; exit 2 ;;
esac
