module github.com/flinkser/flinkser/example/state

go 1.25.0

require (
	github.com/flinkser/flinkser v0.0.0
	github.com/flinkser/flinkser/integration/bbolt v0.0.0
	go.etcd.io/bbolt v1.5.0
	google.golang.org/protobuf v1.36.12
)

require (
	github.com/segmentio/asm v1.2.1 // indirect
	golang.org/x/sys v0.45.0 // indirect
)

// In this checkout. A copy of the folder names a version of each, or another path to the checkout.
replace (
	github.com/flinkser/flinkser => ../..
	github.com/flinkser/flinkser/integration/bbolt => ../../integration/bbolt
)
