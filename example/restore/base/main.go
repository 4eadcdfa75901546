// Command base keeps orders of the first schema.
package main

import (
	"fmt"

	"github.com/flinkser/flinkser/example/restore/base/shop"
	"github.com/flinkser/flinkser/example/restore/state"
)

func main() {
	state.Main(func(i int) *shop.Order {
		return &shop.Order{
			Id:       int64(i),
			Customer: fmt.Sprintf("customer %d", i%7),
			Amount:   int32(i*3 - 100),
			Status:   shop.Status_STATUS_OPEN,
			Note:     "as it was",
		}
	}, func(o *shop.Order) string {
		return fmt.Sprint(o.GetId(), o.GetCustomer(), o.GetAmount(), o.GetStatus())
	})
}
