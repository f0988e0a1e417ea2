#!/usr/bin/env bash
# Exchanges SignedData of CMS with OpenSSL 3.5 and Bouncy Castle, both ways:
#
#   checks/interop/cms.sh HASTEN
#
# ML-DSA is exchanged if the tool knows it. OpenSSL has no CMS with HSS/LMS: that it refuses a good
# one is tried too, so that its coming is seen. Each verifier must also refuse another content.
set -euo pipefail
[ $# -eq 1 ] || {
  echo "Usage: checks/interop/cms.sh HASTEN   (example: checks/interop/cms.sh target/debug/hasten)" >&2
  exit 2
}
hasten=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=checks/interop/shared.sh
. "$here/shared.sh"
# shellcheck source=checks/interop/bouncycastle.sh
. "$here/bouncycastle.sh"
openssl=$("$here"/aside.sh trixie openssl usr/bin/openssl)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
compile_bouncycastle "$place"
cd "$place"
export OPENSSL_CONF=/dev/null XDG_STATE_HOME=$place/state
printf 'the firmware' >fw
printf 'other' >other

# refused WHAT COMMAND...: what must fail.
refused() { refused_with "" "$@"; }

# verify_openssl SIGNATURE CONTENT: OpenSSL, with the root, for the signing of code.
verify_openssl() {
  "$openssl" cms -verify -binary -inform DER -in "$1" -content "$2" -CAfile root.pem -purpose any -out /dev/null
}

bouncycastle() { java -XX:TieredStopAtLevel=1 -cp "$classes" Cms "$@"; }

# to_bouncycastle ALG: fw.p7s is detached, fw.p7m attached; both below root.pem.
to_bouncycastle() {
  said "$1  hasten -> Bouncy Castle" bouncycastle verify root.pem fw.p7s fw
  refused "$1  hasten -> Bouncy Castle, another content" bouncycastle verify root.pem fw.p7s other
  said "$1  hasten -> Bouncy Castle, attached" bouncycastle verify root.pem fw.p7m -
}

# exchange ALG DIGEST
exchange() {
  local alg=$1 digest=$2 how
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
  to_bouncycastle "$alg"
  for how in issuer key; do
    bouncycastle sign "${alg^^}" leaf.key leaf.pem fw their.p7s $how
    said "$alg  Bouncy Castle, $how -> hasten" "$hasten" cms verify --ca root.pem their.p7s --content fw
    refused "$alg  Bouncy Castle, $how -> hasten, another content" "$hasten" cms verify --ca root.pem their.p7s --content other
  done
  bouncycastle sign "${alg^^}" leaf.key leaf.pem fw their.p7m attached
  said "$alg  Bouncy Castle, attached -> hasten" "$hasten" cms verify --ca root.pem their.p7m --out out2
  said "$alg  Bouncy Castle, attached -> hasten, what is attached" cmp fw out2
  rm out2
}

# exchange_hss ALG: the tool's key with a state, below a root of SLH-DSA.
exchange_hss() {
  local alg=$1 key=key$exchanges
  rm -rf ./*.pem ./*.key ./*.p7s ./*.p7m
  "$hasten" cert root --alg SLH-DSA-SHA2-128f --name Root --out root >log
  "$hasten" cert leaf --usage code-signing --alg "$alg" --store "$key" --ca root --out leaf >log 2>&1
  "$hasten" cms sign -k "$key" --cert leaf.pem fw >log 2>&1
  "$hasten" cms sign -k "$key" --cert leaf.pem --attached fw >log 2>&1
  to_bouncycastle "$alg"
  refused "$alg  hasten -> OpenSSL: it has no HSS in CMS" verify_openssl fw.p7s fw
}

# from_bouncycastle ALG: a key with a state that Bouncy Castle made.
from_bouncycastle() {
  bouncycastle hss "$1" fw their
  said "$1  Bouncy Castle -> hasten" "$hasten" cms verify -p their.pub their.p7s --content fw
  refused "$1  Bouncy Castle -> hasten, another content" "$hasten" cms verify -p their.pub their.p7s --content other
}

exchange SLH-DSA-SHA2-128f sha256
if "$hasten" keygen --alg ML-DSA-65 --out probe >log 2>&1; then
  exchange ML-DSA-44 sha512
  exchange ML-DSA-87 sha512
fi
exchange_hss LMS_SHA256_M32_H5_W4
exchange_hss "HSS(LMS_SHA256_M24_H5_W8,LMS_SHA256_M24_H5_W4)"
exchange_hss LMS_SHAKE_M32_H5_W4
from_bouncycastle "HSS(LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W4)"
from_bouncycastle "HSS(LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W4,LMS_SHA256_M24_H5/LMOTS_SHA256_N24_W8)"
tally
