#!/usr/bin/env bash
# Makes the page, one file that needs nothing else: target/page/hasten.html.
#
#   crates/web/build.sh [PAGE [XTASK]]
#   crates/web/build.sh --check         only says if something that it takes is missing
#
# It takes cargo with the target wasm32-unknown-unknown, and node 18 or newer with npm. The
# recordings of the usual sets are made by the model in WebAssembly, and kept in the page, as are
# the licences of all that goes into it. XTASK is the program `xtask` where it is built.
set -euo pipefail
case $# in
0 | 1 | 2) ;;
*)
  echo "Usage: crates/web/build.sh [PAGE [XTASK]]   (example: crates/web/build.sh hasten.html)" >&2
  exit 2
  ;;
esac
[ "${1:-}" = --check ] || page=$(realpath -m "${1:-${CARGO_TARGET_DIR:-$(dirname "${BASH_SOURCE[0]}")/../../target}/page/hasten.html}")
[ $# -lt 2 ] || xtask=$(realpath "$2")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
machine=wasm32-unknown-unknown
built=$target/$machine/web

for command in node npm; do
  command -v "$command" >/dev/null || {
    echo "Missing: $command, which makes the page (in Debian: apt-get update && apt-get install nodejs npm)" >&2
    exit 2
  }
done
node -e 'process.exit(process.versions.node.split(".")[0] < 18 ? 1 : 0)' || {
  echo "The page takes node 18 or newer; this one is $(node --version)." >&2
  exit 2
}
[ -d "$(rustc --print sysroot)/lib/rustlib/$machine" ] || {
  echo "This Rust has no $machine, which makes the page: rustup target add $machine" >&2
  exit 2
}
[ "${1:-}" != --check ] || exit 0

# chore ARGUMENT...: a chore of this repository.
chore() {
  if [ -n "${xtask:-}" ]; then
    CARGO_MANIFEST_DIR=$PWD/crates/xtask "$xtask" "$@"
  else
    cargo xtask "$@"
  fi
}

# Nothing in the page draws random bytes: who asked for them would get an error.
CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS='--cfg getrandom_backend="unsupported"' \
  cargo build --quiet --locked --profile web -p hasten-web --lib --target $machine
chore bom --package crates/web --target $machine --notices >"$built/notices"
HASTEN_COMMIT=$(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
export HASTEN_COMMIT
cd crates/web/page
npm ci --silent --ignore-scripts --no-audit --no-fund
npx --no-install tsc --noEmit
node bundle.mjs "$built/hasten_web.wasm" "$built/notices" "$page"
