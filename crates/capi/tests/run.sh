#!/usr/bin/env bash
# Compiles the C programs here against an installed library, and runs them: as they are, with the
# shared and the static library, under valgrind, and with the address and the undefined-behaviour
# sanitizers.
#
#   crates/capi/tests/run.sh PREFIX
set -euo pipefail
[ $# -eq 1 ] || {
  echo "Usage: crates/capi/tests/run.sh PREFIX   (one that crates/capi/install.sh made)" >&2
  exit 2
}
prefix=$(cd "$1" && pwd)
crate=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib XDG_STATE_HOME=$place/state

# compile SOURCE PROGRAM shared|static [FLAG...]
compile() {
  local source=$1 program=$2 linking=$3 libs cflags
  shift 3
  read -ra cflags <<<"$(pkg-config --cflags hasten)"
  case $linking in
  shared) read -ra libs <<<"$(pkg-config --libs hasten)" ;;
  static)
    read -ra libs <<<"$(pkg-config --static --libs hasten)"
    libs=("${libs[@]/-lhasten/-l:libhasten.a}")
    ;;
  esac
  cc -std=c11 -g -Wall -Wextra -Werror "$@" "${cflags[@]}" "$source" "${libs[@]}" -o "$program"
}

# check NAME COMMAND...: runs the test of the border in a folder of its own, then both examples.
check() {
  local name=$1 dir=$place/run-$1
  shift
  mkdir -p "$dir"
  echo "capi: $name"
  "$@" "$place/border-${name%-valgrind}" "$dir" || return 1
  printf 'firmware' >"$dir/fw.bin"
  "$@" "$place/sign-${name%-valgrind}" "$dir/key" "$dir/guard" "$dir/fw.bin" "$dir/fw.sig" "$dir/fw.pub" || return 1
  "$@" "$place/verify-${name%-valgrind}" "$dir/fw.pub" "$dir/fw.bin" "$dir/fw.sig" || return 1
  printf 'firmwarE' >"$dir/fw.bin"
  ! "$@" "$place/verify-${name%-valgrind}" "$dir/fw.pub" "$dir/fw.bin" "$dir/fw.sig"
}

programs() {
  local name=$1
  shift
  compile "$crate/tests/border.c" "$place/border-$name" "$@"
  compile "$crate/examples/sign.c" "$place/sign-$name" "$@"
  compile "$crate/examples/verify.c" "$place/verify-$name" "$@"
}

programs shared shared
programs static static
programs address static -fsanitize=address -fno-omit-frame-pointer
programs undefined static -fsanitize=undefined -fno-sanitize-recover=all
check shared
check static
check address
check undefined
check shared-valgrind valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=definite \
  --errors-for-leak-kinds=definite
