#!/usr/bin/env bash
# tidy.sh fails if go mod tidy would change a go.mod or go.sum, and shows how.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib.sh
say "go mod tidy"
each_module go mod tidy -diff
