#!/usr/bin/env bash
# schemas.sh COUNT [SEED] makes COUNT random schemas, the first with SEED (1), or any with
# "new", and compares the code generated for them with google.golang.org/protobuf: see
# internal/schemas. schemas.sh published does the same for all packages of genproto and of
# OpenTelemetry, in the versions of golden/published. What fails is kept in the folder failures.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib.sh
if [ "$1" = published ]; then
  say "packages that others have published"
  go run ./internal/schemas -published golden/published -batch 20
  exit
fi
seed=${2:-1}
# Seeds in a range that leaves no two schemas the same numbers for their custom options.
[ "$seed" != new ] || seed=$(((RANDOM * 32768 + RANDOM) % 4000000 + 1000))
tools/install.sh protoc
export PATH=$PWD/.bin:$PATH
say "$1 random schemas from seed $seed"
go run ./internal/schemas -n "$1" -seed "$seed"
