#!/usr/bin/env bash
# Measures again what is published, on a quiet machine, and makes the tables anew:
#
#   tools/measure.sh              everything
#   tools/measure.sh NAME...      some of: latency bench-kernels bench-xmss interop
#
# Each writes results/NAME.json, which holds its own command, machine, versions and commit.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# measure NAME COMMAND...: the old result stays if the command fails.
measure() {
  local name=$1
  shift
  echo "results/$name.json: $*" >&2
  "$@" >"results/$name.json.part"
  mv "results/$name.json.part" "results/$name.json"
}

[ $# -gt 0 ] || set -- latency bench-kernels bench-xmss interop
for name in "$@"; do
  case $name in
  latency) measure latency ./hasten latency --json ;;
  bench-kernels) measure bench-kernels ./hasten bench kernels --json ;;
  bench-xmss) measure bench-xmss ./hasten bench xmss --json ;;
  interop) measure interop cargo xtask interop --json ;;
  *)
    echo "No such measurement: $name. There are: latency bench-kernels bench-xmss interop" >&2
    exit 2
    ;;
  esac
done
cargo xtask tables
