#!/usr/bin/env bash
# published.sh writes the code of golden/published: of its own messages, and in external mode of
# those that the modules in its go.mod have published. They are published without .proto files, so
# that buf has nothing to read: internal/regen takes the files out of the Go code.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib.sh
tools/install.sh protoc-gen-go protoc-gen-flinkser
export PATH=$PWD/.bin:$PATH
say "golden/published: messages that others have published"

here=github.com/flinkser/flinkser/golden/published
otlp=go.opentelemetry.io/proto/otlp
apis=google.golang.org/genproto/googleapis
packages=(
  $otlp/{trace,common,resource,collector/trace}/v1
  $apis/rpc/{status,errdetails,context/attribute_context}
  $apis/api/{httpbody,label,metric,monitoredres,distribution}
  $apis/logging/type
  $apis/type/{color,date,datetime,decimal,expr,fraction,interval,latlng,localized_text,money,phone_number,postaladdress,quaternion,timeofday}
)
parameter=module=github.com/flinkser/flinkser
ours=$parameter
map() { ours+=,external=$1=$2; }
map opentelemetry.proto.trace.v1 $here/otlp/trace
map opentelemetry.proto.common.v1 $here/otlp/common
map opentelemetry.proto.resource.v1 $here/otlp/resource
map opentelemetry.proto.collector.trace.v1 $here/otlp/collector
map google.rpc $here/googleapis/rpc
map google.rpc.context $here/googleapis/rpccontext
map google.api $here/googleapis/api
map google.logging.type $here/googleapis/logging
map google.type $here/googleapis/types
# Codecs that another module has.
map google.protobuf github.com/flinkser/flinkser/golden/external/wkt

regen() { go run ./internal/regen -published golden/published "$@"; }
regen -plugin protoc-gen-go -param "$parameter" -import "$(IFS=,; echo "${packages[*]}")" golden/published
regen -plugin .bin/protoc-gen-flinkser -param "$ours" golden/published "${packages[@]}"
