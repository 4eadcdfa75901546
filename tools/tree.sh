#!/usr/bin/env bash
# tree.sh checks rules of the tree that no compiler checks.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib.sh
say "rules of the tree"
bad=0
complain() { echo "$*" >&2; bad=1; }

[ -z "$(git ls-files -- go.work '*/go.work')" ] || complain "a go.work is committed: it would hide a broken replace line"
if grep -q '^replace' go.mod; then
  complain "go.mod has a replace line: go install cmd/...@version would refuse the module"
fi
for module in $MODULES; do
  [ "$module" = . ] && continue
  case $(sed -n 's/^module //p' "$module/go.mod") in
    "github.com/flinkser/flinkser/$module") ;;
    *) complain "$module/go.mod: the module's path does not end in its folder" ;;
  esac
done
# Tests must run for everybody: nothing outside the checkout is named.
if git grep --untracked -nIE '(^|[^[:alnum:]_./-])/(work|root|home|Users)/[[:alnum:]]' -- . ':!LICENSE' ':!tools/tree.sh'; then
  complain "a path of somebody's machine is in the tree"
fi
[ $bad = 0 ] || exit 1
echo "ok"
