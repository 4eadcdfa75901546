#!/usr/bin/env bash
# docs.sh looks up what the documentation tells a reader to run: every "make TARGET" is a
# target, every ./path given to go exists, and so does every file that a link names.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib.sh
say "commands and links in the documentation"
bad=0
complain() { echo "$*" >&2; bad=1; }

checked=0
for doc in $(git ls-files -co --exclude-standard -- '*.md' | grep -v testdata/); do
  for target in $(grep -oE '(`|^ *\$? *)make [a-z][a-z-]*' "$doc" | awk '{print $NF}' | sort -u); do
    checked=$((checked + 1))
    grep -qE "^$target:" Makefile || complain "$doc: make has no target $target"
  done
  for path in $(grep -oE '\bgo (run|test|build|vet|install) [^`]*' "$doc" | grep -oE '(^| )\./[A-Za-z0-9_./-]+' | sed 's|/\.\.\.$||' | sort -u); do
    checked=$((checked + 1))
    [ -e "$path" ] || [ -e "$(dirname "$doc")/$path" ] || [ -e "bench/$path" ] || complain "$doc: there is no $path"
  done
  # Outside of code, where Go has "](" too.
  for link in $(awk '/^ *```/ { code = !code; next } !code' "$doc" | sed 's/`[^`]*`//g' | grep -oE '\]\([^)# ]+' | cut -c3- | grep -v '^[a-z]*:' | sort -u); do
    checked=$((checked + 1))
    [ -e "$(dirname "$doc")/$link" ] || complain "$doc: a link leads to $link, which does not exist"
  done
done
[ $bad = 0 ] || exit 1
echo "$checked commands and links hold"
