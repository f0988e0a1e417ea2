#!/usr/bin/env bash
# Measures again what is published, on a quiet machine, and makes the tables anew:
#
#   tools/measure.sh              every row of results/index.toml that can be made again
#   tools/measure.sh exact        the rows whose figures are the same on every machine
#   tools/measure.sh timed        the rows whose figures depend on the machine
#   tools/measure.sh NAME...      these rows: tools/measure.sh latency bench-kernels
#
# HASTEN_DWARF names the program that limited and interop-dwarf take (checks/interop/README.md).
# HASTEN_WOLFSSL, HASTEN_BOTAN, HASTEN_PARALLEL_SPHINCSPLUS, HASTEN_PARALLEL_DWARF and
# HASTEN_BOUNCYCASTLE name the programs that peers takes, HASTEN_OPENSSL_TLS and HASTEN_TLS_BENCH
# those of rates (docs/peers.md).
# HASTEN_SOFTHSM names the module of softhsmv3, which tokens tries beside ours (docs/pkcs11.md).
# HASTEN_OLD names a hasten of an older format, whose keys attacks-errors and attacks-kills upgrade.
#
# Each writes results/NAME.json, which holds its own command, machine, versions and commit.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/setup.sh
. tools/setup.sh

# row FIELD NAME: a field of a row of the index.
row() { cargo xtask results "$1" "$2"; }

# need TOOL: a tool that a row names.
need() {
  case $1 in
  hasten) ./hasten --version >/dev/null ;;
  cc) command -v cc >/dev/null 2>&1 || need_packages "a row of results/index.toml names it" gcc libc6-dev ;;
  libclang)
    ldconfig -p | grep -q libclang || ls /usr/lib/llvm-*/lib/libclang*.so* >/dev/null 2>&1 ||
      need_packages "the bindings of liboqs" libclang-dev
    ;;
  java) need_command java default-jre-headless "a row of results/index.toml names it" ;;
  # Pinned tools of the hardware flow: `cargo xtask hw tools` installs them.
  verilator | yosys | opensta) ;;
  aarch64-linux-gnu-gcc)
    need_command "$1" gcc-aarch64-linux-gnu "a row of results/index.toml names it"
    [ -e /usr/aarch64-linux-gnu/lib/crti.o ] || need_packages "the C library of 64-bit ARM" libc6-dev-arm64-cross
    ;;
  objdump) need_command "$1" binutils "a row of results/index.toml names it" ;;
  qemu-aarch64) need_command "$1" qemu-user "a row of results/index.toml names it" ;;
  qemu-system-riscv32) need_command "$1" qemu-system-misc "a row of results/index.toml names it" ;;
  *) need_command "$1" "$1" "a row of results/index.toml names it" ;;
  esac
}

# measure NAME: runs the row's command; the old result stays if it fails.
measure() {
  local name=$1 command output tool
  command=$(row command "$name")
  output=$(row output "$name")
  for tool in $(row tools "$name"); do need "$tool"; done
  echo "results/$name.json: $command" >&2
  if [ "$output" = written ]; then
    bash -c "$command" >&2
    return
  fi
  bash -c "$command" >"results/$name.json.part"
  mv "results/$name.json.part" "results/$name.json"
}

case ${1:-} in
'' | exact | timed) names=$(cargo xtask results list ${1:+"$1"}) ;;
*) names=$* ;;
esac
for name in $names; do
  row output "$name" >/dev/null
done
for name in $names; do
  measure "$name"
done
cargo xtask tables
