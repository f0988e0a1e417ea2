#!/usr/bin/env bash
# Tries a Debian package as it is installed: unpacks it, and runs what is in it.
#
#   crates/cli/package/test.sh DEB PLACE
#
# PLACE is a folder for what is unpacked and for Python's checker; it is made anew but for that.
set -euo pipefail
[ $# -eq 2 ] || {
  echo "Usage: crates/cli/package/test.sh DEB PLACE   (example: target/debug/package/hasten_*.deb target/package-test)" >&2
  exit 2
}
deb=$(realpath "$1")
mkdir -p "$2"
place=$(realpath "$2")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../../.."
root=$place/root
share=$root/usr/share
hasten=$root/usr/bin/hasten

fail() {
  printf 'packages: %s\n' "$*" >&2
  exit 1
}

# says TEXT: its input has this text.
says() {
  local input
  input=$(cat)
  grep -qF -- "$1" <<<"$input" || fail "expected '$1' in: $input"
}

# silent COMMAND...: succeeds, and prints nothing: these checkers warn with status 0.
silent() {
  local said
  said=$("$@" 2>&1 >/dev/null) || fail "$* failed: $said"
  [ -z "$said" ] || fail "$*: $said"
}

# The fields that dpkg reads are right, and every file lies where a package may put one.
test_contents() {
  local version outside
  version=$("$hasten" --version | cut -d ' ' -f 1,2)
  [ "$(dpkg-deb -f "$deb" Package) $(dpkg-deb -f "$deb" Version)" = "$version-1" ] || fail "not the package of $version"
  dpkg-deb -f "$deb" Depends | says "libc6 (>="
  outside=$(dpkg-deb -c "$deb" | awk '$6 !~ /^\.\/(usr\/((bin|share)\/.*)?)?$/ { print $6 }')
  [ -z "$outside" ] || fail "not where a package may write: $outside"
  [ -z "$(find "$root" -type f -perm /022)" ] || fail "others may write a file"
  says "License: Apache-2.0 or Expat" <"$share/doc/hasten/copyright"
  says "WITHOUT WARRANTY OF ANY KIND" <"$share/doc/hasten/copyright"
  zcat "$share/doc/hasten/changelog.Debian.gz" | says "${version/ / (}-1) unstable"
}

# It reads the machines that are installed, each of them: a spoilt one is named.
test_explore() {
  local name search
  search=(env -u HASTEN_RESULTS "$hasten" explore --machine cpu --machine rtl --alg XMSS-SHA2_10_256 --link 1Gbit --json)
  "${search[@]}" | says '"hasten.explore/1"'
  for name in calibration compared hardware; do
    mv "$share/hasten/$name.json" "$place/kept"
    echo "spoilt" >"$share/hasten/$name.json"
    { "${search[@]}" 2>&1 >/dev/null || true; } | says "$share/hasten/$name.json"
    mv "$place/kept" "$share/hasten/$name.json"
  done
}

# The page that ships is written, opened at options too, and has the licence of each crate by others
# that cargo would build it from, and of what it is drawn with.
test_page() {
  local page=$share/hasten/hasten.html crate
  env -u HASTEN_RESULTS "$hasten" page --out "$place/site" --force | says "index.html"
  cmp "$page" "$place/site/index.html"
  env -u HASTEN_RESULTS "$hasten" explore --machine 4@50ns --alg XMSS-SHA2_10_256 --link 1Gbit --html "$place/opened.html" --force >/dev/null
  says "machine=4@50ns" <"$place/opened.html"
  [ "$(cargo tree --locked -p hasten-web --target wasm32-unknown-unknown -e normal,build --prefix none --format '{p}' | sort -u | grep -vcF "($PWD")" -gt 40 ] ||
    fail "cargo builds the page from few crates"
  while read -r crate; do
    says "$crate: " <"$page"
  done < <(cargo tree --locked -p hasten-web --target wasm32-unknown-unknown -e normal,build --prefix none --format '{p}' |
    grep -vF "($PWD" | sed 's/ (.*//; s/ v/ /' | sort -u)
  says "@observablehq/plot" <"$page"
  says "Permission is hereby granted" <"$page"
}

# Each page by the checkers of man-db, which read every macro, and the page of each command by name.
test_pages() {
  local page command
  for page in "$share"/man/man1/*.gz; do
    silent lexgrog "$page"
    silent env MANROFFSEQ= MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page"
  done
  for command in $("$hasten" --help | awk '/^Keys:/ { on = 1 } /^Options:/ { on = 0 } on && /^  [a-z]/ { print $1 }'); do
    man --no-justification --manpath="$share/man" "hasten-$command" 2>/dev/null | says "hasten-$command - "
  done
}

# The shells complete a command and an option as they do for a user.
test_completions() {
  local bash=$share/bash-completion/completions/hasten fish=$share/fish/vendor_completions.d/hasten.fish
  bash -n "$bash"
  # shellcheck disable=SC2016 # for the inner shell
  bash -c 'source "$1"; COMP_WORDS=(hasten veri) COMP_CWORD=1; _hasten hasten veri hasten; echo "${COMPREPLY[@]}"' _ "$bash" | says verify
  # shellcheck disable=SC2016
  bash -c 'source "$1"; COMP_WORDS=(hasten sign --verify-a) COMP_CWORD=2; _hasten hasten --verify-a sign; echo "${COMPREPLY[@]}"' _ "$bash" | says --verify-after
  fish --no-config -c "source $fish; complete -C 'hasten veri'" | says verify
  fish --no-config -c "source $fish; complete -C 'hasten sign --verify-a'" | says --verify-after
  zsh -f -n "$share/zsh/vendor-completions/_hasten"
  # shellcheck disable=SC2016
  zsh -f -c 'fpath=($1 $fpath); autoload -U compinit && compinit -D -u && whence -w _hasten && print ${_comps[hasten]}' _ "$share/zsh/vendor-completions" | says "_hasten: function"
}

# systemd reads the units, and their command signs for each connection, with a key of its own.
test_units() {
  local units=$place/units unit
  mkdir -p "$units"
  for unit in "$share"/doc/hasten/examples/hasten-sign*; do
    sed "s|/usr/bin/hasten|$hasten|" "$unit" >"$units/${unit##*/}"
  done
  MANPATH=$share/man silent systemd-analyze verify "$units/hasten-sign.socket" "$units/hasten-sign@.service"
  systemd-analyze security --offline=true --threshold=25 "$units/hasten-sign@.service" >/dev/null ||
    fail "the unit lets its process do more than it did"
  python3 "$here/test_units.py" "$units/hasten-sign@.service" "$hasten"
}

# The list against what cargo would build, which is asked in another way, and against its schema.
test_list() {
  local list=$place/bom.cdx.json features
  features=$(crates/cli/package/features.sh)
  zcat "$share/doc/hasten/bom.cdx.json.gz" >"$list"
  RUSTC_BOOTSTRAP=1 cargo build --quiet --locked -p hasten-cli --bin hasten --features "$features" \
    -Z unstable-options --unit-graph >"$place/units.json"
  [ -x "$place/python/bin/python" ] || python3 -m venv "$place/python"
  "$place/python/bin/pip" install --quiet --disable-pip-version-check 'cyclonedx-python-lib[json-validation]==11.12.0'
  "$place/python/bin/python" "$here/test_list.py" "$list" "$place/units.json" Cargo.lock "$share/doc/hasten/notices.gz"
}

rm -rf "$root" "$place/units"
dpkg-deb -x "$deb" "$root"
for part in ${PARTS:-contents explore page pages completions units list}; do
  "test_$part"
  echo "packages: $part: good"
done
