package main

import (
	"fmt"
	"os"
	"time"
)

// trouble makes the pipeline fail once, for tests. The zero value makes none.
type trouble struct {
	At     int64         // the number of the order
	How    string        // "error", "panic", "exit", which ends the worker, or "pid", which writes its process id
	Marker string        // a file that says that it has happened
	Slow   int64         // every order with a multiple of this number takes long
	Long   time.Duration // how long
}

type troubled struct{ Trouble trouble }

// ProcessElement passes an order on, or fails.
func (t *troubled) ProcessElement(o *Order, emit func(*Order)) error {
	if t.Trouble.Slow > 0 && o.Number%t.Trouble.Slow == 0 {
		time.Sleep(t.Trouble.Long)
	}
	if t.Trouble.How != "" && o.Number == t.Trouble.At {
		if err := t.Trouble.happen(); err != nil {
			return err
		}
	}
	emit(o)
	return nil
}

// happen fails the first time.
func (t *trouble) happen() error {
	if _, err := os.Stat(t.Marker); err == nil {
		return nil
	}
	if err := os.WriteFile(t.Marker, []byte(fmt.Sprint(os.Getpid())), 0o600); err != nil {
		return err
	}
	switch t.How {
	case "panic":
		panic("trouble that was asked for")
	case "exit":
		os.Exit(3)
	case "error":
		return fmt.Errorf("trouble that was asked for, at order %d", t.At)
	}
	return nil
}
