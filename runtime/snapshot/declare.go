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
		return declareField(d)
	case protoreflect.EnumValueDescriptor:
		return fmt.Sprintf("%s = %d%s;", d.Name(), d.Number(), bracketed(optionTexts(d.Options())))
	case protoreflect.OneofDescriptor:
		return "oneof " + string(d.Name()) + bracketed(optionTexts(d.Options()))
	case protoreflect.MessageDescriptor:
		return "message " + string(d.Name()) + bracketed(optionTexts(d.Options()))
	case protoreflect.EnumDescriptor:
		return "enum " + string(d.Name()) + bracketed(optionTexts(d.Options()))
	default:
		return string(d.FullName())
	}
}

func declareField(f protoreflect.FieldDescriptor) string {
	var b strings.Builder
	oneof := realOneof(f)
	if oneof != nil {
		fmt.Fprintf(&b, "oneof %s { ", oneof.Name())
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
	fmt.Fprintf(&b, " %s = %d", f.Name(), f.Number())
	var options []string
	if f.HasDefault() {
		options = append(options, "default = "+defaultText(f))
	}
	if f.HasJSONName() && f.JSONName() != defaultJSONName(string(f.Name())) {
		options = append(options, "json_name = "+strconv.Quote(f.JSONName()))
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
		return string(f.Message().FullName())
	case protoreflect.GroupKind:
		return "group " + string(f.Message().FullName())
	case protoreflect.EnumKind:
		return string(f.Enum().FullName())
	default:
		return f.Kind().String()
	}
}

func defaultText(f protoreflect.FieldDescriptor) string {
	switch v := f.Default().Interface().(type) {
	case string:
		return strconv.Quote(v)
	case []byte:
		return strconv.Quote(string(v))
	case protoreflect.EnumNumber:
		if ev := f.DefaultEnumValue(); ev != nil {
			return string(ev.Name())
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

// maxOptionText cuts the text of a single option, which may be of any size.
const maxOptionText = 200

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
		if len(text) > maxOptionText {
			text = text[:maxOptionText] + "…"
		}
		texts = append(texts, strings.ToValidUTF8(text, "\uFFFD"))
	}
	var last protowire.Number
	for unknown := m.GetUnknown(); len(unknown) > 0; {
		number, _, n := protowire.ConsumeField(unknown)
		if n < 0 {
			break
		}
		unknown = unknown[n:]
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
			return string(ev.Name())
		}
		return fmt.Sprint(v)
	case string:
		return strconv.Quote(v)
	case []byte:
		return strconv.Quote(string(v))
	case protoreflect.Message:
		return "{ " + strings.Join(optionTexts(v.Interface()), ", ") + " }"
	case protoreflect.List:
		elements := make([]string, v.Len())
		for i := range elements {
			elements[i] = valueText(f, v.Get(i))
		}
		return "[" + strings.Join(elements, ", ") + "]"
	default:
		return fmt.Sprint(v)
	}
}
