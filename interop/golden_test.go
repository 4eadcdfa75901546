package interop_test

// The golden packages with proto3 schemas, so that the registry has their messages.
import (
	_ "github.com/flinkser/flinkser/golden/cases"
	_ "github.com/flinkser/flinkser/golden/descriptors"
	_ "github.com/flinkser/flinkser/golden/empty"
	_ "github.com/flinkser/flinkser/golden/enums"
	_ "github.com/flinkser/flinkser/golden/external"
	_ "github.com/flinkser/flinkser/golden/imports"
	_ "github.com/flinkser/flinkser/golden/imports/unused"
	_ "github.com/flinkser/flinkser/golden/keyword"
	_ "github.com/flinkser/flinkser/golden/kinds"
	_ "github.com/flinkser/flinkser/golden/names"
	_ "github.com/flinkser/flinkser/golden/numbers"
	_ "github.com/flinkser/flinkser/golden/otel"
	_ "github.com/flinkser/flinkser/golden/recursive"
	_ "github.com/flinkser/flinkser/golden/suffix"
	_ "github.com/flinkser/flinkser/golden/wellknown"
	_ "github.com/flinkser/flinkser/golden/wide"
)
