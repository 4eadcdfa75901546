//go:build !v2 && !v3

package main

import "github.com/flinkser/flinkser/example/state/v1/shop"

// Order is the message of version 1, see v1/shop/order.proto.
type Order = shop.Order
