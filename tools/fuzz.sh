#!/usr/bin/env bash
# fuzz.sh DURATION runs every fuzz target of all modules in turn, each for an equal share of
# DURATION, and prints the number of inputs: per target, and then those of the targets that
# compare with google.golang.org/protobuf as "differential inputs: N". What it finds is
# written to testdata/fuzz of the package, and is part of its tests from then on.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib.sh
total=$(seconds "$1")
log=$(mktemp)
trap 'rm -f "$log"' EXIT

targets=()
for module in $MODULES; do
  # A package that holds a target is named on the line after its targets.
  names=()
  while read -r first second _; do
    case $first in
      Fuzz*) names+=("$first") ;;
      ok)
        for name in ${names[@]+"${names[@]}"}; do targets+=("$module $second $name"); done
        names=()
        ;;
    esac
  done < <(cd "$module" && grep -rl --include='*_test.go' '^func Fuzz' . | xargs -r -n1 dirname | sort -u |
    xargs -r go test -list '^Fuzz')
done
# Before Go 1.27, a target may fail because its time is over (https://go.dev/issue/75804). All that
# go test then prints below the name of the target is this one line. An input that fails, crashes or
# hangs is named and written to a file, with more lines than this.
only_the_deadline() {
  ! grep -aqE 'Failing input|testdata/fuzz|panic|terminated' "$log" &&
    [ "$(sed -n '/^--- FAIL/,/^FAIL$/p' "$log" | sed '1d;$d')" = "    context deadline exceeded" ]
}
[ ${#targets[@]} -gt 0 ] || die "no fuzz target found"
share=$((total / ${#targets[@]}))
[ $share -gt 0 ] || share=1

inputs=0
for target in "${targets[@]}"; do
  read -r module package name <<< "$target"
  say "$name in $package for ${share}s"
  for attempt in 1 2 3; do
    if (cd "$module" && go test -run '^$' -fuzz "^$name\$" -fuzztime "${share}s" "$package") > "$log" 2>&1; then break; fi
    if [ $attempt -eq 3 ] || ! only_the_deadline; then
      cat "$log"
      (cd "$module" && git status --short -- '*testdata/fuzz*')
      die "$name found something"
    fi
    say "$name has found nothing, but the end of its time was reported as a failure: once more"
  done
  # A cache of many inputs from earlier runs may take all of a short time; go clean -fuzzcache
  # empties it.
  grep -a 'execs:' "$log" | tail -1 || grep -a 'elapsed:' "$log" | tail -1 || echo "no input was tried"
  n=$(sed -n 's/.*execs: \([0-9]*\).*/\1/p' "$log" | tail -1)
  case $name in FuzzDifferential* | FuzzReflect*) inputs=$((inputs + ${n:-0})) ;; esac
done
echo "differential inputs: $inputs"
