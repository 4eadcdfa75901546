# The versions of every tool that the build runs, in one place. Sourced by the scripts
# beside it. protoc-gen-go has no line: it is built from the version in go.mod, so that
# generated code and the library that it calls are of one release.

BUF_VERSION=1.75.0           # npm @bufbuild/buf, else go install
PROTOC_VERSION=36.2.0        # npm protoc, which carries the include files too
GOLANGCI_LINT_VERSION=2.15.0 # go install
STATICCHECK_VERSION=0.8.2    # go install
GRPC_PLUGIN_VERSION=1.6.2    # go install, for golden/peers, as are the next two
CONNECT_PLUGIN_VERSION=1.21.1
VTPROTO_PLUGIN_VERSION=0.6.1-0.20250313105119-ba97887b0a25

# The oldest Go release that is supported: the first one of the version in go.mod.
OLDEST_GO=1.25.0
