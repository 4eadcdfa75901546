package main

import (
	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/example/frames/orderpb"
)

// buildOrders returns three orders.
func buildOrders() []*orderpb.Order {
	return []*orderpb.Order{
		{
			Id:        "A-1001",
			Customer:  "Ada Lovelace",
			CreatedMs: 1_700_000_000_000,
			Status:    orderpb.Status_STATUS_PAID,
			Items: []*orderpb.Item{
				{Sku: "lamp", Quantity: 1, PriceCents: 4_990},
				{Sku: "bulb", Quantity: 4, PriceCents: 290},
			},
			ShipTo: &orderpb.Address{
				Street: "12 St James's Square", City: "London", PostalCode: "SW1Y 4JH", Country: "GB",
			},
			Payment:        &orderpb.Order_Card{Card: &orderpb.Card{LastDigits: "4242", Token: []byte{0xca, 0xfe}}},
			WeightKg:       proto.Float64(2.5),
			Labels:         map[string]string{"channel": "web", "gift": "no"},
			DiscountsCents: []int64{-500, 120},
		},
		{
			Id:        "A-1002",
			Customer:  "長谷川 町子",
			CreatedMs: 1_700_000_060_000,
			Status:    orderpb.Status_STATUS_NEW,
			Items: []*orderpb.Item{{
				Sku: "desk-kit", Quantity: 1, PriceCents: 19_900,
				Parts: []*orderpb.Item{{Sku: "top", Quantity: 1}, {Sku: "leg", Quantity: 4}},
			}},
			Payment: &orderpb.Order_Voucher{Voucher: "SPRING"},
		},
		{
			Id:        "A-1003",
			Customer:  "Emmy Noether",
			CreatedMs: 1_700_000_120_000,
			Status:    orderpb.Status_STATUS_SHIPPED,
			Items:     []*orderpb.Item{{Sku: "chair", Quantity: 2, PriceCents: 8_950}},
			Payment:   &orderpb.Order_Invoice{Invoice: &orderpb.Invoice{Number: "2023-77", DueDays: 30}},
			Labels:    map[string]string{"channel": "phone"},
		},
	}
}

// kitOfKits returns an order with one item that is nested this many levels deep.
func kitOfKits(levels int) *orderpb.Order {
	item := &orderpb.Item{Sku: "screw", Quantity: 1}
	for range levels - 1 {
		item = &orderpb.Item{Sku: "kit", Quantity: 1, Parts: []*orderpb.Item{item}}
	}
	return &orderpb.Order{Id: "A-1004", Items: []*orderpb.Item{item}}
}
