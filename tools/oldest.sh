#!/usr/bin/env bash
# oldest.sh runs the root module's tests with the oldest supported Go release, which the go
# command fetches as it fetches modules.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib.sh
. tools/versions.sh
say "go test ./... with Go $OLDEST_GO"
[ "$(go list -m -f '{{.GoVersion}}')" = "${OLDEST_GO%.0}" ] || die "go.mod names another Go version than $OLDEST_GO"
GOTOOLCHAIN=go$OLDEST_GO go test ./...
