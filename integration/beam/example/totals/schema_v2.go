//go:build v2

package main

import (
	"fmt"
	"slices"

	"github.com/flinkser/flinkser/integration/beam/example/totals/v2/shop"
)

type (
	// Order is the message of version 2, see v2/shop/totals.proto.
	Order = shop.Order
	// Item is a part of an order.
	Item = shop.Item
	// Total is the sum of a customer's orders, with two fields more.
	Total = shop.Total
)

// addMore adds what version 1 does not have.
func addMore(to, from *Total) {
	to.MaxCents = max(to.MaxCents, from.MaxCents)
	for _, note := range from.Notes {
		addNote(to, note)
	}
}

// more is addMore for an order.
func more(to *Total, o *Order) {
	to.MaxCents = max(to.MaxCents, o.Cents)
	addNote(to, o.Note)
}

func addNote(to *Total, note string) {
	if !slices.Contains(to.Notes, note) {
		to.Notes = append(to.Notes, note)
	}
}

// extra is the text of what version 1 does not have.
func extra(t *Total) string { return fmt.Sprintf(", at most %d, %d notes", t.MaxCents, len(t.Notes)) }

// clearMore removes what version 1 does not have.
func clearMore(totals []*Total) {
	for _, t := range totals {
		t.MaxCents, t.Notes = 0, nil
	}
}
