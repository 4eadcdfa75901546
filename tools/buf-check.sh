#!/usr/bin/env bash
# buf-check.sh runs buf breaking with the plugin buf-plugin-flinkser on versions of a schema, and compares what it
# prints, as text and as annotations of GitHub Actions, with what is committed. It needs npm for buf.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib.sh
tools/install.sh buf
export PATH=$PWD/.bin:$PATH
log=$(mktemp)
trap 'rm -f "$log"' EXIT
(cd cmd/buf-plugin-flinkser && go test -count=1 -v -run '^TestBuf$' .) | tee "$log"
grep -qaE '^--- PASS: TestBuf' "$log" || die "the test was skipped"
