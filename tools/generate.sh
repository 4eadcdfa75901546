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

tools/lanes.sh
say "bench/internal/lanes: conversions of the other packages of generated code"
(cd bench && go run ./internal/copyconvert)

tools/published.sh

say "bench/java: the message of sixty fields"
(cd bench/java && go run ../internal/java/widegen)

say "golden/external: messages of other modules"
for template in golden/external/buf.gen.*.yaml; do buf generate --template "$template"; done
# descriptor.proto as this module links it, not as buf or protoc bring it.
golden=github.com/flinkser/flinkser/golden
go run ./internal/regen -plugin .bin/protoc-gen-flinkser -param "module=github.com/flinkser/flinkser,\
external=google/protobuf/timestamp.proto=$golden/external/wkt,\
external=google/protobuf/descriptor.proto=$golden/external/legacy/descriptor,\
external=golden/editions/delimited.proto=$golden/external/legacy/editions" \
  golden/external/legacy golden/editions/delimited.proto google/protobuf/descriptor.proto
