//go:build !v2 && !v3

package main

import "github.com/flinkser/flinkser/integration/beam/example/totals/v1/shop"

type (
	// Order is the message of version 1, see v1/shop/totals.proto.
	Order = shop.Order
	// Item is a part of an order.
	Item = shop.Item
	// Total is the sum of a customer's orders.
	Total = shop.Total
)

// addMore adds what later versions have.
func addMore(_, _ *Total) {}

// more is addMore for an order.
func more(*Total, *Order) {}

// extra is the text of what later versions have.
func extra(*Total) string { return "" }

// clearMore removes what later versions have.
func clearMore([]*Total) {}
