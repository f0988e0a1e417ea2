#!/usr/bin/env bash
# Builds a wheel and tests it in a fresh environment, then the folder itself in another one. Types
# are checked against the module, and the source distribution must hold every crate it needs.
#
#   python/tests/run.sh PLACE
#
# PLACE is a folder for what is built; it is made anew.
set -euo pipefail
[ $# -eq 1 ] || {
  echo "Usage: python/tests/run.sh PLACE   (example: python/tests/run.sh target/python)" >&2
  exit 2
}
crate=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$crate/../target} PIP_DISABLE_PIP_VERSION_CHECK=1
CARGO_TARGET_DIR=$(realpath "$CARGO_TARGET_DIR")
# No test here depends on how far the compiler optimises across crates, which takes minutes.
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=8
rm -rf "$1"
mkdir -p "$1"
place=$(cd "$1" && pwd)

# environment NAME: a fresh environment, and its path.
environment() {
  python3 -m venv "$place/$1" && printf '%s' "$place/$1/bin"
}

# A key that signs and verifies, in a folder of its own.
try_out() {
  (cd "$(mktemp -d "${TMPDIR:-/tmp}/hasten-python.XXXXXX")" && "$1/python" -c '
import hasten
with hasten.StatefulKey.generate("LMS_SHA256_M24_H5_W8", "key", "guard") as key:
    hasten.verify(key.public_key, b"message", key.sign(b"message"))
print("python:", hasten.__version__, "signs and verifies")
' && rm -rf "$PWD")
}

echo "python: wheel and source distribution"
tools=$(environment tools)
"$tools/pip" install --quiet -r "$crate/requirements.txt"
(cd "$crate" && "$tools/maturin" build --release --locked --strip --out "$place/dist" &&
  "$tools/maturin" sdist --out "$place/dist")
wheel=("$place"/dist/hasten-*-cp311-abi3-manylinux_*.whl)
bytes=$(stat -c %s "${wheel[0]}")
echo "python: $(basename "${wheel[0]}"), $bytes bytes"
[ "$bytes" -lt 4000000 ] || {
  echo "python: the wheel has 4 MB or more" >&2
  exit 1
}
listed=$(tar -tzf "$place"/dist/hasten-*.tar.gz)
for part in PKG-INFO Cargo.lock python/src/lib.rs hasten/py.typed crates/{hasten,hbs,kernels,keys,store}/src/lib.rs; do
  grep -q "^hasten-[0-9.]*/$part$" <<<"$listed" || {
    echo "python: the source distribution has no $part" >&2
    exit 1
  }
done
"$tools/pip" install --quiet "${wheel[0]}"
(cd "$crate/tests" && "$tools/pytest" -q -p no:cacheprovider)
cd "$place"
"$tools/mypy" --strict --cache-dir "$place/types" "$crate/hasten" "$crate/tests"
"$tools/python" -m mypy.stubtest hasten --concise

echo "python: the wheel alone, and the folder"
wheel_alone=$(environment wheel)
"$wheel_alone/pip" install --quiet --no-index "${wheel[0]}"
try_out "$wheel_alone"
folder=$(environment folder)
"$folder/pip" install --quiet "$crate"
try_out "$folder"
