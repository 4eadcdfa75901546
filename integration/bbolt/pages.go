package flinkserbolt

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"

	bolt "go.etcd.io/bbolt"
)

// errCircle: a page leads back to itself, so that bbolt would follow it without end.
var errCircle = errors.New("pages lead in a circle")

// pages looks at the pages of buckets for damage that a scan does not see, or would not come to an end at. bbolt trusts pages:
// one that is reached twice, or has lost its last records, is read like any other.
//
// A page begins with its number (8 bytes), its kind (2), how many elements it has (2), and how many further pages belong to it
// (4). Elements of 16 bytes follow, then keys and values, without a gap:
//
//	branch  4  where its key is, from the element   leaf  4  flags
//	        4  size of the key                            4  where its key is, from the element
//	        8  number of the page below                   4  size of the key
//	                                                      4  size of the value
type pages struct {
	file     io.ReaderAt
	size     int64 // of a page
	last     uint64
	seen     map[uint64]bool
	problems []error
	circle   bool
}

const (
	pageHeader  = 16
	pageElement = 16
	branchPage  = 1
	leafPage    = 2
)

// inspect returns what is wrong with the pages of a state, and whether they can be scanned.
func inspect(tx *bolt.Tx, name []byte) (problems []error, safe bool, err error) {
	file, err := os.Open(tx.DB().Path())
	if err != nil {
		return nil, false, err
	}
	defer file.Close()
	p := &pages{file: file, size: int64(tx.DB().Info().PageSize), seen: map[uint64]bool{}}
	p.last = uint64(tx.Size() / p.size)
	p.metas()
	err = guard(func() {
		if p.bucket(tx.Cursor().Bucket()); p.circle {
			return
		}
		state := tx.Bucket(name)
		if p.bucket(state); p.circle || state == nil {
			return
		}
		for _, name := range [][]byte{snapshotsName, recordsName} {
			p.bucket(state.Bucket(name))
		}
	})
	return p.problems, !p.circle, err
}

// metas looks at the first two pages, which name the last two transactions in turn. Where one does not hold, bbolt takes the other.
func (p *pages) metas() {
	const size, behind = 56, 8 // what the checksum is of, and the checksum
	for number := range uint64(2) {
		b := make([]byte, pageHeader+size+behind)
		if _, err := p.file.ReadAt(b, int64(number)*p.size); err != nil {
			p.report(number, "%w", err)
			continue
		}
		sum := fnv.New64a()
		sum.Write(b[pageHeader : pageHeader+size])
		if sum.Sum64() != binary.NativeEndian.Uint64(b[pageHeader+size:]) {
			p.report(number, "checksum does not match: the last changes may be missing")
		}
	}
}

// bucket looks at the pages of a bucket. A small bucket has none of its own.
func (p *pages) bucket(b *bolt.Bucket) {
	if b != nil && b.Root() != 0 {
		p.page(uint64(b.Root()))
	}
}

func (p *pages) report(number uint64, format string, args ...any) {
	const most = 100
	if len(p.problems) < most {
		p.problems = append(p.problems, &FileError{fmt.Errorf("page %d: %w", number, fmt.Errorf(format, args...))})
	}
}

// page looks at a page and those below it.
func (p *pages) page(number uint64) {
	type branch struct {
		number uint64
		below  []uint64
	}
	above := map[uint64]bool{}
	for way := []branch{{number, []uint64{number}}}; len(way) > 0; {
		here := &way[len(way)-1]
		if len(here.below) == 0 {
			delete(above, here.number)
			way = way[:len(way)-1]
			continue
		}
		next := here.below[0]
		here.below = here.below[1:]
		if above[next] {
			p.circle = true
			p.report(next, "%w", errCircle)
			return
		}
		if p.seen[next] {
			p.report(next, "it is reached twice, so that other records are not")
			continue
		}
		p.seen[next] = true
		if below := p.read(next); len(below) > 0 {
			above[next] = true
			way = append(way, branch{next, below})
		}
	}
}

// read returns the pages below a page, and reports what is wrong with it.
func (p *pages) read(number uint64) (below []uint64) {
	native := binary.NativeEndian
	head := make([]byte, pageHeader+pageElement)
	if number >= p.last {
		p.report(number, "it is behind the end")
		return nil
	}
	if _, err := p.file.ReadAt(head, int64(number)*p.size); err != nil {
		p.report(number, "%w", err)
		return nil
	}
	kind, count := native.Uint16(head[8:]), int(native.Uint16(head[10:]))
	position := native.Uint32(head[pageHeader:])
	switch {
	case native.Uint64(head) != number || kind != branchPage && kind != leafPage:
		p.report(number, "it is none of a bucket")
		return nil
	case kind == leafPage:
		position = native.Uint32(head[pageHeader+4:])
	}
	if count > 0 && int(position) != count*pageElement {
		p.report(number, "it has not the %d elements that it names", count)
	}
	if kind == leafPage {
		return nil
	}
	elements := make([]byte, count*pageElement)
	if _, err := p.file.ReadAt(elements, int64(number)*p.size+pageHeader); err != nil {
		p.report(number, "%w", err)
		return nil
	}
	for ; len(elements) > 0; elements = elements[pageElement:] {
		below = append(below, native.Uint64(elements[8:]))
	}
	return below
}
