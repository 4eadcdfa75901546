package wire

import "encoding/binary"

// littleEndian says whether a number in memory has the byte order of the wire, so
// that fixed-width lists can be copied in one piece.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1
