#!/usr/bin/env bash
# Installs the C library: header, shared and static library, pkg-config file.
#
#   crates/capi/install.sh PREFIX [BUILD]
#
# BUILD is a folder that has the built libraries; without it they are built here, for release.
set -euo pipefail
case $# in
1 | 2) ;;
*)
  echo "Usage: crates/capi/install.sh PREFIX [BUILD]   (example: crates/capi/install.sh /usr/local)" >&2
  exit 2
  ;;
esac
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"/{include,lib/pkgconfig}
prefix=$(cd "$1" && pwd)
if [ $# -eq 2 ]; then
  build=$2
else
  (cd "$here" && cargo build --release --locked -p hasten-capi)
  build=${CARGO_TARGET_DIR:-$here/../../target}/release
fi
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/../../Cargo.toml" | head -1)

install -m 644 "$here/include/hasten.h" "$prefix/include/hasten.h"
install -m 644 "$build/libhasten_capi.a" "$prefix/lib/libhasten.a"
install -m 755 "$build/libhasten_capi.so" "$prefix/lib/libhasten.so.$version"
ln -sf "libhasten.so.$version" "$prefix/lib/libhasten.so.0"
ln -sf libhasten.so.0 "$prefix/lib/libhasten.so"
sed "s|@PREFIX@|$prefix|; s|@VERSION@|$version|" "$here/hasten.pc.in" >"$prefix/lib/pkgconfig/hasten.pc"
echo "installed in $prefix: export PKG_CONFIG_PATH=$prefix/lib/pkgconfig"
