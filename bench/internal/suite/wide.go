package suite

// Wide is the record of the workload wide: many fields that may be missing, few of which are set.
// The types repeat after 15 fields.
type Wide struct {
	F1  *uint64
	F2  *int64 // sfixed64
	F3  *uint32
	F4  *int32 // sfixed32
	F5  *int64
	F6  *uint64 // fixed64
	F7  *int32
	F8  *uint32 // fixed32
	F9  *int64
	F10 *bool
	F11 *string
	F12 *int64   // sint64
	F13 *float64 // double
	F14 *int32   // sint32
	F15 *float32 // float
	F16 *uint64
	F17 *int64 // sfixed64
	F18 *uint32
	F19 *int32 // sfixed32
	F20 *int64
	F21 *uint64 // fixed64
	F22 *int32
	F23 *uint32 // fixed32
	F24 *int64
	F25 *bool
	F26 *string
	F27 *int64   // sint64
	F28 *float64 // double
	F29 *int32   // sint32
	F30 *float32 // float
	F31 *uint64
	F32 *int64 // sfixed64
	F33 *uint32
	F34 *int32 // sfixed32
	F35 *int64
	F36 *uint64 // fixed64
	F37 *int32
	F38 *uint32 // fixed32
	F39 *int64
	F40 *bool
	F41 *string
	F42 *int64   // sint64
	F43 *float64 // double
	F44 *int32   // sint32
	F45 *float32 // float
	F46 *uint64
	F47 *int64 // sfixed64
	F48 *uint32
	F49 *int32 // sfixed32
	F50 *int64
	F51 *uint64 // fixed64
	F52 *int32
	F53 *uint32 // fixed32
	F54 *int64
	F55 *bool
	F56 *string
	F57 *int64   // sint64
	F58 *float64 // double
	F59 *int32   // sint32
	F60 *float32 // float
}
