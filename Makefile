# demo needs Go and make, everything else bash too; generate and check need npm for protoc,
# conformance for the suite.
# Tools go into .bin, in the versions of tools/versions.sh.

FUZZTIME ?= 30m
N ?= 20
SEED ?= 1

.DEFAULT_GOAL := help
.PHONY: help demo test check generate lint tidy fuzz nightly bench-quick release-check conformance schemas published java-descriptors restore-demo verify-jar buf-check crash-test demo-beam demo-flink

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-17s %s\n", $$1, $$2 }' Makefile

demo: ## build the plugin, show that the example's code is current, run the example
	go build -buildvcs=false -o .bin/ ./cmd/protoc-gen-flinkser
	go run ./internal/regen -check -plugin .bin/protoc-gen-flinkser example/frames
	go run ./example/frames

demo-beam: ## add framed orders up with Beam on one machine, and compare with a plain loop; needs Go alone
	tools/beam.sh demo

demo-flink: ## the same on Flink, batch and streaming; needs a JDK and Maven
	tools/beam.sh demo-flink

restore-demo: ## write state with one version of a schema and restore it with others, forwards and back
	go run ./example/restore

test: ## run the tests of all modules
	tools/test.sh

check: ## all that a change must pass besides test: lint, tidy, generated code, random schemas, oldest Go, 3 minutes of fuzzing
	tools/lint.sh
	tools/tidy.sh
	tools/refresh.sh
	tools/schemas.sh 20
	tools/oldest.sh
	tools/fuzz.sh 3m

generate: ## write all generated code anew with buf
	tools/generate.sh

lint: ## gofmt, go vet, staticcheck, golangci-lint, documentation
	tools/lint.sh

tidy: ## show what go mod tidy would change
	tools/tidy.sh

fuzz: ## run every fuzz target in turn, 3 minutes in all
	tools/fuzz.sh 3m

nightly: ## search for differences for FUZZTIME in all (30m), count branches, try 500 new schemas, the published packages and the newest protobuf-go, then bench-quick
	tools/nightly.sh $(FUZZTIME)
	tools/schemas.sh 500 new
	tools/schemas.sh published
	tools/crash-test.sh 100
	tools/beam.sh nightly
	tools/beam.sh throughput
	$(MAKE) bench-quick

schemas: ## generate, compile and compare N random schemas (20) from SEED (1), then the published packages
	tools/schemas.sh $(N) $(SEED)
	$(MAKE) published

published: ## the same for all packages of genproto and OpenTelemetry, 257 in all
	tools/schemas.sh published

bench-quick: ## measure, and fail above the limits
	cd bench && go run ./cmd/quick

release-check: ## build the tree as it would be released, install it from a module proxy, use it
	cd tools/release && go run . ../..

java-descriptors: ## compare the descriptors in snapshots with those in compiled Java classes; needs a JDK, Maven and npm
	tools/java-descriptors.sh

buf-check: ## run buf breaking with our plugin and compare what it prints; needs npm
	tools/buf-check.sh

verify-jar: ## ask the jar at JAR with the Java serializer what the tests here say about it; needs a JDK, Maven and npm
	tools/verify-jar.sh $(JAR)

conformance: ## run the official conformance suite of protocol buffers; needs npm, on Linux x86-64
	tools/conformance.sh

crash-test: ## kill the writer of a store N times (20) and look for every record that it has acknowledged
	tools/crash-test.sh $(N)
