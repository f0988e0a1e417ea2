#!/usr/bin/env bash
# Exchanges SignedData of CMS with OpenSSL 3.5, both ways:  checks/interop/cms.sh HASTEN
#
# ML-DSA is exchanged if the tool knows it. OpenSSL has no CMS with HSS/LMS. Each verifier must also
# refuse another content.
set -euo pipefail
[ $# -eq 1 ] || {
  echo "Usage: checks/interop/cms.sh HASTEN   (example: checks/interop/cms.sh target/debug/hasten)" >&2
  exit 2
}
hasten=$(realpath "$1")
openssl=$("$(dirname "${BASH_SOURCE[0]}")"/aside.sh trixie openssl usr/bin/openssl)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
export OPENSSL_CONF=/dev/null XDG_STATE_HOME=$place/state
wrong=0 exchanges=0
printf 'the firmware' >fw
printf 'other' >other

# said WHAT COMMAND...: what must succeed.
said() {
  local what=$1
  shift
  exchanges=$((exchanges + 1))
  if "$@" >log 2>&1; then echo "good  $what"; else
    echo "BAD   $what"
    cat log
    wrong=$((wrong + 1))
  fi
}

# refused WHAT COMMAND...: what must fail.
refused() {
  local what=$1
  shift
  exchanges=$((exchanges + 1))
  if "$@" >log 2>&1; then
    echo "BAD   $what"
    wrong=$((wrong + 1))
  else echo "good  $what"; fi
}

# verify_openssl SIGNATURE CONTENT: OpenSSL, with the root, for the signing of code.
verify_openssl() {
  "$openssl" cms -verify -binary -inform DER -in "$1" -content "$2" -CAfile root.pem -purpose any -out /dev/null
}

# exchange ALG DIGEST
exchange() {
  local alg=$1 digest=$2
  rm -f ./*.pem ./*.key ./*.p7s ./*.p7m
  "$hasten" cert root --alg "$alg" --name Root --out root >log
  "$hasten" cert leaf --usage code-signing --alg "$alg" --ca root --out leaf >log
  "$hasten" cms sign -k leaf.key --cert leaf.pem fw >log
  said "$alg  hasten -> OpenSSL" verify_openssl fw.p7s fw
  refused "$alg  hasten -> OpenSSL, another content" verify_openssl fw.p7s other
  "$hasten" cms sign -k leaf.key --cert leaf.pem --signer-by key --attached fw >log
  said "$alg  hasten -> OpenSSL, attached" "$openssl" cms -verify -binary -inform DER -in fw.p7m -CAfile root.pem -purpose any -out out
  said "$alg  hasten -> OpenSSL, what is attached" cmp fw out
  for named in -nodetach -keyid; do
    "$openssl" cms -sign -binary $named -in fw -signer leaf.pem -inkey leaf.key -md "$digest" -outform DER -out their.p7s 2>log
    said "$alg  OpenSSL $named -> hasten" "$hasten" cms verify --ca root.pem their.p7s --content fw
    refused "$alg  OpenSSL $named -> hasten, another content" "$hasten" cms verify --ca root.pem their.p7s --content other
  done
}

exchange SLH-DSA-SHA2-128f sha256
if "$hasten" keygen --alg ML-DSA-65 --out probe >log 2>&1; then
  exchange ML-DSA-44 sha512
  exchange ML-DSA-87 sha512
fi
echo "$exchanges exchanges, $wrong wrong"
[ "$wrong" -eq 0 ]
