//go:build v2

package main

import "github.com/flinkser/flinkser/example/state/v2/shop"

// Order is the message of version 2, see v2/shop/order.proto.
type Order = shop.Order
