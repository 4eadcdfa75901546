package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	flinkser "github.com/flinkser/flinkser/runtime"
)

// order returns the order of a number.
func order(number, customers int) *Order {
	return &Order{
		Customer: fmt.Sprintf("customer-%05d", number*7919%customers),
		Number:   int64(number),
		Cents:    int64(number%1000 - 300),
		Note:     "leave it with the neighbours, Köln",
		Items:    []*Item{{Sku: fmt.Sprintf("sku-%d", number%97), Quantity: int64(number % 5)}, {Sku: "sku-b", Quantity: 2}},
		Labels:   map[string]int64{"a": int64(number), "b": 2, "c": 3},
	}
}

// makeOrders writes files of orders, of which each has the next numbers.
func makeOrders(dir string, orders, customers, files int) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	each := (orders + files - 1) / files
	for i := range files {
		name := filepath.Join(dir, fmt.Sprintf("orders-%02d.frames", i))
		if err := makeFile(name, i*each, min((i+1)*each, orders), customers); err != nil {
			return err
		}
	}
	return nil
}

func makeFile(name string, from, to, customers int) (err error) {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	buffer := bufio.NewWriterSize(file, 1<<20)
	w := flinkser.NewWriter[*Order](buffer)
	for i := from; i < to; i++ {
		if err := w.Write(order(i, customers)); err != nil {
			return err
		}
	}
	return buffer.Flush()
}

// expect adds the orders of files up without any engine.
func expect(files []string) ([]*Total, error) {
	totals := map[string]*Total{}
	for _, name := range files {
		err := read(name, func(o *Order) { totals[o.Customer] = addOrder{}.Add(o.Customer, totals[o.Customer], o) }, func() *Order { return new(Order) })
		if err != nil {
			return nil, err
		}
	}
	list := make([]*Total, 0, len(totals))
	for _, t := range totals {
		list = append(list, t)
	}
	return list, nil
}

// results reads the files that a pipeline has written.
func results(prefix string) ([]*Total, error) {
	files, err := filepath.Glob(prefix + "-*.frames")
	if err != nil {
		return nil, err
	}
	var list []*Total
	for _, name := range files {
		if err := read(name, func(t *Total) { list = append(list, t) }, func() *Total { return new(Total) }); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// read calls f with every message of a file.
func read[M flinkser.Message](name string, f func(M), empty func() M) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	r := flinkser.NewReader[M](file, flinkser.WithReadAhead(1<<20))
	for m := empty(); r.Next(m); m = empty() {
		f(m)
	}
	return r.Err()
}

// text returns totals in order, one in a line.
func text(totals []*Total) string {
	lines := make([]string, len(totals))
	for i, t := range totals {
		lines[i] = fmt.Sprintf("%s %d orders %d cents, last %d%s\n", t.Customer, t.Orders, t.Cents, t.Last, extra(t))
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}
