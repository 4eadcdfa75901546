#!/usr/bin/env bash
# generate.sh writes all generated code anew with buf: in every folder that has a buf.gen.yaml.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib.sh
tools/install.sh buf protoc-gen-go protoc-gen-flinkser
export PATH=$PWD/.bin:$PATH
for config in $(git ls-files -co --exclude-standard -- buf.gen.yaml '*/buf.gen.yaml' | grep -v testdata/); do
  for plugin in $(sed -n 's/^ *- local: *//p' "$config"); do tools/install.sh "$plugin"; done
  say "buf generate in $(dirname "$config")"
  (cd "$(dirname "$config")" && buf lint && buf generate)
done
