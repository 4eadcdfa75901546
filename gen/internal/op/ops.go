package op

// All lists the operations in the order in which generated files have them.
var All = []Operation{Layout, Codec, Size, Append, Decode, Reuse, Required, Clone, Schema, Calls, JSONNames}
