module github.com/flinkser/flinkser/interop

go 1.25.0

require (
	github.com/flinkser/flinkser v0.0.0
	google.golang.org/protobuf v1.36.12
)

require (
	github.com/bufbuild/protocompile v0.14.1 // indirect
	github.com/segmentio/asm v1.2.1 // indirect
	golang.org/x/sync v0.8.0 // indirect
	golang.org/x/sys v0.29.0 // indirect
)

// The root module is used from the same checkout.
replace github.com/flinkser/flinkser => ..
