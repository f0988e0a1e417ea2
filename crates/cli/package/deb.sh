#!/usr/bin/env bash
# Makes the Debian package of a built tool, in BUILD/package, and prints its name.
#
#   crates/cli/package/deb.sh [BUILD [XTASK]]
#
# Without BUILD the tool is built for release. As for assets.sh, BUILD is a folder that has the
# built `hasten`, XTASK the program `xtask`. cargo-deb, pinned, is installed in the target folder.
set -euo pipefail
case $# in
0 | 1 | 2) ;;
*)
  echo "Usage: crates/cli/package/deb.sh [BUILD [XTASK]]   (example: crates/cli/package/deb.sh)" >&2
  exit 2
  ;;
esac
arguments=()
for path in "$@"; do arguments+=("$(realpath "$path")"); done
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
place=$target/cargo-deb
version=3.8.0

# Whoever cannot make the page learns so before anything is built.
crates/web/build.sh --check
if [ $# -eq 0 ]; then
  cargo build --release --locked -p hasten-cli --features "$(crates/cli/package/features.sh)"
  arguments=("$target/release")
fi
build=${arguments[0]}
crates/cli/package/assets.sh "${arguments[@]}" >&2

# It packs files, and needs no optimisation. Without liblzma it compresses by the program xz.
cargo install --quiet --locked --debug --version "=$version" --no-default-features --root "$place" \
  --target-dir "$place/target" cargo-deb >&2
profile=${build##*/}
CARGO_TARGET_DIR=${build%/*} "$place/bin/cargo-deb" --quiet --package hasten-cli --no-build \
  --profile "${profile/#debug/dev}" --output "$build/package"
