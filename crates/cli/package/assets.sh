#!/usr/bin/env bash
# Makes what a package holds beside the tool, in BUILD/package/share: man pages and completions of
# the built tool itself, the machines that `hasten explore` reads, the page that `hasten page`
# writes, the bill of materials, and the licences. The page takes what crates/web/build.sh says.
#
#   crates/cli/package/assets.sh BUILD [XTASK]
#
# BUILD is a folder that has the built `hasten`, XTASK the program `xtask` where it is built.
set -euo pipefail
case $# in
1 | 2) ;;
*)
  echo "Usage: crates/cli/package/assets.sh BUILD [XTASK]   (example: target/release)" >&2
  exit 2
  ;;
esac
build=$(realpath "$1")
[ $# -eq 1 ] || xtask=$(realpath "$2")
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
here=crates/cli/package
share=$build/package/share
doc=$share/doc/hasten
features=$("$here/features.sh")

# chore ARGUMENT...: a chore of this repository.
chore() {
  if [ -n "${xtask:-}" ]; then
    CARGO_MANIFEST_DIR=$PWD/crates/xtask "$xtask" "$@"
  else
    cargo xtask "$@"
  fi
}

# Every release has its entry; what changed is told in the crates' own files.
changelog() {
  local version date
  version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
  date=$(git log -1 --date=format:'%a, %d %b %Y %H:%M:%S %z' --format=%cd 2>/dev/null) ||
    date=$(date -R -d "@${SOURCE_DATE_EPOCH:-0}")
  printf 'hasten (%s-1) unstable; urgency=medium\n\n  * Release %s.\n\n -- %s  %s\n' \
    "$version" "$version" "$(sed -n 's/^maintainer = "\(.*\)"/\1/p' crates/cli/Cargo.toml)" "$date"
}

rm -rf "$build/package"
mkdir -p "$doc/examples" "$share/hasten"
"$build/hasten" assets "$share"
cp results/{calibration,compared,hardware}.json "$share/hasten/"
crates/web/build.sh "$share/hasten/hasten.html" ${xtask:+"$xtask"}
cp "$here"/hasten-sign* "$doc/examples/"
# The text of Expat is the one in the repository.
{
  cat "$here/copyright"
  echo "License: Expat"
  sed -n '5,$p' LICENSE-MIT | sed 's/^$/./; s/^/ /'
} >"$doc/copyright"
cp README.md "$doc/"
changelog >"$doc/changelog.Debian"
chore bom --features "$features" >"$doc/bom.cdx.json"
chore bom --features "$features" --notices >"$doc/notices"
gzip -9n "$share"/man/man1/*.1 "$doc"/{changelog.Debian,bom.cdx.json,notices}
echo "package    $(find "$share" -type f | wc -l) files in $share"
