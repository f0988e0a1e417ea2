#!/usr/bin/env bash
# Certificates and TLS 1.3 both ways with OpenSSL 3.5, Go 1.27 and Bouncy Castle 1.84:
#
#   interop/tls.sh HASTEN [--markdown] [openssl|go|bouncycastle]...
#
# HASTEN is the tool, built with the features aws-lc and legacy. Prints one line for each exchange, and with
# --markdown the table of docs/interop.md. Each exchange is offered a wrong root too, which must be
# refused. Status 1 if anything was judged wrongly. Loopback only.
set -euo pipefail
[ $# -ge 1 ] || {
  echo "Usage: interop/tls.sh HASTEN [--markdown] [openssl|go|bouncycastle]..." >&2
  exit 2
}
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
hasten=$(realpath "$1")
shift
markdown=
if [ "${1:-}" = --markdown ]; then
  markdown=yes
  shift
fi
peers=("$@")
[ ${#peers[@]} -gt 0 ] || peers=(openssl go bouncycastle)
place=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$place"' EXIT
# shellcheck source=interop/tls/common.sh
. "$top/interop/tls/common.sh"
for peer in "${peers[@]}"; do
  # shellcheck source=/dev/null
  . "$top/interop/tls/$peer.sh"
done
cd "$place"
export XDG_STATE_HOME=$place/state
ours Ed25519 stranger
for peer in "${peers[@]}"; do
  "${peer}_prepare"
  "${peer}_exchanges"
done
echo
echo "$exchanges exchanges, $wrong judged wrongly; ${versions[*]}"
if [ -n "$markdown" ]; then
  printf '| what | with | from | to | as it must be |\n| --- | --- | --- | --- | --- |\n'
  printf '%s\n' "${rows[@]}"
fi
[ "$wrong" -eq 0 ]
