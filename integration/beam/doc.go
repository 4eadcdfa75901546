// Package flinkserbeam brings flinkser's codec to pipelines of Apache Beam's Go SDK, which run on one machine with
// nothing installed (Prism), and unchanged on Apache Flink:
//
//	func main() {
//		flinkserbeam.MustRegister()
//		beam.Init()
//		p, s := beam.NewPipelineWithRoot()
//		orders, _ := source.Read(s, beam.CreateList(s, files), flinkserbeam.ReadOptions{})
//		...
//		_, err := flinkserbeam.Run(ctx, p, flinkserbeam.Prism{})
//	}
//
// Register makes the codec the coder of every message. Run refuses what Beam would accept and lose, sets
// what each engine needs, and cancels the job when the program is told to stop. Source, Sink and Fold
// are the parts that most pipelines of framed records need. docs/engines.md of the repository says which engine when.
//
// # Messages in pipelines
//
// A message may be an element, an element of a list, the value of a pair, and the content of a state. Refused, by Check and so by Run, with the
// name of the type, are: messages as keys, since equal messages may have different bytes; interface
// types, because their bytes do not say which message they are; structs and maps that hold a message, for which
// Beam has coders of its own that lose what they do not know; and, with flinkser.RequireGenerated,
// messages without generated code.
//
// A nil message becomes an empty one on its way from one stage to the next, as in any carrier of payloads. Within
// a fused stage it stays nil, so a pipeline must not tell the two apart.
//
// # State
//
// Flink sees bytes. It restores a savepoint whatever the schema is now, and a field that has become a sint64 is
// misread without an error. So Run keeps a file of schemas, compares before it submits anything, and returns a
// *SchemaError where the new code may not read the old state. See Schemas.
package flinkserbeam
