#!/usr/bin/env bash
# conformance.sh runs the official conformance suite of protocol buffers against this project's
# codec, with the test messages in every form that protoc-gen-go gives them, and prints what
# succeeded. docs/conformance.md explains the table. It fails on anything that is not expected,
# fewer tests included.
#
# conformance.sh protos writes conformance/proto anew from the suite's package.
#
# CONFORMANCE_MIN and CONFORMANCE_TEXT_MIN are the least numbers of successes.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib.sh
export LC_ALL=C # the runner's log holds bytes of any kind
out=$PWD/.bin/conformance
CONFORMANCE_MIN=${CONFORMANCE_MIN:-5567}
CONFORMANCE_TEXT_MIN=${CONFORMANCE_TEXT_MIN:-867}

# protos writes the suite's .proto files to a folder, without the one option that protoc-gen-go
# refuses.
protos() {
  local from=$out/suite/include file
  (cd "$from" && find . -name '*.proto') | while read -r file; do
    mkdir -p "$(dirname "$1/$file")"
    grep -vE '^ *option message_set_wire_format = true;$' "$from/$file" > "$1/$file"
  done
}

# check_protos fails if the .proto files that the messages were generated from are not the suite's.
check_protos() {
  rm -rf "$out/proto"
  protos "$out/proto"
  diff -r -x LICENSE -x README.md "$out/proto" conformance/proto ||
    die "conformance/proto does not hold the suite's files: tools/conformance.sh protos writes them, make generate the code"
}

# build NAME FOLDER [FLAG...] builds a testee.
build() {
  local name=$1 folder=$2
  shift 2
  (cd conformance && go build -buildvcs=false "$@" -o "$out/$name" "./cmd/$folder")
}

# half NUMBER prints successes, skipped, expected and unexpected failures of the run in $dir: 1 is
# for binary and JSON, 2 for text.
half() {
  local numbers
  numbers=$(sed -nE 's/^CONFORMANCE SUITE [A-Z]+: ([0-9]+) successes, ([0-9]+) skipped, ([0-9]+) expected failures, ([0-9]+) unexpected failures.*/\1 \2 \3 \4/p' "$dir/log" | sed -n "$1p")
  echo "${numbers:-0 0 0 0}"
}

# payloads PATTERN prints how many payloads of the run in $dir are logged so.
payloads() { grep -c "^$1 " "$dir/payloads" || true; }

row() { printf '%-12s %-8s %8s %6s %8s %6s %12s %13s %12s %13s\n' "$@"; }

# suite BUILD EDITION TESTEE runs the suite, prints its row, and complains about what is wrong.
suite() {
  local name=$1 edition=$2 testee=$3 list=conformance/failures/text-$2.txt rc=0 listed
  local ok skipped known failed text_ok text_skipped text_known text_failed
  dir=$out/log/$name-$edition
  mkdir -p "$dir"
  : > "$dir/payloads"
  CONFORMANCE_LOG=$dir/payloads timeout 300 .bin/conformance_test_runner --output_dir "$dir" \
    --enforce_recommended --maximum_edition "$edition" --text_format_failure_list "$list" \
    "$testee" > "$dir/log" 2>&1 || rc=$?
  read -r ok skipped known failed <<< "$(half 1)"
  read -r text_ok text_skipped text_known text_failed <<< "$(half 2)"
  listed=$(grep -vc '^#' "$list")
  row "$name" "$edition" "$ok" "$failed" "$text_ok" "$((text_known + text_failed))" \
    "$(payloads 'read generated')" "$(payloads 'read protoreflect')" \
    "$(payloads 'write generated')" "$(payloads 'write protoreflect')"

  wrong=
  expect() { [ "$2" "$3" "$4" ] || wrong+="  $1: $2, want $3 $4"$'\n'; }
  expect "exit code of the runner" $rc -eq 0
  expect "binary and JSON, successes" "$ok" -ge "$CONFORMANCE_MIN"
  expect "binary and JSON, all others" $((skipped + known + failed)) -eq 0
  expect "text, successes" "$text_ok" -ge "$CONFORMANCE_TEXT_MIN"
  expect "text, failures that are listed" "$text_known" -eq "$listed"
  expect "text, all others" $((text_skipped + text_failed)) -eq 0
  expect "payloads logged" "$(payloads '.*')" -gt 0
  [ -n "$wrong" ] || return 0
  bad=1
  printf 'wrong with %s, edition %s; %s has it all:\n%s' "$name" "$edition" "$dir/log" "$wrong" >&2
  # What the runner says at the end, without each test's bytes.
  grep -avE '^(ERROR, test=|WARNING|SKIPPED|[IWEF][0-9]{4} )' "$dir/log" | tail -n 60 >&2 || true
}

say "the suite's runner"
tools/install.sh conformance_test_runner
if [ "${1:-}" = protos ]; then
  protos conformance/proto
  exit
fi
check_protos

say "testees"
build open open
build hybrid hybrid
build protoopaque hybrid -tags protoopaque
build opaque opaque

say "conformance suite"
rm -rf "$out/log"
bad=0
row '' maximum 'binary,' JSON text '' 'read by' 'read by' 'written by' 'written by'
row build edition ok failed ok failed generated protoreflect generated protoreflect
for name in open hybrid protoopaque opaque; do
  for edition in 2023 2024; do suite $name $edition "$out/$name"; done
done
CONFORMANCE_DYNAMIC=1
export CONFORMANCE_DYNAMIC
for edition in 2023 2024; do suite dynamic $edition "$out/open"; done
unset CONFORMANCE_DYNAMIC
# The reference shows that the failures in the text format are its own.
export CONFORMANCE_REFERENCE=1
for edition in 2023 2024; do suite protobuf-go $edition "$out/open"; done
[ $bad = 0 ] || die "the suite found something"
echo "as expected: nothing fails in the binary and JSON formats, and in text what google.golang.org/protobuf fails too"
