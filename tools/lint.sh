#!/usr/bin/env bash
# lint.sh: gofmt, go vet (also for other processors), staticcheck and golangci-lint over all
# modules, and the checks of generated.sh, docs.sh and tree.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib.sh
tools/install.sh staticcheck golangci-lint
bin=$PWD/.bin

# Every step runs, whatever the others find.
bad=0

say "gofmt"
# Go code that is data (testdata) may be anything.
unformatted=$(git ls-files -co --exclude-standard -- '*.go' | grep -v testdata/ |
  while read -r f; do [ ! -e "$f" ] || echo "$f"; done | xargs gofmt -l) || bad=1
[ -z "$unformatted" ] || { echo "not formatted: $unformatted" >&2; bad=1; }

say "go vet"
each_module go vet ./... || bad=1
say "go build and go vet for arm64, go vet for 386"
CGO_ENABLED=0 GOARCH=arm64 go build ./... || bad=1
CGO_ENABLED=0 GOARCH=arm64 go vet ./... || bad=1
CGO_ENABLED=0 GOARCH=386 go vet ./... || bad=1

say "staticcheck"
each_module "$bin/staticcheck" ./... || bad=1
say "golangci-lint"
each_module "$bin/golangci-lint" run --config "$PWD/.golangci.yml" ./... || bad=1

tools/generated.sh || bad=1
tools/docs.sh || bad=1
tools/tree.sh || bad=1
[ $bad = 0 ] || die "something above has to be mended"
