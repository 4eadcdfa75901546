#!/usr/bin/env bash
# schemas.sh COUNT [SEED] makes COUNT random schemas, the first with SEED (1), or any with
# "new", and compares the code generated for them with google.golang.org/protobuf: see
# internal/schemas. What fails is kept in the folder failures.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib.sh
seed=${2:-1}
# Seeds in a range that leaves no two schemas the same numbers for their custom options.
[ "$seed" != new ] || seed=$(((RANDOM * 32768 + RANDOM) % 4000000 + 1000))
tools/install.sh protoc
export PATH=$PWD/.bin:$PATH
say "$1 random schemas from seed $seed"
go run ./internal/schemas -n "$1" -seed "$seed"
