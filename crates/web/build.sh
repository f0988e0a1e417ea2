#!/usr/bin/env bash
# Makes the page, one file that needs nothing else: target/page/hasten.html.
#
#   crates/web/build.sh [PAGE]
#
# It takes cargo with the target wasm32-unknown-unknown, and node with npm. The recordings of the
# usual sets are made by the model in WebAssembly, and kept in the page.
set -euo pipefail
case $# in
0 | 1) ;;
*)
  echo "Usage: crates/web/build.sh [PAGE]   (example: crates/web/build.sh hasten.html)" >&2
  exit 2
  ;;
esac
page=$(realpath -m "${1:-${CARGO_TARGET_DIR:-$(dirname "${BASH_SOURCE[0]}")/../../target}/page/hasten.html}")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")

# Nothing in the page draws random bytes: who asked for them would get an error.
CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS='--cfg getrandom_backend="unsupported"' \
  cargo build --quiet --locked --profile web -p hasten-web --lib --target wasm32-unknown-unknown
HASTEN_COMMIT=$(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
export HASTEN_COMMIT
cd crates/web/page
npm ci --silent --ignore-scripts --no-audit --no-fund
npx --no-install tsc --noEmit
node bundle.mjs "$target/wasm32-unknown-unknown/web/hasten_web.wasm" "$page"
