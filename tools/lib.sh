# Shell functions for the scripts beside this file, which source it from the repository's root.

say() { printf '\n== %s\n' "$*"; }
die() { echo "$0: $*" >&2; exit 1; }

# MODULES are the folders with a go.mod. "./..." stops at a nested one, so whatever is
# meant for all code loops over them.
MODULES=$(git ls-files -co --exclude-standard -- go.mod '*/go.mod' | grep -v testdata/ | xargs -n1 dirname | sort)

# each_module COMMAND... runs the command in the folder of every module, and fails if one fails.
each_module() {
  local dir bad=0
  for dir in $MODULES; do
    (cd "$dir" && "$@") || { echo "failed in module $dir: $*" >&2; bad=1; }
  done
  return $bad
}

# seconds DURATION turns 90, 90s, 30m, 2h or 1h30m into a number of seconds.
seconds() {
  [[ $1 =~ ^([0-9]+h)?([0-9]+m)?([0-9]+s?)?$ && -n $1 ]] || die "no duration: $1 (want 90s, 30m, 1h30m)"
  local h=${BASH_REMATCH[1]%h} m=${BASH_REMATCH[2]%m} s=${BASH_REMATCH[3]%s}
  echo $((10#${h:-0} * 3600 + 10#${m:-0} * 60 + 10#${s:-0}))
}
