# demo needs Go and make, everything else bash too; generate and check need npm for protoc,
# conformance for the suite.
# Tools go into .bin, in the versions of tools/versions.sh.

FUZZTIME ?= 30m
N ?= 20
SEED ?= 1
# Such as --java, or --lanes NAME.
BENCHFLAGS ?=

.DEFAULT_GOAL := help
.PHONY: help demo test check generate lint tidy fuzz nightly bench-quick bench-check bench-smoke bench-run release-check conformance schemas published java-descriptors restore-demo verify-jar buf-check crash-test interop interop-versions frames-speed demo-beam demo-flink

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

nightly: ## search for differences for FUZZTIME in all (30m), count branches, try 500 new schemas, the published packages, the newest protobuf-go, and all versions of Flink, then bench-quick
	tools/nightly.sh $(FUZZTIME)
	tools/schemas.sh 500 new
	tools/schemas.sh published
	tools/crash-test.sh 100
	$(MAKE) frames-speed
	INTEROP=all tools/interop.sh
	tools/interop-versions.sh
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

bench-check: ## let every lane of the benchmarks write, read and copy every record, without measuring
	cd bench && go run ./cmd/bench check $(BENCHFLAGS)

bench-smoke: ## the same on one workload, one short measurement of everything, and a report of it
	dir=$$(mktemp -d)/run && cd bench && go run ./cmd/bench smoke $(BENCHFLAGS) $$dir && go run ./cmd/bench report $$dir && go run ./cmd/bench audit $$dir && awk -f scripts/parity.awk $$dir/measurements.csv | diff - $$dir/parity.csv

bench-run: ## measure the core lanes with intervals into the new folder DIR, which takes most of an hour on a quiet machine
	cd bench && go run ./cmd/bench run $(BENCHFLAGS) $(abspath $(DIR))

release-check: ## build the tree as it would be released, install it from a module proxy, use it
	cd tools/release && go run . ../..

java-descriptors: ## compare the descriptors in snapshots with those in compiled Java classes; needs a JDK, Maven and npm
	tools/java-descriptors.sh

buf-check: ## run buf breaking with our plugin and compare what it prints; needs npm
	tools/buf-check.sh

interop: ## compare frames, snapshots, verdicts and restores with Java and a Flink cluster, and print how many; needs a JDK and Maven
	tools/interop.sh

interop-versions: ## the same with all versions of Flink and protobuf-java, and write the table in docs/compatibility.md
	tools/interop-versions.sh

verify-jar: ## ask the jar at JAR with the Java serializer what the tests here say about it; needs a JDK, Maven and npm
	tools/verify-jar.sh $(JAR)

conformance: ## run the official conformance suite of protocol buffers; needs npm, on Linux x86-64
	tools/conformance.sh

crash-test: ## kill the writer of a store N times (20) and look for every record that it has acknowledged
	tools/crash-test.sh $(N)

frames-speed: ## print a million records with flinkser frames cat, at half the speed of protojson at least, in constant memory
	FLINKSER_CAT_RECORDS=1000000 go test -count=1 -timeout 30m -v -run '^TestCatSpeed$$' ./cmd/flinkser
