// Package corpus holds the data that this module tests, fuzzes and measures
// itself with: five workloads of records and one of social posts, made from a
// fixed seed, and byte strings with the answer that a codec must give.
//
// Records and posts are drawn from the generator of Java's java.util.Random, so
// that a Java program makes the same values and both sides can compare bytes.
// CheckValues says what the encoded records must hash to.
package corpus

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/flinkser/flinkser/internal/corpus/recordpb"
	"google.golang.org/protobuf/proto"
)

const (
	// Seed is the seed of record 0; record i is drawn from Seed+i.
	Seed = 30012026

	// Size is the number of records in each workload.
	Size = 64

	// epoch is the base of the timestamps: milliseconds since 1970-01-01 UTC.
	epoch = 1_700_000_000_000
)

var workloads = []string{"scalar", "text", "nested", "collections", "large"}

// Workloads returns the names of the record workloads in the order of the
// published tables. The caller owns the slice.
func Workloads() []string { return slices.Clone(workloads) }

// Records returns the Size records of a workload. They are made anew by each
// call and belong to the caller. It panics if the workload does not exist.
func Records(workload string) []*recordpb.Record {
	if !slices.Contains(workloads, workload) {
		panic(fmt.Sprintf("corpus: no workload %q; there are %s", workload, strings.Join(workloads, ", ")))
	}
	all := make([]*recordpb.Record, Size)
	for i := range all {
		all[i] = record(workload, i)
	}
	return all
}

// record makes record i. The order of the draws is part of the corpus.
func record(workload string, i int) *recordpb.Record {
	r := NewJavaRandom(Seed + int64(i))
	m := &recordpb.Record{
		Id:     int32(i) - Size/2,
		Active: i%2 == 0,
		Child:  &recordpb.Child{},
	}
	if i > 0 {
		m.Timestamp = epoch + int64(i)
	}
	switch i % 3 {
	case 1:
		m.Note = proto.String("")
	case 2:
		m.Note = proto.String("note-" + strconv.Itoa(i))
	}
	switch workload {
	case "text":
		m.Payload = r.Bytes(1024)
		m.Name = strings.Repeat("ASCII-日本語-é-", 32) + strconv.Itoa(i)
	case "large":
		m.Payload = r.Bytes(65536)
	case "nested":
		m.Child.Code = int32(i) * 7
		m.Child.Name = "child-日本語-" + strconv.Itoa(i)
	case "collections":
		const n = 16
		m.Values = make([]int64, n)
		m.Attributes = make(map[string]int64, n)
		for k := range m.Values {
			m.Values[k] = r.Int64()
			m.Attributes["key-"+strconv.Itoa(n-1-k)] = r.Int64()
		}
	}
	return m
}

// Posts returns the Size posts of the social workload: two attachments, ten
// likes and five comments each. They are made anew by each call and belong to
// the caller.
func Posts() []*recordpb.SocialMediaPost {
	all := make([]*recordpb.SocialMediaPost, Size)
	for i := range all {
		all[i] = post(i)
	}
	return all
}

// post makes post i. Each text is drawn where it stands, so the statements must
// keep this order.
func post(i int) *recordpb.SocialMediaPost {
	r := NewJavaRandom(Seed + int64(i))
	p := &recordpb.SocialMediaPost{Timestamp: epoch + int64(i)}
	p.PostId = r.Letters(10)
	p.AuthorId = r.Letters(10)
	p.Content = r.Letters(104)
	for range 2 {
		a := &recordpb.MediaAttachment{}
		a.Type = r.Letters(5)
		a.Url = r.Letters(30)
		p.MediaAttachments = append(p.MediaAttachments, a)
	}
	for range 10 {
		p.Likes = append(p.Likes, r.Letters(10))
	}
	for range 5 {
		c := &recordpb.Comment{}
		c.CommentId = r.Letters(10)
		c.CommenterId = r.Letters(10)
		c.CommentText = r.Letters(50)
		c.Timestamp = epoch + int64(r.Intn(1_000_000))
		p.Comments = append(p.Comments, c)
	}
	return p
}

// CheckValue is what the frames of one workload must come to: the records in
// order, each as a 4-byte big-endian length and its deterministic encoding.
type CheckValue struct {
	Total    int    // bytes in all frames, length prefixes included
	Min, Max int    // bytes in the smallest and the largest frame
	SHA256   string // of all frames, one after the other, in lower-case hex
}

// Social is the name of the workload of Posts, in CheckValues and in reports.
const Social = "social"

// CheckValues returns the check values by workload: the five of Workloads and
// Social. The map belongs to the caller.
func CheckValues() map[string]CheckValue {
	return map[string]CheckValue{
		"scalar":      {1531, 15, 35, "638b75b8f271d70fdb7a12b4eb0a0e3ae6514ff3db4c25f50668c59335a89c1a"},
		"text":        {106481, 1655, 1675, "8b472880b7235fc62f031b8b7c3b48a1342c0faeca766d5d5c10063db36b514e"},
		"nested":      {2972, 38, 58, "ba072bd0919801dbfcc52e78bdd9684e6cd10117e0cf3a3f27af8b1e7e758919"},
		"collections": {31881, 485, 510, "25add6cf1d0e3115b18fdef45f6542d895dce3018de6f5fdf97875ce286c86c5"},
		"large":       {4196091, 65555, 65575, "7589ae7dc84b0d0ac86401e0a613d8e8af8a109f3ca0b7ce1ffc1fed196e5a31"},
		Social:        {49152, 768, 768, "ec9c51e406f79067f5b28244333f554385a2c444d7624164142dac82040b0f7b"},
	}
}
