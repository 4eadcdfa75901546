package snapshot

import (
	"strconv"
	"strings"
)

// A Code names a rule.
type Code string

// A Rule is one kind of difference and what the policies make of it. In Why and Do, the
// writer is the code that has written the bytes, the reader the code that reads them: old and
// new when state is restored, new and old when it is rolled back.
type Rule struct {
	Code Code
	// Change names the kind of difference.
	Change string
	// Strict and Wire are the levels under the two policies.
	Strict, Wire Level
	// Known says how the strict level is known.
	Known Known
	Basis Basis
	// Why and Do are sentences; {name} and {number} stand for those of the place. Do is for a restore; what
	// a finding of a rollback says may differ, since it is the old schema then that reads.
	Why, Do string
}

// Rules returns a copy of the table that Check works with.
func Rules() []Rule { return append([]Rule(nil), rules[:]...) }

// ruleID is the index of a rule in the table.
type ruleID int

const (
	uninitialized ruleID = iota
	kindChanged
	javaClassChanged
	rootRenamed
	renameHonoured
	maxMessageSizeLowered
	recursionLimitLowered
	limitRaised
	deterministicChanged
	setMetadataChanged
	fileChanged
	fileOptionsChanged
	syntaxChanged
	messageOptionsChanged
	messageSetChanged
	extensionRangeAdded
	extensionRangeDropped
	extensionRangeUsed
	reservationDropped
	declarationsReordered
	metadataChanged
	fieldAdded
	requiredFieldAdded
	reservedNumberUsed
	reservedNameUsed
	numberOfEarlierField
	fieldRemovedReserved
	fieldRemoved
	fieldRenumbered
	fieldRenamed
	fieldNumberReused
	fieldTypeChanged
	fieldWireTypeChanged
	fieldTypeUnlisted
	fieldTypeWidened
	enumToInteger
	integerToEnum
	stringToBytes
	bytesToString
	bytesToUncheckedString
	utf8CheckAdded
	utf8CheckDropped
	messageToBytes
	typeReplacedSameShape
	typeReplaced
	packedChanged
	presenceAdded
	presenceDropped
	requiredAdded
	requiredDropped
	fieldIntoNewOneof
	fieldIntoOneof
	fieldOutOfOneof
	oneofSplit
	oneofRenamed
	singularToRepeated
	implicitToRepeated
	repeatedToSingular
	mapToRepeated
	repeatedToMap
	defaultChanged
	defaultSpelled
	jsonNameChanged
	fieldOptionsChanged
	enumValueAdded
	enumAliasAdded
	enumAliasRemoved
	enumValueRemoved
	closedEnumValueRemoved
	enumValueRenamed
	enumValueRenumbered
	enumOptionsChanged
	enumFirstValueChanged
	enumOpened
	enumClosed
	tooManyReplacedTypes
	ruleCount
)

// rules is the table. A difference that breaks the wire policy breaks the strict one too; a
// test holds the table to it.
var rules = [ruleCount]Rule{
	uninitialized: {
		"UNINITIALIZED", "no snapshot: nil, or one that no function of this package made", Break, Break, Tested, Configuration,
		"There is nothing to compare.",
		"Read or make the snapshot first, and look at the error.",
	},
	kindChanged: {
		"KIND_CHANGED", "generated against dynamic messages", Break, Break, Tested, Configuration,
		"The two are stored by different serializers, with snapshots of different forms.",
		"Restore with the kind of messages that were stored.",
	},
	javaClassChanged: {
		"JAVA_CLASS_CHANGED", "Java class name changed", Break, Note, Tested, Configuration,
		"Flink finds the serializer's class by the saved binary name; the bytes of messages do not hold it.",
		"Keep java_package, java_outer_classname and java_multiple_files, or name the class explicitly.",
	},
	rootRenamed: {
		"ROOT_RENAMED", "root message has another full name, without a rename entry", Break, Break, Tested, Configuration,
		"The state is declared to hold another message.",
		"Name the message that the state holds, or say that it was renamed.",
	},
	renameHonoured: {
		"RENAME_HONOURED", "type renamed as the rename map says", Note, Note, Inferred, Configuration,
		"Names of types are not in the bytes, and the rename was asked for.",
		"",
	},
	maxMessageSizeLowered: {
		"MAX_MESSAGE_SIZE_LOWERED", "maximum message size lowered", Break, Break, Tested, Configuration,
		"A record that the writer's limit allows may be over the reader's.",
		"Keep the limit, or raise it.",
	},
	recursionLimitLowered: {
		"RECURSION_LIMIT_LOWERED", "recursion limit lowered", Break, Break, Tested, Configuration,
		"A record that the writer's limit allows may be deeper than the reader's.",
		"Keep the limit, or raise it.",
	},
	limitRaised: {
		"LIMIT_RAISED", "limit raised", None, None, Tested, Configuration,
		"Everything that was written is within the new limit.", "",
	},
	deterministicChanged: {
		"DETERMINISTIC_CHANGED", "deterministic writing switched on or off", None, None, Tested, Configuration,
		"Order of map entries does not matter to a reader.", "",
	},
	setMetadataChanged: {
		"SET_METADATA_CHANGED", "unknown fields beside the files of the descriptor set changed", Break, Note, Tested, Configuration,
		"They may say something that this version does not know.",
		"Make both snapshots with the same tools.",
	},
	fileChanged: {
		"FILE_CHANGED", "file of a used type renamed, or type moved to another file", Break, None, Inferred, Configuration,
		"File names are not in the bytes; the Java library's rule for it is not known, so the strict policy refuses.",
		"Keep the type in its file, or use the wire policy.",
	},
	fileOptionsChanged: {
		"FILE_OPTIONS_CHANGED", "option of a file with used types changed", Break, None, Inferred, Configuration,
		"Options are not in the bytes; the Java library's rule for it is not known, so the strict policy refuses.",
		"Keep the options of the file, or use the wire policy.",
	},
	syntaxChanged: {
		"SYNTAX_CHANGED", "syntax or edition of a file with used types changed", Break, Note, Inferred, Configuration,
		"What the syntax changes for a field is reported at that field.",
		"Keep the syntax of files whose messages are stored, or use the wire policy.",
	},
	messageOptionsChanged: {
		"MESSAGE_OPTIONS_CHANGED", "option of a message or oneof changed", Break, None, Inferred, Configuration,
		"Options are not in the bytes; the Java library's rule for it is not known, so the strict policy refuses.",
		"Keep the options, or use the wire policy.",
	},
	messageSetChanged: {
		"MESSAGE_SET_CHANGED", "message_set_wire_format switched on or off", Break, Break, Inferred, Bytes,
		"Extensions of a message set are written in a form of their own, which other messages keep as unknown fields.",
		"Keep message_set_wire_format as it was.",
	},
	extensionRangeAdded: {
		"EXTENSION_RANGE_ADDED", "extension range or nested extension added or changed", Break, Note, Tested, Configuration,
		"Stored unknown fields of these numbers may become extensions. The Java library does not take messages with extension ranges.",
		"Use numbers that no earlier schema has used.",
	},
	extensionRangeDropped: {
		"EXTENSION_RANGE_DROPPED", "extension range dropped or narrowed", Break, Warning, Inferred, Configuration,
		"Stored extensions stay in the message as unknown fields.",
		"Keep the range, or reserve its numbers.",
	},
	extensionRangeUsed: {
		"EXTENSION_RANGE_USED", "field has a number of an extension range", Break, Break, Tested, Bytes,
		"What the writer stores as an extension is read as the field.",
		"Give the field a number outside of the extension range.",
	},
	reservationDropped: {
		"RESERVATION_DROPPED", "reserved number or name no longer reserved", Break, Warning, Inferred, History,
		"Records of an earlier schema may hold that number, and nothing keeps a later field from using it.",
		"Reserve it again.",
	},
	declarationsReordered: {
		"DECLARATIONS_REORDERED", "fields or enum values declared in another order", Break, None, Inferred, Configuration,
		"The order is not in the bytes; the Java library's rule for it is not known, so the strict policy refuses.",
		"Keep the order of what was there, or use the wire policy.",
	},
	metadataChanged: {
		"METADATA_CHANGED", "part of a declaration changed that this version does not know", Break, Note, Tested, Configuration,
		"Unknown parts of a descriptor may change what the bytes mean.",
		"Make both snapshots with the same tools.",
	},
	fieldAdded: {
		"FIELD_ADDED", "field added", Note, Note, Published, History,
		"Stored records lack it. Bytes that an earlier schema left as an unknown field {number} would become this field.",
		"Never use a number that any earlier schema has used.",
	},
	requiredFieldAdded: {
		"REQUIRED_FIELD_ADDED", "required field added", Break, Break, Tested, Bytes,
		"Records of the writer lack it, so the reader takes none of them.",
		"Make it optional.",
	},
	reservedNumberUsed: {
		"RESERVED_NUMBER_USED", "number used that was reserved", Break, Break, Tested, History,
		"The number was reserved since an earlier schema used it; what that one has stored is read as {name} now.",
		"Use another number for {name} and keep {number} reserved.",
	},
	reservedNameUsed: {
		"RESERVED_NAME_USED", "name used that was reserved", Break, Warning, Inferred, History,
		"Names are not in the bytes, but text and JSON of an earlier schema have the name for something else.",
		"Use another name and keep \"{name}\" reserved.",
	},
	numberOfEarlierField: {
		"NUMBER_OF_EARLIER_FIELD", "number of a field that an earlier schema had under another name, and another schema had not", Break, Break, Tested, History,
		"Records of that schema still hold the number, kept as an unknown field in between; they are read as {name} now.",
		"Use another number for {name} and reserve {number}.",
	},
	fieldRemovedReserved: {
		"FIELD_REMOVED_RESERVED", "field removed, its number reserved", Note, Note, Published, Bytes,
		"Stored values stay in the message as unknown fields.",
		"Reserve the name too, so that no later field takes it: `reserved \"{name}\";`.",
	},
	fieldRemoved: {
		"FIELD_REMOVED", "field removed, its number not reserved", Break, Warning, Published, History,
		"Stored values stay as unknown fields, and a later field may take the number and read them as something else.",
		"Add `reserved {number}; reserved \"{name}\";`.",
	},
	fieldRenumbered: {
		"FIELD_RENUMBERED", "field has another number", Break, Break, Published, Bytes,
		"Values stored under the one number are not found under the other.",
		"Give {name} its number {number} back.",
	},
	fieldRenamed: {
		"FIELD_RENAMED", "field renamed", Break, Warning, Inferred, Configuration,
		"The value reads right, but nothing tells a rename from another use of the number.",
		"Keep the name, or use the wire policy if it was a rename only.",
	},
	fieldNumberReused: {
		"FIELD_NUMBER_REUSED", "number used by another field of another type", Break, Break, Tested, Bytes,
		"Stored values are of another type: they fail, read as something else, or are no longer found.",
		"Give the new field a new number, and add `reserved {number}; reserved \"{name}\";`.",
	},
	fieldTypeChanged: {
		"FIELD_TYPE_CHANGED", "type changed to one that reads the same bytes as other values, or fails on them", Break, Break, Published, Bytes,
		"Some stored values read as others, or fail.",
		"Keep the type; add a field with a new number for the new type.",
	},
	fieldWireTypeChanged: {
		"FIELD_WIRE_TYPE_CHANGED", "type changed to one of another wire type", Break, Break, Tested, Bytes,
		"Stored values become unknown fields: they are no longer found.",
		"Keep the type; add a field with a new number for the new type.",
	},
	fieldTypeUnlisted: {
		"FIELD_TYPE_UNLISTED", "type changed between types whose values may agree, but are of another nature", Break, Break, Tested, Configuration,
		"The bytes are read, but as values of another nature, which the policy does not accept.",
		"Keep the type; add a field with a new number for the new type.",
	},
	fieldTypeWidened: {
		"FIELD_TYPE_WIDENED", "integer type widened so that every written value reads equal", Break, Note, Published, Bytes,
		"Every value that the writer can write reads equal. The other way round, large ones are cut.",
		"Keep it as it was, or use the wire policy.",
	},
	enumToInteger: {
		"ENUM_TO_INTEGER", "enum to int32 or int64", Break, Warning, Tested, Bytes,
		"Every number reads equal; its name is lost.",
		"Keep the enum type where names matter.",
	},
	integerToEnum: {
		"INTEGER_TO_ENUM", "int32 to an open enum", Break, Warning, Tested, Bytes,
		"Every number reads equal, also those without a name.",
		"Check that all stored numbers have a name.",
	},
	stringToBytes: {
		"STRING_TO_BYTES", "string to bytes", Break, Note, Tested, Bytes,
		"Every string is read as the same bytes.",
		"Keep it as it was, or use the wire policy.",
	},
	bytesToString: {
		"BYTES_TO_STRING", "bytes to a string that is checked for UTF-8", Break, Break, Tested, Bytes,
		"Stored bytes need not be UTF-8; the reader refuses others.",
		"Keep bytes.",
	},
	bytesToUncheckedString: {
		"BYTES_TO_UNCHECKED_STRING", "bytes to a string that is not checked for UTF-8", Break, Break, Tested, Configuration,
		"Stored bytes need not be UTF-8; other runtimes replace what is not.",
		"Keep bytes.",
	},
	utf8CheckAdded: {
		"UTF8_CHECK_ADDED", "string is checked for UTF-8 and was not", Break, Break, Inferred, Bytes,
		"Strings may have been stored that are not UTF-8; the reader refuses them.",
		"Keep the string unchecked, or make the field bytes.",
	},
	utf8CheckDropped: {
		"UTF8_CHECK_DROPPED", "string is no longer checked for UTF-8", Break, Note, Inferred, Bytes,
		"Every stored string reads equal.",
		"Keep it as it was, or use the wire policy.",
	},
	messageToBytes: {
		"MESSAGE_TO_BYTES", "message to bytes", Break, Warning, Tested, Bytes,
		"The field holds the encoded message.",
		"Check that code which used the message parses the bytes.",
	},
	typeReplacedSameShape: {
		"TYPE_RENAMED", "message or enum type with another name and the same or more fields", Break, Warning, Tested, Configuration,
		"The fields agree, so all values read equal.",
		"Say that the type was renamed, if it was.",
	},
	typeReplaced: {
		"TYPE_REPLACED", "message or enum type replaced by one of another shape", Break, Break, Tested, Configuration,
		"The new type does not have all that the old one had.",
		"Keep the type; add a field with a new number for the new type.",
	},
	packedChanged: {
		"PACKED_CHANGED", "packed switched on or off", Break, Note, Inferred, Bytes,
		"Readers take both forms.",
		"Keep it as it was, or use the wire policy.",
	},
	presenceAdded: {
		"PRESENCE_ADDED", "implicit to explicit presence", Break, Note, Inferred, Bytes,
		"Stored values read equal. The other way round, a zero that is present is lost.",
		"Keep it as it was, or use the wire policy.",
	},
	presenceDropped: {
		"PRESENCE_DROPPED", "explicit presence or oneof member to implicit presence", Break, Break, Inferred, Bytes,
		"A zero that is present is lost when the message is written again.",
		"Keep explicit presence (optional).",
	},
	requiredAdded: {
		"REQUIRED_ADDED", "optional to required", Break, Break, Tested, Bytes,
		"Stored messages may lack the field; the reader refuses them.",
		"Keep it optional.",
	},
	requiredDropped: {
		"REQUIRED_DROPPED", "required to optional", Break, Note, Inferred, Bytes,
		"Every stored message has the field. The other way round, messages without it are refused.",
		"Keep it as it was, or use the wire policy.",
	},
	fieldIntoNewOneof: {
		"FIELD_INTO_NEW_ONEOF", "one field into a oneof of its own", Break, Note, Tested, Bytes,
		"No stored message holds another member.",
		"Keep it as it was, or use the wire policy.",
	},
	fieldIntoOneof: {
		"FIELD_INTO_ONEOF", "field into a oneof with another field that messages may hold beside it", Break, Break, Tested, Bytes,
		"A stored message may hold both, and the reader keeps only the last.",
		"Keep the field out of the oneof.",
	},
	fieldOutOfOneof: {
		"FIELD_OUT_OF_ONEOF", "member of a oneof becomes a field outside", Break, Note, Inferred, Bytes,
		"Stored values read equal. The other way round, only one of several is kept.",
		"Keep it as it was, or use the wire policy.",
	},
	oneofSplit: {
		"ONEOF_SPLIT", "members of one oneof become members of several", Break, Note, Inferred, Bytes,
		"A stored message holds one of them at most. The other way round, only one of several is kept.",
		"Keep it as it was, or use the wire policy.",
	},
	oneofRenamed: {
		"ONEOF_RENAMED", "oneof renamed", Break, Note, Inferred, Configuration,
		"Names of oneofs are not in the bytes; the Java library's rule for it is not known, so the strict policy refuses.",
		"Keep the name, or use the wire policy.",
	},
	singularToRepeated: {
		"SINGULAR_TO_REPEATED", "singular field with explicit presence to repeated", Break, Note, Tested, Bytes,
		"A stored value is read as a list of one. The other way round, only the last is kept.",
		"Keep it as it was, or use the wire policy.",
	},
	implicitToRepeated: {
		"IMPLICIT_TO_REPEATED", "singular field with implicit presence to repeated", Break, Warning, Tested, Bytes,
		"A stored value is read as a list of one, but a zero was not written: it becomes an empty list.",
		"Check that an empty list is read as zero.",
	},
	repeatedToSingular: {
		"REPEATED_TO_SINGULAR", "repeated to singular", Break, Break, Tested, Bytes,
		"Of several values only the last is kept, messages are merged, packed values are not found.",
		"Keep it repeated.",
	},
	mapToRepeated: {
		"MAP_TO_REPEATED", "map to a repeated message with the fields of an entry", Break, Warning, Tested, Bytes,
		"Every entry is read as an element, in no particular order.",
		"Check that code does not rely on an order, or on keys that differ.",
	},
	repeatedToMap: {
		"REPEATED_TO_MAP", "repeated message to map", Break, Break, Tested, Bytes,
		"Of elements with equal keys only the last is kept.",
		"Keep the list.",
	},
	defaultChanged: {
		"DEFAULT_CHANGED", "default of a field or first value of its closed enum changed", Break, Break, Inferred, Bytes,
		"Where the field is absent, code gets another value.",
		"Keep the default.",
	},
	defaultSpelled: {
		"DEFAULT_SPELLED", "default written out that is the same as without, or no longer", Break, None, Inferred, Configuration,
		"Absent fields have the same value; the Java library's rule for it is not known, so the strict policy refuses.",
		"Keep the default as it was written, or use the wire policy.",
	},
	jsonNameChanged: {
		"JSON_NAME_CHANGED", "json_name changed", Break, None, Inferred, Configuration,
		"JSON names are not in the bytes; the Java library's rule for it is not known, so the strict policy refuses.",
		"Keep json_name, or use the wire policy.",
	},
	fieldOptionsChanged: {
		"FIELD_OPTIONS_CHANGED", "other option of a field changed, such as deprecated", Break, None, Inferred, Configuration,
		"Options are not in the bytes; the Java library's rule for it is not known, so the strict policy refuses.",
		"Keep the options of the field, or use the wire policy.",
	},
	enumValueAdded: {
		"ENUM_VALUE_ADDED", "enum value added", Note, Note, Published, History,
		"Stored records of the writer lack it. Unknown numbers {number} of an earlier schema would become this value.",
		"",
	},
	enumAliasAdded: {
		"ENUM_ALIAS_ADDED", "second name for an enum number", Break, Note, Inferred, Configuration,
		"Numbers read equal; which name a program shows may change.",
		"Keep it as it was, or use the wire policy.",
	},
	enumAliasRemoved: {
		"ENUM_ALIAS_REMOVED", "one of several names of an enum number removed", Break, Note, Inferred, Configuration,
		"Numbers read equal; which name a program shows may change.",
		"Keep it as it was, or use the wire policy.",
	},
	enumValueRemoved: {
		"ENUM_VALUE_REMOVED", "value of an open enum removed", Break, Warning, Published, History,
		"The number reads equal, without a name, and a later value may take it.",
		"Keep the value, or add `reserved {number}; reserved \"{name}\";`.",
	},
	closedEnumValueRemoved: {
		"CLOSED_ENUM_VALUE_REMOVED", "value of a closed enum removed", Break, Break, Published, Configuration,
		"Runtimes other than protobuf-go move numbers that a closed enum lacks out of the field.",
		"Keep the value.",
	},
	enumValueRenamed: {
		"ENUM_VALUE_RENAMED", "enum value renamed", Break, Warning, Inferred, Configuration,
		"The number reads equal, but nothing tells a rename from another use of the number.",
		"Keep the name, or use the wire policy if it was a rename only.",
	},
	enumValueRenumbered: {
		"ENUM_VALUE_RENUMBERED", "enum value has another number", Break, Warning, Inferred, Configuration,
		"Stored numbers read equal, so they no longer have the name that they were written with.",
		"Give {name} its number {number} back.",
	},
	enumOptionsChanged: {
		"ENUM_OPTIONS_CHANGED", "option of an enum or enum value changed", Break, None, Inferred, Configuration,
		"Options are not in the bytes; the Java library's rule for it is not known, so the strict policy refuses.",
		"Keep the options, or use the wire policy.",
	},
	enumFirstValueChanged: {
		"ENUM_FIRST_VALUE_CHANGED", "first value of an enum changed", Break, None, Inferred, Configuration,
		"The first value is the default; where that matters to a field it is reported there.",
		"Keep the first value.",
	},
	enumOpened: {
		"ENUM_OPENED", "closed enum opened", Break, Note, Inferred, Bytes,
		"Every stored number reads equal.",
		"Keep it as it was, or use the wire policy.",
	},
	enumClosed: {
		"ENUM_CLOSED", "open enum closed", Break, Break, Inferred, Configuration,
		"Runtimes other than protobuf-go move numbers that a closed enum lacks out of the field.",
		"Keep the enum open.",
	},
	tooManyReplacedTypes: {
		"TOO_MANY_REPLACED_TYPES", "more pairs of types with different names than a check compares", Break, Break, Inferred, Configuration,
		"The comparison was ended here, so nothing can be promised.",
		"Say which types were renamed.",
	},
}

// keepOld is what to do about what stands in the way of a rollback only.
const keepOld = "Keep it as the old schema has it for as long as old code may have to read this state."

// rollbackDo has what to do where the advice for a restore would be wrong for a rollback.
var rollbackDo = map[ruleID]string{
	maxMessageSizeLowered:  keepOld,
	recursionLimitLowered:  keepOld,
	extensionRangeAdded:    keepOld,
	extensionRangeDropped:  keepOld,
	extensionRangeUsed:     keepOld,
	fieldAdded:             "",
	requiredFieldAdded:     keepOld,
	enumToInteger:          keepOld,
	bytesToString:          keepOld,
	bytesToUncheckedString: keepOld,
	utf8CheckAdded:         keepOld,
	presenceDropped:        keepOld,
	requiredAdded:          keepOld,
	fieldIntoOneof:         keepOld,
	repeatedToSingular:     keepOld,
	repeatedToMap:          keepOld,
	closedEnumValueRemoved: keepOld,
	enumClosed:             keepOld,
}

// do returns what to do about a finding of a rule.
func (id ruleID) do(rollback bool) string {
	if do, ok := rollbackDo[id]; ok && rollback {
		return do
	}
	return rules[id].Do
}

// level returns the level of a rule under a policy.
func (p Policy) level(id ruleID) Level {
	if p == Wire {
		return rules[id].Wire
	}
	return rules[id].Strict
}

// basis returns what makes a finding of a rule true. What breaks a policy although the bytes
// survive is a matter of that policy.
func (p Policy) basis(id ruleID) Basis {
	r := &rules[id]
	if p == Strict && r.Basis == Bytes && r.Strict == Break && r.Wire != Break {
		return Configuration
	}
	return r.Basis
}

// fill puts name and number of a place into a sentence.
func fill(sentence, name string, number int32) string {
	name = shortName(name)
	if !strings.Contains(sentence, "{") {
		return sentence
	}
	return strings.ReplaceAll(strings.ReplaceAll(sentence, "{number}", strconv.Itoa(int(number))), "{name}", name)
}
