package flinkserbolt

import (
	"encoding/binary"
	"hash/crc32"
)

// sealSize is what stands in front of a payload.
const sealSize = 8

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum covers the key, so that a value under another key is found out as well.
func checksum(key []byte, id uint32, payload []byte) uint32 {
	var b [8]byte
	binary.BigEndian.PutUint32(b[:], id)
	binary.BigEndian.PutUint32(b[4:], uint32(len(key)))
	sum := crc32.Update(0, castagnoli, b[:])
	sum = crc32.Update(sum, castagnoli, key)
	return crc32.Update(sum, castagnoli, payload)
}

// seal fills in the first bytes of a value, behind which the payload stands.
func seal(value, key []byte, id uint32) {
	binary.BigEndian.PutUint32(value, checksum(key, id, value[sealSize:]))
	binary.BigEndian.PutUint32(value[4:], id)
}

// unseal returns what a value holds. A nil value is a nested bucket, which nobody here has made.
func unseal(key, value []byte) (id uint32, payload []byte, err error) {
	if len(value) < sealSize {
		return 0, nil, ErrDamaged
	}
	id, payload = binary.BigEndian.Uint32(value[4:]), value[sealSize:]
	if binary.BigEndian.Uint32(value) != checksum(key, id, payload) {
		return 0, nil, ErrDamaged
	}
	return id, payload, nil
}

func idKey(id uint32) []byte { return binary.BigEndian.AppendUint32(nil, id) }
