module github.com/flinkser/flinkser/bench

go 1.26.0

require (
	github.com/flinkser/flinkser v0.0.0
	github.com/flinkser/flinkser/golden/published v0.0.0
	github.com/planetscale/vtprotobuf v0.6.1-0.20250313105119-ba97887b0a25
	go.opentelemetry.io/proto/otlp v1.11.1
	golang.org/x/sys v0.48.0
	google.golang.org/protobuf v1.36.12
)

require (
	github.com/bufbuild/protocompile v0.14.1 // indirect
	github.com/segmentio/asm v1.2.1 // indirect
	golang.org/x/sync v0.8.0 // indirect
)

// The benchmarks measure the code beside them.
replace (
	github.com/flinkser/flinkser => ../
	github.com/flinkser/flinkser/golden/published => ../golden/published
)
