//go:build v3

package main

import "github.com/flinkser/flinkser/example/state/v3/shop"

// Order is the message of version 3, see v3/shop/order.proto.
type Order = shop.Order
