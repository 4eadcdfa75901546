package op

// All lists the operations in the order in which generated files have them.
var All = []Operation{Size, Append, Decode, Reuse, Clone, Schema}
