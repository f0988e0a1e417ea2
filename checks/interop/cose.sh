#!/usr/bin/env bash
# Exchanges COSE_Sign1 with other libraries, both ways:
#
#   checks/interop/cose.sh HASTEN
#
# pycose reads and writes the structure, pyhsslms verifies and signs with HSS/LMS, fido2 and
# cryptography with ML-DSA, if the tool knows it. PyPI has them, pinned by hash. Each verifier must
# also refuse another payload, and a structure that names another algorithm.
set -euo pipefail
[ $# -eq 1 ] || {
  echo "Usage: checks/interop/cose.sh HASTEN   (example: checks/interop/cose.sh target/debug/hasten)" >&2
  exit 2
}
hasten=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=checks/interop/shared.sh
. "$here/shared.sh"
venv=$here/../../.tools/cose
if ! cmp -s "$here/cose/requirements.txt" "$venv/installed"; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" -q install --disable-pip-version-check --require-hashes -r "$here/cose/requirements.txt"
  cp "$here/cose/requirements.txt" "$venv/installed"
fi
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
export XDG_STATE_HOME=$place/state
printf 'the firmware' >fw
printf 'other' >other

# refused WHAT COMMAND...: what must fail, as a signature that is bad.
refused() { refused_with '^bad$\|^BAD SIGNATURE' "$@"; }

peer() { "$venv/bin/python" "$here/cose/peer.py" "$@"; }

# exchange NAME ALG KEY PUBLIC: NAME is that of COSE, ALG that of the tool.
exchange() {
  local name=$1 alg=$2 key=$3 public=$4
  rm -f ours.* theirs.*
  "$hasten" sign -k "$key" --format cose fw --out ours.detached >log 2>&1
  "$hasten" sign -k "$key" --format cose --attached fw --out ours.cose >log 2>&1
  said "$alg  hasten -> pycose, attached" peer verify "$name" "$public" ours.cose
  said "$alg  hasten -> pycose, detached" peer verify "$name" "$public" ours.detached fw
  refused "$alg  hasten -> pycose, another payload" peer verify "$name" "$public" ours.detached other
  peer sign "$name" theirs fw
  said "$alg  pycose -> hasten, attached" "$hasten" verify -p theirs.pub --alg "$alg" --format cose fw theirs.cose
  said "$alg  pycose -> hasten, detached" "$hasten" verify -p theirs.pub --alg "$alg" --format cose fw theirs.detached
  refused "$alg  pycose -> hasten, another payload" "$hasten" verify -p theirs.pub --alg "$alg" --format cose other theirs.detached
}

"$hasten" keygen --alg "HSS(LMS_SHA256_M32_H5_W4,LMS_SHA256_M24_H5_W8)" --store hss >log 2>&1
"$hasten" export -p hss --format hss --out hss.raw >log
exchange HSS-LMS HSS hss hss.raw
if "$hasten" keygen --alg ML-DSA-65 --out probe >log 2>&1; then
  for alg in ML-DSA-44 ML-DSA-65 ML-DSA-87; do
    "$hasten" keygen --alg $alg --out $alg >log
    "$hasten" export -p $alg.pub --format raw --out $alg.raw >log
    exchange $alg $alg $alg.key $alg.raw
    refused "$alg  hasten -> pycose, as another algorithm" peer verify HSS-LMS hss.raw ours.cose
  done
fi
tally
