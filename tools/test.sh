#!/usr/bin/env bash
# test.sh runs the tests of all modules, those of generated code once more with the build tag
# protoopaque, the packages in which concurrency or memory matters with the race detector, and
# then some promises by name. Flags for "go test" are taken from TESTFLAGS.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib.sh

for module in $MODULES; do
  say "go test ./... in $module"
  (cd "$module" && go test ${TESTFLAGS:-} ./...)
done

say "message sets, and extensions that the reference reads lazily: the tag protolegacy"
go test -tags protolegacy ${TESTFLAGS:-} ./runtime/wire
go test -tags protolegacy ${TESTFLAGS:-} -run 'TestTrap|TestWire|TestDifferential$|TestLimits|TestEveryFile|MessageSet' ./gen ./golden

say "the second form of hybrid messages: the tag protoopaque"
go test -tags protoopaque ${TESTFLAGS:-} ./golden/...

say "race detector"
# It needs cgo and a C compiler.
if [ "$(go env CGO_ENABLED)" = 1 ] && command -v "$(go env CC)" > /dev/null; then
  # What is left out runs on one goroutine, and for minutes with the detector.
  FLINKSER_DIFF_TIME=5s go test -race ${TESTFLAGS:-} -skip '^(TestReadBranches|TestWriteBranches|TestCommonTypes|TestPrefixes|TestJavaLiterals|TestProtocDescriptors)$' ./runtime/... ./golden
  go test -race -tags protoopaque ${TESTFLAGS:-} -run '^(TestPresence|TestLazyReadByMany)$' ./golden
  (cd integration/bbolt && go test -race ${TESTFLAGS:-} ./...)
  (cd integration/beam && go test -race ${TESTFLAGS:-} . && go test -race ${TESTFLAGS:-} -run '^TestPrism$' ./example/totals)
else
  echo "left out: it needs cgo and a C compiler, and one of them is not here"
fi

say "promises, by name"
tools/named.sh '^TestForeignError' ./gen
tools/named.sh '^TestKnown' ./gen
tools/named.sh '^TestRequireGenerated' ./gen ./runtime
tools/named.sh -n 2 '^(TestLayoutGuards|TestAPILevels)$' ./gen
tools/named.sh -n 2 '^(TestPresence|TestLazyReadByMany)$' ./golden
tools/named.sh -n 3 '^(TestCommonTypes|TestReadBranches|TestWriteBranches)$' ./golden
tools/named.sh -C golden/published -n 4 '^(TestDifferential|TestEveryMessage|TestRequireGenerated|TestCalls)$' .
tools/named.sh -C golden/peers '^TestGeneratorsSideBySide$' .
tools/named.sh -C integration/beam -n 11 '^(TestTrap.*|TestRefusals)$' .
tools/named.sh -C integration/bbolt -n 3 '^(TestCrash|TestMigrateWithWriters|TestDamagedRecords)$' .
