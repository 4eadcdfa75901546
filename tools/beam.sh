#!/usr/bin/env bash
# beam.sh runs the example pipeline of integration/beam.
#   beam.sh demo        on Prism, which needs nothing but Go
#   beam.sh demo-flink  on Prism and on Flink, whose job server comes from Maven
#   beam.sh test        the tests of the pipeline on Flink, once
#   beam.sh nightly     the same three times, and three times more with a JobManager and a TaskManager of their own
#   beam.sh throughput  our coder against Beam's own, on Prism and Flink: N orders (1000000), ROUNDS rounds (5)
#   beam.sh alone CMD   runs a command in a network namespace of its own
# Prism and Beam's servers for Flink listen on all interfaces of the machine, so all of it runs in a network namespace of its own,
# where the system allows that.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib.sh

# alone runs a command in a network namespace with nothing but the loopback interface.
alone() {
  local why flags
  for flags in "-n" "-rn"; do
    if why=$(unshare $flags ip link set lo up 2>&1); then
      unshare $flags bash -c 'ip link set lo up && exec "$@"' alone "$@"
      return
    fi
  done
  echo "no network namespace, so the servers listen on all interfaces of this machine: $why" >&2
  "$@"
}

dir=${BEAM_DIR:-}
js=
finish() {
  [ -z "$js" ] || { kill "$js" 2> /dev/null && wait "$js" || true; }
  [ -z "$dir" ] || rm -rf "$dir"
}
trap finish EXIT

# build makes the example and some orders, outside of the namespace, where Go finds its modules.
build() {
  dir=$(mktemp -d)
  (cd integration/beam && go build -ldflags="-s -w" -o "$dir/totals" ./example/totals)
  "$dir/totals" -make "$1" -dir "$dir/orders"
  export BEAM_DIR=$dir
}

# classpath prints the jars of the job server, in .bin/beam-jobserver.cp, and takes them from Maven the first time.
classpath() {
  local cp=$PWD/.bin/beam-$1.cp pom=integration/beam/$1/pom.xml
  for program in java mvn; do
    command -v $program > /dev/null || die "$program is not here: Flink needs a JDK, and Maven for its jars"
  done
  if [ ! -s "$cp" ] || [ "$pom" -nt "$cp" ] || ! tr : '\n' < "$cp" | xargs ls > /dev/null 2>&1; then
    mkdir -p .bin
    rm -f "$cp" "$cp.new" # what Maven leaves when it fails is not taken for the list the next time
    mvn -q -B -f "$pom" dependency:build-classpath -Dmdep.outputFile="$cp.new" >&2 || die "Maven has not found the jars of $pom"
    mv "$cp.new" "$cp" || die "Maven has not written the list of the jars of $pom"
  fi
  echo "$cp"
}

# jobserver starts the job server, with a Flink in it.
jobserver() {
  java -Xmx512m -cp "$(cat "$1")" org.apache.beam.runners.flink.FlinkJobServerDriver --flink-master='[local]' \
    --flink-conf-dir="$PWD/integration/beam/jobserver" --job-host=localhost --job-port=8099 --artifact-port=8098 --expansion-port=-1 \
    --artifacts-dir="$dir/artifacts" > "$dir/jobserver.log" 2>&1 &
  js=$!
  for _ in $(seq 600); do
    if (exec 3<> /dev/tcp/127.0.0.1/8099) 2> /dev/null; then return; fi
    kill -0 $js 2> /dev/null || break
    sleep 0.1
  done
  tail -20 "$dir/jobserver.log" >&2
  die "the job server does not start"
}

# run runs the pipeline and shows what it prints; what Beam logs only if it fails.
run() {
  "$dir/totals" -dir "$dir/orders" -out "$dir/totals-$1" -engine "$@" 2> "$dir/log" || { cat "$dir/log" >&2; exit 1; }
}

# flinktest runs the tests on Flink so many times, with the jars of a job server, and of a cluster if it is to run apart.
flinktest() {
  say "a pipeline on Flink, $1 times${3:+, with a JobManager and a TaskManager}"
  local log
  log=$(mktemp)
  (cd integration/beam && FLINKSER_BEAM_ROUNDS=$1 FLINKSER_BEAM_JOBSERVER=$2 FLINKSER_BEAM_CLUSTER=${3:-} \
    go test -count=1 -timeout 1h -v -run '^TestFlink$' ./example/totals) > "$log" 2>&1 || { cat "$log"; die "the test failed"; }
  grep -q '^--- PASS: TestFlink ' "$log" || { cat "$log"; die "the test has not run"; }
  grep -E '^--- PASS|main_test.go|namespace' "$log"
  rm "$log"
}

case ${1:-} in
  alone) alone "${@:2}" ;;
  demo)
    build "${N:-20000}"
    alone "$0" demo-here
    ;;
  demo-flink)
    jars=$(classpath jobserver) || exit
    build "${N:-20000}"
    alone "$0" demo-flink-here "$jars"
    ;;
  test)
    jars=$(classpath jobserver) || exit
    flinktest 1 "$jars"
    ;;
  nightly)
    jars=$(classpath jobserver) || exit
    cluster=$(classpath cluster) || exit
    flinktest 3 "$jars"
    flinktest 3 "$jars" "$cluster"
    ;;
  throughput)
    jars=$(classpath jobserver) || exit
    build 4
    (cd integration/beam && go build -o "$dir/measure" ./example/totals && go build -o "$dir/throughput" ./cmd/throughput)
    alone "$0" throughput-here "$jars"
    ;;
  throughput-here)
    jobserver "$2"
    "$dir/throughput" -program "$dir/measure" -dir "$dir" -flink -n "${N:-1000000}" -rounds "${ROUNDS:-5}"
    ;;
  demo-here)
    run prism
    run prism -growing
    ;;
  demo-flink-here)
    run prism
    jobserver "$2"
    run flink
    mkdir "$dir/schemas"
    run flink -growing -end-after 8s -schemas "$dir/schemas"
    ;;
  *) die "want demo, demo-flink, test, nightly, throughput or alone" ;;
esac
