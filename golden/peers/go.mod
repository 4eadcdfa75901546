module github.com/flinkser/flinkser/golden/peers

go 1.26.0

require (
	connectrpc.com/connect v1.21.1
	github.com/flinkser/flinkser v0.0.0
	github.com/planetscale/vtprotobuf v0.6.1-0.20250313105119-ba97887b0a25
	google.golang.org/grpc v1.85.0
	google.golang.org/protobuf v1.36.12
)

require (
	github.com/segmentio/asm v1.2.1 // indirect
	golang.org/x/net v0.60.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
	golang.org/x/text v0.42.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260817212433-ac3dfec99bb1 // indirect
)

// The root module is tested in the same checkout.
replace github.com/flinkser/flinkser => ../..
