#!/usr/bin/env bash
# Certificates and TLS 1.3 both ways with OpenSSL 3.5, Go 1.27 and Bouncy Castle 1.84:
#
#   checks/interop/tls.sh HASTEN [--markdown|--write] [openssl|go|bouncycastle]...
#   checks/interop/tls.sh --list
#   checks/interop/tls.sh --check
#
# HASTEN is the tool, built with the features aws-lc and legacy. Prints one line for each exchange;
# --markdown prints the table as well, --write puts it and the count of one run with every peer into
# docs/interop.md. Each exchange is offered a wrong root too, which must be refused. Status 1 if
# anything was judged wrongly. Loopback only.
# --list prints what would be exchanged, and --check fails where docs/interop.md has something else.
set -euo pipefail
[ $# -ge 1 ] || {
  sed -n 's/^#   /Usage: /p' "${BASH_SOURCE[0]}" >&2
  exit 2
}
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
page=$top/docs/interop.md
# shellcheck source=checks/interop/tls/common.sh
. "$top/checks/interop/tls/common.sh"
for peer in "${all_peers[@]}"; do
  # shellcheck source=/dev/null
  . "$top/checks/interop/tls/$peer.sh"
done
case $1 in
--list)
  list_exchanges
  exit
  ;;
--check)
  diff <(list_exchanges) <(sed -n '/^<!-- exchanges/,/^<!-- end/s/ | yes |$/ |/p' "$page") >&2 || {
    echo "docs/interop.md is not of these exchanges; checks/interop/tls.sh HASTEN --write makes it anew" >&2
    exit 1
  }
  exit
  ;;
esac
hasten=$(realpath "$1")
shift
form=
if [[ ${1:-} == --markdown || ${1:-} == --write ]]; then
  form=$1
  shift
fi
peers=("$@")
[ ${#peers[@]} -gt 0 ] || peers=("${all_peers[@]}")
[ "$form" != --write ] || [ $# -eq 0 ] || {
  echo "The page is of one run with every peer: no peers beside --write" >&2
  exit 2
}
place=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$place"' EXIT
cd "$place"
export XDG_STATE_HOME=$place/state
ours Ed25519 stranger
for peer in "${peers[@]}"; do
  label=${labels[$peer]}
  "${peer}_prepare"
  "${peer}_exchanges"
done
echo
echo "$exchanges exchanges, $wrong judged wrongly; ${versions[*]}"
case $form in
--markdown) table ;;
--write) write_page ;;
esac
[ "$wrong" -eq 0 ]
