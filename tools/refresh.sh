#!/usr/bin/env bash
# refresh.sh fails if generated code is not what the generators write today, whether they run
# under buf, under protoc or in process.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib.sh

# What is compared is the tree before and after, so that it works with changes not yet
# committed; in a fresh clone it is git diff --exit-code.
snapshot() {
  git ls-files -co --exclude-standard -- '*.go' go.mod go.sum '*/go.mod' '*/go.sum' | sort |
    while read -r f; do [ ! -e "$f" ] || git hash-object "$f" | sed "s|\$| $f|"; done
}
before=$(snapshot)
tools/generate.sh
after=$(snapshot)
if [ "$before" != "$after" ]; then
  diff <(echo "$before") <(echo "$after") | grep '^[<>]' || true
  git --no-pager diff --stat
  die "make generate changed the files above: commit what it wrote"
fi
echo "generated code is current"

say "buf and protoc give what the compiler in process gives"
tools/install.sh protoc
export PATH=$PWD/.bin:$PATH
tools/named.sh -n 2 '^(TestProtocGivesTheSame|TestBufGivesTheSame)$' ./gen
tools/named.sh '^TestAgainstProtoc$' ./internal/protocheck
tools/named.sh '^TestScript$' ./cmd/protoc-gen-flinkser
