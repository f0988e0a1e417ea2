#!/usr/bin/env bash
# Lints and builds the boot library and tests it in C: as it is, under valgrind, and with the
# address and the undefined-behaviour sanitizers. Then sizes it for machines without an operating
# system, linked for one scheme each.
#
#   crates/boot/tests/run.sh [KEY IMAGE SIGNATURE]     a raw HSS key: the example verifies it too
set -euo pipefail
crate=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
CARGO_TARGET_DIR=$(realpath -m "${CARGO_TARGET_DIR:-$crate/../../target}")/boot
export CARGO_TARGET_DIR
# shellcheck source=tools/skip.sh
. "$crate/../../tools/skip.sh"
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

build() {
  cargo build --quiet --release --locked --manifest-path "$crate/Cargo.toml" "$@"
}

# compile SOURCE PROGRAM [FLAG...]
compile() {
  local source=$1 program=$2
  shift 2
  cc -std=c11 -g -O1 -Wall -Wextra -Werror "$@" -I "$crate/include" "$source" \
    "$CARGO_TARGET_DIR/release/libhasten_boot.a" -o "$place/$program"
}

(cd "$crate" && cargo fmt --check && cargo clippy --quiet --release --locked -- -D warnings)
build
python3 "$crate/tests/cases.py" >"$place/all.txt"
python3 "$crate/tests/cases.py" --short >"$place/short.txt"
# The first case of each scheme, for valgrind, which is fifty times slower.
awk '{ kind = $1 + 0; if (!seen[kind]++) print }' "$place/short.txt" >"$place/first.txt"
compile "$crate/tests/boot.c" plain
compile "$crate/tests/boot.c" address -fsanitize=address -fno-omit-frame-pointer
compile "$crate/tests/boot.c" undefined -fsanitize=undefined -fno-sanitize-recover=all
compile "$crate/examples/verify.c" verify
"$place/plain" "$place/all.txt" sweep
"$place/address" "$place/short.txt"
"$place/undefined" "$place/short.txt"
valgrind --quiet --error-exitcode=9 "$place/plain" "$place/first.txt"

# The example, with what the tool made: an image, and the same changed.
if [ $# -eq 3 ]; then
  "$place/verify" "$@"
  (cat "$2" && printf x) >"$place/changed"
  ! "$place/verify" "$1" "$place/changed" "$3"
fi

linker=$(rustc --print sysroot)/lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld

# size_of TARGET FUNCTION: the code and the constants of a program that calls one function.
size_of() {
  "$linker" -flavor gnu -o "$place/linked" --gc-sections -e "$2" --unresolved-symbols=ignore-all \
    "$CARGO_TARGET_DIR/$1/release/libhasten_boot.a" -u "$2"
  readelf -SW "$place/linked" | python3 -c '
import re, sys
code = other = 0
for line in sys.stdin:
    found = re.match(r" *\[ *\d+\] (\.\S+) +PROGBITS +\w+ \w+ (\w+) \w+ +(\w*A\w*)", line)
    if found and not found[1].startswith(".eh_frame"):
        code += int(found[2], 16) * ("X" in found[3])
        other += int(found[2], 16) * ("X" not in found[3])
print(f"code {code:,} bytes, constants {other:,} bytes")'
}

for target in riscv32imac-unknown-none-elf thumbv7em-none-eabi; do
  has_piece "boot/$target" || continue
  if [ ! -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
    skip "boot/$target" "this Rust has no $target" "rustup target add $target"
    continue
  fi
  build --target "$target"
  for function in hasten_boot_verify hasten_boot_verify_slh_dsa; do
    echo "boot: $target, $function: $(size_of "$target" "$function")"
  done
done
