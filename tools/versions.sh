# The versions of every tool that the build runs, in one place. Sourced by the scripts
# beside it. protoc-gen-go has no line: it is built from the version in go.mod, so that
# generated code and the library that it calls are of one release.

BUF_VERSION=1.75.0           # npm @bufbuild/buf, else go install
PROTOC_VERSION=36.2.0        # npm protoc, which carries the include files too
PROTOBUF_JAVA_VERSION=4.36.2 # Maven, of the same release as protoc
GOLANGCI_LINT_VERSION=2.15.0 # go install
STATICCHECK_VERSION=0.8.2    # go install
GRPC_PLUGIN_VERSION=1.6.2    # go install, for golden/peers, as are the next two
CONNECT_PLUGIN_VERSION=1.21.1
VTPROTO_PLUGIN_VERSION=0.6.1-0.20250313105119-ba97887b0a25

# The protobuf conformance suite, from npm: its version, and the SHA-512 of the package, since
# a program of somebody else's is run. Where the C library is older than 2.38, which the program
# needs, that of this Debian release is used for it.
CONFORMANCE_VERSION=33.2.0
CONFORMANCE_SHA512=f7fe9c1904200eff0381bcbcafa24cbb3b1d6a30e541468cbf9228491c368b3ef7080eb7090381102c1c5cb13076cec81c565f5765f5595cd6a09b8a33744cff
CONFORMANCE_DEBIAN=trixie

# The oldest Go release that is supported: the first one of the version in go.mod.
OLDEST_GO=1.25.0

# What make interop runs against, from Maven, with protobuf-java as above; and what make interop-versions
# tries besides: Flink versions with that protobuf-java, and older releases of protobuf-java with that Flink.
FLINK_VERSION=2.3.0
FLINK_OTHERS="2.2.1 1.20.5"
PROTOBUF_JAVA_OTHERS="3.25.9"
