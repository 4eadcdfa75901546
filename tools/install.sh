#!/usr/bin/env bash
# install.sh NAME... puts tools of the pinned versions into .bin, if they are not there yet:
# buf protoc protoc-gen-go protoc-gen-flinkser protoc-gen-go-grpc protoc-gen-connect-go
# protoc-gen-go-vtproto golangci-lint staticcheck conformance_test_runner protobuf-java
#
# The two protoc-gen plugins of this repository's own go.mod are built every time (the build
# cache makes that quick); the others again when versions.sh names another version.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/versions.sh
bin=$PWD/.bin
mkdir -p "$bin/stamps"

fail() { echo "install.sh: $*" >&2; exit 1; }

# have NAME VERSION tells whether that version is installed.
have() { [ -x "$bin/$1" ] && [ -e "$bin/stamps/$1-$2" ]; }

# installed NAME VERSION notes it.
installed() {
  rm -f "$bin/stamps/$1-"[0-9]*
  : > "$bin/stamps/$1-$2"
  echo "installed $1 $2"
}

# with_go NAME VERSION PACKAGE
with_go() {
  have "$1" "$2" && return
  GOBIN=$bin GOFLAGS= go install "$3@v$2"
  installed "$1" "$2"
}

# with_npm NAME VERSION PACKAGE
with_npm() {
  have "$1" "$2" && return
  npm install --silent --no-audit --no-fund --no-save --ignore-scripts --prefix "$bin/npm/$1" "$3@$2" >&2
  ln -sf "npm/$1/node_modules/.bin/$1" "$bin/$1"
  installed "$1" "$2"
}

has_npm() { command -v npm >/dev/null && command -v node >/dev/null; }

for tool in "$@"; do
  case $tool in
    protoc-gen-flinkser) go build -buildvcs=false -o "$bin/" ./cmd/protoc-gen-flinkser ;;
    protoc-gen-go) go build -buildvcs=false -o "$bin/" google.golang.org/protobuf/cmd/protoc-gen-go ;;
    buf)
      if has_npm; then
        with_npm buf "$BUF_VERSION" @bufbuild/buf
      else
        with_go buf "$BUF_VERSION" github.com/bufbuild/buf/cmd/buf
      fi
      ;;
    protoc)
      if has_npm; then
        with_npm protoc "$PROTOC_VERSION" protoc
      elif [ "$(protoc --version 2>/dev/null)" = "libprotoc ${PROTOC_VERSION%.0}" ]; then
        ln -sf "$(command -v protoc)" "$bin/protoc"
      else
        fail "protoc $PROTOC_VERSION comes from npm, which is not here; or put that version on PATH"
      fi
      ;;
    protoc-gen-go-grpc) with_go $tool "$GRPC_PLUGIN_VERSION" google.golang.org/grpc/cmd/protoc-gen-go-grpc ;;
    protoc-gen-connect-go) with_go $tool "$CONNECT_PLUGIN_VERSION" connectrpc.com/connect/cmd/protoc-gen-connect-go ;;
    protoc-gen-go-vtproto) with_go $tool "$VTPROTO_PLUGIN_VERSION" github.com/planetscale/vtprotobuf/cmd/protoc-gen-go-vtproto ;;
    golangci-lint) with_go $tool "$GOLANGCI_LINT_VERSION" github.com/golangci/golangci-lint/v2/cmd/golangci-lint ;;
    staticcheck) with_go $tool "$STATICCHECK_VERSION" honnef.co/go/tools/cmd/staticcheck ;;
    conformance_test_runner) tools/conformance-runner.sh ;;
    protobuf-java)
      [ -e "$bin/$tool-$PROTOBUF_JAVA_VERSION.jar" ] && continue
      command -v mvn > /dev/null || fail "protobuf-java comes from Maven, which is not here"
      mvn -q -B dependency:copy "-Dartifact=com.google.protobuf:protobuf-java:$PROTOBUF_JAVA_VERSION" "-DoutputDirectory=$bin" >&2
      echo "installed $tool $PROTOBUF_JAVA_VERSION"
      ;;
    *) fail "no tool named $tool" ;;
  esac
done
