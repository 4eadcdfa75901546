package flinkserbolt

import (
	"bytes"
	"iter"

	bolt "go.etcd.io/bbolt"
)

// raw is a record as it lies in the file: the key is a copy, the value is not.
type raw struct{ key, value []byte }

// A place is how far a scan is. It can be found again in another transaction, and whatever has been changed meanwhile.
//
// bbolt looks for a key by the order of keys, so that one which has changed on disk leads it astray: past good records, or
// back to earlier ones. So only keys whose checksum holds say where something is.
type place struct {
	from    []byte          // where the scan begins
	last    []byte          // the last good key, or nil
	damaged map[string]bool // keys of the damaged records behind it that the scan has returned
}

// pass notes that the scan has returned a record.
func (p *place) pass(r raw) {
	if intact(r.key, r.value) {
		p.last, p.damaged = r.key, nil
		return
	}
	if p.damaged == nil {
		p.damaged = map[string]bool{}
	}
	p.damaged[string(r.key)] = true
}

// find returns the next record.
func (p *place) find(c *bolt.Cursor, changing bool) (key, value []byte) {
	if p.last == nil {
		key, value = seek(c, p.from, changing)
	} else if key, value = seek(c, p.last, changing); bytes.Equal(key, p.last) {
		key, value = c.Next()
	}
	for key != nil && p.damaged[string(key)] && !intact(key, value) {
		key, value = c.Next()
	}
	return key, value
}

// scan returns the records of a bucket from a place, and after an error none. A damaged record at the end is
// returned even if its key is behind the end: it may have been another. Where the transaction is changing the bucket,
// so may the loop.
func scan(b *bolt.Bucket, p *place, to []byte, changing bool) iter.Seq2[raw, error] {
	return func(yield func(raw, error) bool) {
		c := b.Cursor()
		key, value, err := move(func() ([]byte, []byte) { return p.find(c, changing) })
		for err == nil && key != nil {
			var r raw
			over := false
			// Key and value may lie on a damaged page.
			if err = guard(func() {
				if over = len(to) > 0 && bytes.Compare(key, to) >= 0 && intact(key, value); !over {
					r = raw{bytes.Clone(key), value}
					p.pass(r)
				}
			}); err != nil {
				break
			}
			if over {
				return
			}
			if !yield(r, nil) {
				return
			}
			next := c.Next
			if changing { // a cursor is not where it was then
				c = b.Cursor()
				next = func() ([]byte, []byte) { return p.find(c, changing) }
			}
			key, value, err = move(next)
		}
		if err != nil {
			yield(raw{}, err)
		}
	}
}

// seek returns the record with a key, or the first one behind the last good key before it. In a transaction that has
// removed records, pages may be empty, and bbolt does not find its way back over them: the key before is not looked at then.
func seek(c *bolt.Cursor, target []byte, changing bool) (key, value []byte) {
	key, value = c.Seek(target)
	if key != nil && bytes.Equal(key, target) {
		return key, value
	}
	here := key == nil || bytes.Compare(key, target) > 0 && intact(key, value)
	if changing && here {
		return key, value
	}
	if changing {
		return walk(c, target)
	}
	before, value := c.Prev()
	switch {
	case here && before == nil:
		return c.First()
	case here && bytes.Compare(before, target) < 0 && intact(before, value):
		return c.Next()
	}
	return walk(c, target)
}

// walk is seek where damaged keys are around: it looks at all records.
func walk(c *bolt.Cursor, target []byte) (key, value []byte) {
	n, behind := 0, 0
	for key, value = c.First(); key != nil; key, value = c.Next() {
		n++
		if !intact(key, value) {
			continue
		}
		if bytes.Compare(key, target) >= 0 {
			break
		}
		behind = n
	}
	key, value = c.First()
	for range behind {
		key, value = c.Next()
	}
	return key, value
}

// get returns the value of a key, or nil. It finds it also behind damaged records.
func get(c *bolt.Cursor, target []byte, changing bool) []byte {
	if len(target) == 0 {
		return nil
	}
	key, value := seek(c, target, changing)
	for key != nil && !bytes.Equal(key, target) && !intact(key, value) {
		key, value = c.Next()
	}
	if !bytes.Equal(key, target) {
		return nil
	}
	return value
}

// intact reports whether the checksum of a record holds.
func intact(key, value []byte) bool {
	_, _, err := unseal(key, value)
	return err == nil
}
