#!/usr/bin/env bash
# Measures again what is published, on a quiet machine, and makes the tables anew:
#
#   tools/measure.sh              everything
#   tools/measure.sh NAME...      some of: latency latency-idle latency-idle-warm bench-kernels bench-xmss bench-hbs bench-hbs-portable peers tables bytes sizes load handshakes cost tall chains interop
#                                 calibration compared explore
#                                 store-throughput store-signatures store-kills store-crashes state-kills riscv
#                                 attacks-errors attacks-kills attacks-copies attacks-parallel attacks-weaklock attacks-power
#
# HASTEN_OLD names a hasten of an older format, whose keys attacks-errors and attacks-kills upgrade.
#
# Each writes results/NAME.json, which holds its own command, machine, versions and commit.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/setup.sh
. tools/setup.sh

# measure NAME COMMAND...: the old result stays if the command fails.
measure() {
  local name=$1
  shift
  echo "results/$name.json: $*" >&2
  "$@" >"results/$name.json.part"
  mv "results/$name.json.part" "results/$name.json"
}

# store EXAMPLE ARGUMENT...: one of the measuring programs of the state store.
store() {
  local example=$1
  shift
  cargo run --quiet --release --locked -p hasten-store --example "$example" -- "$@"
}

# attack PROGRAM ARGUMENT...: one of the adversary's programs, against the tool at hand.
attack() {
  ./hasten --version >/dev/null &&
    cargo run --quiet --release --locked -p hasten-attacks -- "$@" --tool "${CARGO_TARGET_DIR:-target}/release/hasten" ${HASTEN_OLD:+--old "$HASTEN_OLD"}
}

all="latency latency-idle latency-idle-warm bench-kernels bench-xmss bench-hbs bench-hbs-portable peers tables bytes sizes load handshakes cost tall chains interop calibration compared explore store-throughput store-signatures store-kills store-crashes state-kills attacks-errors attacks-kills attacks-copies attacks-parallel attacks-weaklock attacks-power riscv"
# shellcheck disable=SC2086 # a list of words
[ $# -gt 0 ] || set -- $all
for name in "$@"; do
  case $name in
  latency) measure latency ./hasten latency --json ;;
  latency-idle) measure "$name" ./hasten latency --idle 10ms --json ;;
  latency-idle-warm) measure "$name" ./hasten latency --idle 10ms --keep-warm --json ;;
  bench-kernels) measure bench-kernels ./hasten bench kernels --json ;;
  bench-xmss) measure bench-xmss ./hasten bench xmss --json ;;
  bench-hbs) measure bench-hbs ./hasten bench hbs --json ;;
  bench-hbs-portable) measure "$name" ./hasten bench hbs --backend portable --samples 100 --json ;;
  peers)
    need_command cmake cmake "it builds liboqs"
    ldconfig -p | grep -q libclang || ls /usr/lib/llvm-*/lib/libclang*.so* >/dev/null 2>&1 || need_packages "the bindings of liboqs" libclang-dev
    measure peers cargo run --quiet -p peers --release --locked -- --json
    ;;
  # All but those of bytes and sizes, which are the same however busy the machine is.
  tables) measure tables ./hasten tables names code-points oids signature-sizes kem-sizes speed connect bounds --compare --time 100ms --json ;;
  bytes) measure bytes ./hasten tables tls-bytes memory --compare --json ;;
  sizes) measure sizes ./hasten tables binary-size --compare --json ;;
  load) ./hasten --version >/dev/null && measure load cargo xtask load --json ;;
  handshakes) ./hasten --version >/dev/null && measure handshakes cargo xtask handshakes --json ;;
  cost) measure cost cargo run --quiet --release --locked -p hasten-hbs --example cost ;;
  tall) measure tall cargo run --quiet --release --locked -p hasten-keys --example tall ;;
  chains) measure chains cargo run --quiet --release --locked -p hasten-kernels --example speed -- --json ;;
  interop) measure interop cargo xtask interop --json ;;
  calibration) measure calibration ./hasten analyze calibrate --json ;;
  compared) measure compared ./hasten analyze compare --json ;;
  explore) measure explore cargo run --quiet --release --locked -p hasten-model --example sweep -- 100000 ;;
  store-throughput) measure "$name" store throughput ;;
  store-signatures) measure "$name" cargo run --quiet --release --locked -p hasten-keys --example signatures ;;
  store-kills) measure "$name" store kills --kills 10000 ;;
  store-crashes) measure "$name" store crashes --count 1000000 ;;
  state-kills) HASTEN_KILLS=10000 HASTEN_RESULT=results/state-kills.json cargo test --quiet --locked -p hasten-cli --test kills ;;
  attacks-errors) measure "$name" attack errors ;;
  attacks-kills) measure "$name" attack kill-at ;;
  attacks-copies) measure "$name" attack copies ;;
  attacks-parallel) measure "$name" attack parallel ;;
  attacks-weaklock) measure "$name" attack weaklock ;;
  attacks-power) measure "$name" attack power ;;
  riscv) measure riscv cargo xtask riscv --json ;;
  *)
    echo "No such measurement: $name. There are: $all" >&2
    exit 2
    ;;
  esac
done
cargo xtask tables
