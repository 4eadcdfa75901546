package snapshot

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// declare returns a declaration as .proto text on one line, and nothing for nil. Messages,
// enums and oneofs come as their first words.
func declare(d protoreflect.Descriptor) string {
	switch d := d.(type) {
	case nil:
		return ""
	case protoreflect.FieldDescriptor:
		return declareField(d, false)
	case protoreflect.EnumValueDescriptor:
		return fmt.Sprintf("%s = %d%s;", shortName(string(d.Name())), d.Number(), bracketed(optionTexts(d.Options())))
	case protoreflect.OneofDescriptor:
		return "oneof " + shortName(string(d.Name())) + bracketed(optionTexts(d.Options()))
	case protoreflect.MessageDescriptor:
		return "message " + shortName(string(d.Name())) + bracketed(optionTexts(d.Options()))
	case protoreflect.EnumDescriptor:
		return "enum " + shortName(string(d.Name())) + bracketed(optionTexts(d.Options()))
	default:
		return shortName(string(d.FullName()))
	}
}

// declareField is declare for a field. A json_name that is the default one is left out unless jsonName says that
// it is what the declaration is shown for.
func declareField(f protoreflect.FieldDescriptor, jsonName bool) string {
	var b strings.Builder
	oneof := realOneof(f)
	if oneof != nil {
		fmt.Fprintf(&b, "oneof %s { ", shortName(string(oneof.Name())))
	}
	switch {
	case f.IsMap():
		fmt.Fprintf(&b, "map<%s, %s>", typeName(f.MapKey()), typeName(f.MapValue()))
	case f.Cardinality() == protoreflect.Repeated:
		b.WriteString("repeated " + typeName(f))
	case f.Cardinality() == protoreflect.Required:
		b.WriteString("required " + typeName(f))
	case f.HasOptionalKeyword():
		b.WriteString("optional " + typeName(f))
	default:
		b.WriteString(typeName(f))
	}
	fmt.Fprintf(&b, " %s = %d", shortName(string(f.Name())), f.Number())
	var options []string
	if f.HasDefault() {
		options = append(options, "default = "+defaultText(f))
	}
	if f.HasJSONName() && (jsonName || f.JSONName() != defaultJSONName(string(f.Name()))) {
		options = append(options, "json_name = "+quoted(f.JSONName()))
	}
	b.WriteString(bracketed(append(options, optionTexts(f.Options())...)))
	b.WriteByte(';')
	if oneof != nil {
		b.WriteString(" }")
	}
	return b.String()
}

func typeName(f protoreflect.FieldDescriptor) string {
	switch f.Kind() {
	case protoreflect.MessageKind:
		return shortName(string(f.Message().FullName()))
	case protoreflect.GroupKind:
		return "group " + shortName(string(f.Message().FullName()))
	case protoreflect.EnumKind:
		return shortName(string(f.Enum().FullName()))
	default:
		return f.Kind().String()
	}
}

func defaultText(f protoreflect.FieldDescriptor) string {
	switch v := f.Default().Interface().(type) {
	case string:
		return quoted(v)
	case []byte:
		return quoted(string(v[:min(len(v), maxOptionText+1)]))
	case protoreflect.EnumNumber:
		if ev := f.DefaultEnumValue(); ev != nil {
			return shortName(string(ev.Name()))
		}
		return fmt.Sprint(v)
	default:
		return fmt.Sprint(v)
	}
}

func bracketed(options []string) string {
	if len(options) == 0 {
		return ""
	}
	return " [" + strings.Join(options, ", ") + "]"
}

// optionsText returns options as one text.
func optionsText(options proto.Message) string {
	return strings.TrimSpace(bracketed(optionTexts(options)))
}

// What a text has at most of an option, of options, and of a name: declarations may be of any size, and one may be part
// of many findings. The names and options of real ones are shorter.
const (
	maxOptionText = 200
	maxOptions    = 50
	maxNameText   = 500
)

// cut returns the beginning of a text that is longer than n bytes.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "\uFFFD") + "…"
}

func shortName(name string) string { return cut(name, maxNameText) }

func quoted(text string) string {
	if len(text) > maxOptionText {
		return strconv.Quote(text[:maxOptionText]) + "…"
	}
	return strconv.Quote(text)
}

// optionTexts returns options as they stand in brackets, by number. Of those that the
// descriptors do not explain there is only the number.
func optionTexts(options proto.Message) []string {
	if options == nil || !options.ProtoReflect().IsValid() {
		return nil
	}
	var texts []string
	m := options.ProtoReflect()
	var fields []protoreflect.FieldDescriptor
	m.Range(func(f protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		fields = append(fields, f)
		return true
	})
	slices.SortFunc(fields, func(a, b protoreflect.FieldDescriptor) int { return cmp.Compare(a.Number(), b.Number()) })
	for _, f := range fields {
		text := string(f.Name()) + " = " + valueText(f, m.Get(f))
		texts = append(texts, strings.ToValidUTF8(cut(text, maxOptionText), "\uFFFD"))
	}
	var last protowire.Number
	for unknown := m.GetUnknown(); len(unknown) > 0; {
		number, _, n := protowire.ConsumeField(unknown)
		if n < 0 {
			break
		}
		unknown = unknown[n:]
		if number != last && len(texts) >= maxOptions {
			return append(texts, "…")
		}
		if number != last {
			texts = append(texts, fmt.Sprintf("(option %d)", number))
		}
		last = number
	}
	return texts
}

func valueText(f protoreflect.FieldDescriptor, v protoreflect.Value) string {
	switch v := v.Interface().(type) {
	case protoreflect.EnumNumber:
		if ev := f.Enum().Values().ByNumber(v); ev != nil {
			return shortName(string(ev.Name()))
		}
		return fmt.Sprint(v)
	case string:
		return quoted(v)
	case []byte:
		return quoted(string(v[:min(len(v), maxOptionText+1)]))
	case protoreflect.Message:
		return "{ " + strings.Join(optionTexts(v.Interface()), ", ") + " }"
	case protoreflect.List:
		elements := make([]string, min(v.Len(), maxOptions))
		for i := range elements {
			elements[i] = valueText(f, v.Get(i))
		}
		return "[" + strings.Join(elements, ", ") + "]"
	default:
		return fmt.Sprint(v)
	}
}
