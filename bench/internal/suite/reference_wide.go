package suite

import (
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

func (w *wire) wide(v *Wide) {
	if v.F1 != nil {
		w.tag(1, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, *v.F1)
	}
	if v.F2 != nil {
		w.tag(2, protowire.Fixed64Type)
		w.b = protowire.AppendFixed64(w.b, uint64(*v.F2))
	}
	if v.F3 != nil {
		w.tag(3, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, uint64(*v.F3))
	}
	if v.F4 != nil {
		w.tag(4, protowire.Fixed32Type)
		w.b = protowire.AppendFixed32(w.b, uint32(*v.F4))
	}
	if v.F5 != nil {
		w.tag(5, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, uint64(*v.F5))
	}
	if v.F6 != nil {
		w.tag(6, protowire.Fixed64Type)
		w.b = protowire.AppendFixed64(w.b, *v.F6)
	}
	if v.F7 != nil {
		w.tag(7, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, uint64(int64(*v.F7)))
	}
	if v.F8 != nil {
		w.tag(8, protowire.Fixed32Type)
		w.b = protowire.AppendFixed32(w.b, *v.F8)
	}
	if v.F9 != nil {
		w.tag(9, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, uint64(*v.F9))
	}
	if v.F10 != nil {
		w.tag(10, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, protowire.EncodeBool(*v.F10))
	}
	if v.F11 != nil {
		w.tag(11, protowire.BytesType)
		w.b = protowire.AppendString(w.b, *v.F11)
	}
	if v.F12 != nil {
		w.tag(12, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, protowire.EncodeZigZag(*v.F12))
	}
	if v.F13 != nil {
		w.tag(13, protowire.Fixed64Type)
		w.b = protowire.AppendFixed64(w.b, math.Float64bits(*v.F13))
	}
	if v.F14 != nil {
		w.tag(14, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, protowire.EncodeZigZag(int64(*v.F14)))
	}
	if v.F15 != nil {
		w.tag(15, protowire.Fixed32Type)
		w.b = protowire.AppendFixed32(w.b, math.Float32bits(*v.F15))
	}
	if v.F16 != nil {
		w.tag(16, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, *v.F16)
	}
	if v.F17 != nil {
		w.tag(17, protowire.Fixed64Type)
		w.b = protowire.AppendFixed64(w.b, uint64(*v.F17))
	}
	if v.F18 != nil {
		w.tag(18, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, uint64(*v.F18))
	}
	if v.F19 != nil {
		w.tag(19, protowire.Fixed32Type)
		w.b = protowire.AppendFixed32(w.b, uint32(*v.F19))
	}
	if v.F20 != nil {
		w.tag(20, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, uint64(*v.F20))
	}
	if v.F21 != nil {
		w.tag(21, protowire.Fixed64Type)
		w.b = protowire.AppendFixed64(w.b, *v.F21)
	}
	if v.F22 != nil {
		w.tag(22, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, uint64(int64(*v.F22)))
	}
	if v.F23 != nil {
		w.tag(23, protowire.Fixed32Type)
		w.b = protowire.AppendFixed32(w.b, *v.F23)
	}
	if v.F24 != nil {
		w.tag(24, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, uint64(*v.F24))
	}
	if v.F25 != nil {
		w.tag(25, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, protowire.EncodeBool(*v.F25))
	}
	if v.F26 != nil {
		w.tag(26, protowire.BytesType)
		w.b = protowire.AppendString(w.b, *v.F26)
	}
	if v.F27 != nil {
		w.tag(27, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, protowire.EncodeZigZag(*v.F27))
	}
	if v.F28 != nil {
		w.tag(28, protowire.Fixed64Type)
		w.b = protowire.AppendFixed64(w.b, math.Float64bits(*v.F28))
	}
	if v.F29 != nil {
		w.tag(29, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, protowire.EncodeZigZag(int64(*v.F29)))
	}
	if v.F30 != nil {
		w.tag(30, protowire.Fixed32Type)
		w.b = protowire.AppendFixed32(w.b, math.Float32bits(*v.F30))
	}
	if v.F31 != nil {
		w.tag(31, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, *v.F31)
	}
	if v.F32 != nil {
		w.tag(32, protowire.Fixed64Type)
		w.b = protowire.AppendFixed64(w.b, uint64(*v.F32))
	}
	if v.F33 != nil {
		w.tag(33, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, uint64(*v.F33))
	}
	if v.F34 != nil {
		w.tag(34, protowire.Fixed32Type)
		w.b = protowire.AppendFixed32(w.b, uint32(*v.F34))
	}
	if v.F35 != nil {
		w.tag(35, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, uint64(*v.F35))
	}
	if v.F36 != nil {
		w.tag(36, protowire.Fixed64Type)
		w.b = protowire.AppendFixed64(w.b, *v.F36)
	}
	if v.F37 != nil {
		w.tag(37, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, uint64(int64(*v.F37)))
	}
	if v.F38 != nil {
		w.tag(38, protowire.Fixed32Type)
		w.b = protowire.AppendFixed32(w.b, *v.F38)
	}
	if v.F39 != nil {
		w.tag(39, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, uint64(*v.F39))
	}
	if v.F40 != nil {
		w.tag(40, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, protowire.EncodeBool(*v.F40))
	}
	if v.F41 != nil {
		w.tag(41, protowire.BytesType)
		w.b = protowire.AppendString(w.b, *v.F41)
	}
	if v.F42 != nil {
		w.tag(42, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, protowire.EncodeZigZag(*v.F42))
	}
	if v.F43 != nil {
		w.tag(43, protowire.Fixed64Type)
		w.b = protowire.AppendFixed64(w.b, math.Float64bits(*v.F43))
	}
	if v.F44 != nil {
		w.tag(44, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, protowire.EncodeZigZag(int64(*v.F44)))
	}
	if v.F45 != nil {
		w.tag(45, protowire.Fixed32Type)
		w.b = protowire.AppendFixed32(w.b, math.Float32bits(*v.F45))
	}
	if v.F46 != nil {
		w.tag(46, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, *v.F46)
	}
	if v.F47 != nil {
		w.tag(47, protowire.Fixed64Type)
		w.b = protowire.AppendFixed64(w.b, uint64(*v.F47))
	}
	if v.F48 != nil {
		w.tag(48, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, uint64(*v.F48))
	}
	if v.F49 != nil {
		w.tag(49, protowire.Fixed32Type)
		w.b = protowire.AppendFixed32(w.b, uint32(*v.F49))
	}
	if v.F50 != nil {
		w.tag(50, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, uint64(*v.F50))
	}
	if v.F51 != nil {
		w.tag(51, protowire.Fixed64Type)
		w.b = protowire.AppendFixed64(w.b, *v.F51)
	}
	if v.F52 != nil {
		w.tag(52, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, uint64(int64(*v.F52)))
	}
	if v.F53 != nil {
		w.tag(53, protowire.Fixed32Type)
		w.b = protowire.AppendFixed32(w.b, *v.F53)
	}
	if v.F54 != nil {
		w.tag(54, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, uint64(*v.F54))
	}
	if v.F55 != nil {
		w.tag(55, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, protowire.EncodeBool(*v.F55))
	}
	if v.F56 != nil {
		w.tag(56, protowire.BytesType)
		w.b = protowire.AppendString(w.b, *v.F56)
	}
	if v.F57 != nil {
		w.tag(57, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, protowire.EncodeZigZag(*v.F57))
	}
	if v.F58 != nil {
		w.tag(58, protowire.Fixed64Type)
		w.b = protowire.AppendFixed64(w.b, math.Float64bits(*v.F58))
	}
	if v.F59 != nil {
		w.tag(59, protowire.VarintType)
		w.b = protowire.AppendVarint(w.b, protowire.EncodeZigZag(int64(*v.F59)))
	}
	if v.F60 != nil {
		w.tag(60, protowire.Fixed32Type)
		w.b = protowire.AppendFixed32(w.b, math.Float32bits(*v.F60))
	}
}
