package java

import (
	"os"
	"path/filepath"
	"strings"
)

// Properties are the versions of what is measured, for the manifest of a run.
func (p *Project) Properties() map[string]string {
	all := map[string]string{
		"java.version":       p.tools.Version,
		"java.jvm.arguments": strings.Join(jvm, " "),
	}
	text, err := os.ReadFile(filepath.Join(p.dir, "classes", "versions.properties"))
	if err != nil {
		// The lanes themselves do not start without it.
		return all
	}
	for line := range strings.Lines(string(text)) {
		if library, version, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			if library == "protobuf" {
				library = "protobuf-java"
			}
			all[library+".version"] = version
		}
	}
	return all
}
