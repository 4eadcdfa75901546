package flinkser_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"google.golang.org/protobuf/proto"

	"github.com/flinkser/flinkser/golden/cases"
	"github.com/flinkser/flinkser/golden/kinds"
	flinkser "github.com/flinkser/flinkser/runtime"
)

// compareJava orders keys as protobuf-java does: it has signed integers only, and compares
// strings by UTF-16 code unit.
func compareJava[K comparable](a, b K) int {
	switch x := any(a).(type) {
	case string:
		return slices.Compare(utf16.Encode([]rune(x)), utf16.Encode([]rune(any(b).(string))))
	case bool:
		return cmp.Compare(fmt.Sprint(x), fmt.Sprint(b))
	case int32:
		return cmp.Compare(x, any(b).(int32))
	case int64:
		return cmp.Compare(x, any(b).(int64))
	case uint32:
		return cmp.Compare(int32(x), int32(any(b).(uint32)))
	case uint64:
		return cmp.Compare(int64(x), int64(any(b).(uint64)))
	}
	panic(fmt.Sprintf("no order for %T", a))
}

// checkOrder checks that the map that put fills in a message is written in the order of
// keys, which must be that of Java.
func checkOrder[K comparable](t *testing.T, keys []K, put func(m *kinds.MapKeys, keys map[K]string)) {
	t.Helper()
	if !slices.IsSortedFunc(keys, compareJava[K]) {
		t.Fatalf("the keys of the test are not in order: %v", keys)
	}
	s := newSerializer[proto.Message](t, flinkser.WithDeterministic())
	for _, n := range []int{len(keys), min(3, len(keys)), 1} {
		var want []byte
		entries := map[K]string{}
		for _, k := range keys[:n] {
			one := new(kinds.MapKeys)
			put(one, map[K]string{k: "v"})
			b, err := s.AppendPayload(nil, one)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, b...)
			entries[k] = "v"
		}
		m := new(kinds.MapKeys)
		put(m, entries)
		for codec, m := range bothCodecs(m) {
			for range 20 {
				if got, err := s.AppendPayload(nil, m); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s: keys %v are written as\n%x (%v), want\n%x", codec, keys[:n], got, err, want)
					break
				}
			}
		}
	}
}

// TestDeterministicOrder checks the order of map keys of every kind.
func TestDeterministicOrder(t *testing.T) {
	i32 := []int32{math.MinInt32, -2, -1, 0, 1, 127, 128, math.MaxInt32}
	i64 := []int64{math.MinInt64, math.MinInt32, -1, 0, 1, math.MaxInt32, math.MaxUint32, math.MaxInt64}
	u32 := []uint32{1 << 31, math.MaxUint32 - 1, math.MaxUint32, 0, 1, 2, math.MaxInt32}
	u64 := []uint64{1 << 63, math.MaxUint64, 0, 1, math.MaxUint32, math.MaxInt64}
	checkOrder(t, i32, func(m *kinds.MapKeys, e map[int32]string) { m.FInt32 = e })
	checkOrder(t, i32, func(m *kinds.MapKeys, e map[int32]string) { m.FSint32 = e })
	checkOrder(t, i32, func(m *kinds.MapKeys, e map[int32]string) { m.FSfixed32 = e })
	checkOrder(t, i64, func(m *kinds.MapKeys, e map[int64]string) { m.FInt64 = e })
	checkOrder(t, i64, func(m *kinds.MapKeys, e map[int64]string) { m.FSint64 = e })
	checkOrder(t, i64, func(m *kinds.MapKeys, e map[int64]string) { m.FSfixed64 = e })
	checkOrder(t, u32, func(m *kinds.MapKeys, e map[uint32]string) { m.FUint32 = e })
	checkOrder(t, u32, func(m *kinds.MapKeys, e map[uint32]string) { m.FFixed32 = e })
	checkOrder(t, u64, func(m *kinds.MapKeys, e map[uint64]string) { m.FUint64 = e })
	checkOrder(t, u64, func(m *kinds.MapKeys, e map[uint64]string) { m.FFixed64 = e })
	checkOrder(t, []bool{false, true}, func(m *kinds.MapKeys, e map[bool]string) { m.FBool = e })
	stringMap := func(m *kinds.MapKeys, e map[string]string) { m.FString = e }
	checkOrder(t, []string{"", "\x00", "\x00\x00", "A", "AA", "B", "a", "aaaaaaaa", "aaaaaaaaa", "aaaaaaaab", "\x7f", "\u0080", "é", "\ud7ff", "\U00010000", "\U0001f600", "\U0010ffff", "\ue000", "\uffff"}, stringMap)
	// The difference stands behind the eight bytes that are compared first.
	checkOrder(t, []string{"12345678", "12345678\U0001f600", "12345678\U0001f600a", "12345678\ue000", "1234567\U0001f600", "1234567\ue000"}, stringMap)
	checkOrder(t, []string{"k\U0001f600x", "k\U0001f601", "k\ue000", "k\uf8ff", "k\uffff"}, stringMap)
}

// TestDeterministicOrderRandom does it with many keys at random: other ways to sort are used
// for many.
func TestDeterministicOrderRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	letters := []rune{'a', 'b', 0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfffd, 0xffff, 0x10000, 0x1f600, 0x10ffff}
	for range 60 {
		n := 1 + r.IntN(80)
		strs, u32, i64 := map[string]bool{}, map[uint32]bool{}, map[int64]bool{}
		for range n {
			var b strings.Builder
			b.WriteString(strings.Repeat("p", r.IntN(10)))
			for range r.IntN(6) {
				b.WriteRune(letters[r.IntN(len(letters))])
			}
			strs[b.String()] = true
			u32[r.Uint32()>>r.IntN(32)] = true
			i64[int64(r.Uint64())>>r.IntN(64)] = true
		}
		checkOrder(t, sorted(strs), func(m *kinds.MapKeys, e map[string]string) { m.FString = e })
		checkOrder(t, sorted(u32), func(m *kinds.MapKeys, e map[uint32]string) { m.FUint32 = e })
		checkOrder(t, sorted(i64), func(m *kinds.MapKeys, e map[int64]string) { m.FSfixed64 = e })
	}
}

func sorted[K comparable](m map[K]bool) []K {
	var keys []K
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, compareJava[K])
	return keys
}

// TestFieldOrder checks that members of oneofs stand at their numbers.
func TestFieldOrder(t *testing.T) {
	m := &cases.All{S: "a", O: &cases.All_Od{Od: 1}, Opt: new(string), Hi: 1}
	m.ProtoReflect().SetUnknown([]byte{0x98, 0x03, 0x01})
	want := unhex(t, "0a0161 61000000000000f03f 6a00 f8ffffff0f01 980301")
	for codec, m := range bothCodecs(m) {
		if got, err := flinkser.Marshal(m); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %x (%v), want %x", codec, got, err, want)
		}
	}
}
