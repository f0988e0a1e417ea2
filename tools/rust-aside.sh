#!/usr/bin/env bash
# Unpacks Rust's standard library for another machine from Debian's package, into .tools/rust,
# without touching the system:
#
#   tools/rust-aside.sh TARGET MACHINE VERSION
#
# for example tools/rust-aside.sh aarch64-unknown-linux-gnu arm64 1.96.0+dfsg1-1~deb12u2 . The
# package is of the version of the installed rustc-web, and comes through apt from where apt is set
# to fetch, signed. It prints the folder, which rustc takes as --sysroot for that target.
set -euo pipefail
[ $# -eq 3 ] || {
  sed -n 's/^#   /Usage: /p' "${BASH_SOURCE[0]}" >&2
  exit 2
}
target=$1 machine=$2 version=$3
place=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/.tools/rust/$version/$target
if [ -d "$place/lib" ]; then
  echo "$place"
  exit 0
fi
work=$place.part
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{lists/partial,cache/archives/partial,root}
: >"$work/status"
apt=(apt-get -q -o APT::Architecture="$machine" -o APT::Architectures="$machine" -o Dir::State::lists="$work/lists"
  -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" -o Debug::NoLocking=1 -o Acquire::Languages=none
  -o APT::Sandbox::User="$(id -un)" -o APT::Update::Post-Invoke-Success::= -o APT::Update::Post-Invoke::=)
# A release that is not of every machine has lists of some sources alone; the package decides.
"${apt[@]}" update >&2 || true
(cd "$work" && "${apt[@]}" download "libstd-rust-web-dev=$version" >&2)
dpkg-deb -x "$work"/libstd-rust-web-dev_*.deb "$work/root"
[ -d "$work/root/usr/lib/rustlib/$target/lib" ] || {
  echo "libstd-rust-web-dev $version of $machine has no $target" >&2
  exit 1
}
mkdir -p "$place"
mv "$work/root/usr/lib" "$place/lib"
echo "$place"
