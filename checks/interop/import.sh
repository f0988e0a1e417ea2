#!/usr/bin/env bash
# Imports private keys that Bouncy Castle and wolfSSL have made and used:
#
#   checks/interop/import.sh HASTEN [KEEP]
#
# The tool then signs, byte for byte, as the other program does with the same index. Parts of keys,
# and XMSS of Bouncy Castle, must be refused. wolfSSL 5.9.4 is compiled from the source in the crate
# wolfssl-sys, which is fetched aside: it is under the GPL, and nothing of it comes into what is
# built here. With KEEP the keys are left in that folder.
set -euo pipefail
[ $# -ge 1 ] || {
  echo "Usage: checks/interop/import.sh HASTEN [KEEP]   (example: checks/interop/import.sh target/debug/hasten)" >&2
  exit 2
}
hasten=$(realpath "$1")
keep=${2:+$(realpath "$2")}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=checks/interop/shared.sh
. "$here/shared.sh"
# shellcheck source=checks/interop/bouncycastle.sh
. "$here/bouncycastle.sh"
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
compile_bouncycastle "$place"
cd "$place"
export XDG_STATE_HOME=$place/state
printf 'firmware' >message

bouncycastle() { java -XX:TieredStopAtLevel=1 -cp "$classes" Carried "$@"; }

# The library and the program that makes its keys, in one go. Cargo fetches the crate by the
# manifest, and does not compile it.
compile_wolfssl() {
  local aside=$here/../../.tools/wolfssl source name files=()
  mkdir -p "$aside/src"
  : >"$aside/src/lib.rs"
  printf '[package]\nname = "aside"\nversion = "0.0.0"\n[dependencies]\nwolfssl-sys = "=5.3.0"\n[workspace]\n' >"$aside/Cargo.toml"
  source=$(cargo metadata --quiet --format-version 1 --manifest-path "$aside/Cargo.toml" | grep -o '[^"]*/wolfssl-sys-5.3.0/Cargo.toml' | head -1)
  source=${source%/Cargo.toml}/wolfssl-src
  for name in coding cpuid error hash logging memory random sha256 sha3 sha512 wc_lms wc_lms_impl wc_port wc_xmss wc_xmss_impl; do
    files+=("$source/wolfcrypt/src/$name.c")
  done
  cc -O1 -w -DWOLFSSL_USER_SETTINGS -I"$here/wolfssl" -I"$source" "$here/wolfssl/key.c" "${files[@]}" -o wolfssl-key
}

# goes_on NAME ALG INDEX FORM: the key is imported, and its next signature is the other program's.
goes_on() {
  local name=$1 alg=$2 index=$3 form=$4 private=$1.prv
  [ -e "$private" ] || private=$name.key
  refused_with "that index 2 was used" "$alg $name: a lower index than the file knows of" "$hasten" import "$private" -p "$name.pub" --alg "$alg" --burned-through 1 --store "$name.low"
  said "$alg $name: imported" "$hasten" import "$private" -p "$name.pub" --alg "$alg" --burned-through $((index - 9)) --margin 8 --store "$name.store"
  said "$alg $name: signed" "$hasten" sign -k "$name.store" message --format "$form" --out "$name.ours"
  said "$alg $name: the signature of the other program" cmp "$name.ours" "$name.sig"
}

# from_bouncycastle NAME ALG INDEX FORM
from_bouncycastle() {
  bouncycastle "$2" "$1" message "$3"
  refused_with "is a part (shard)" "$2 $1: a part of the key" "$hasten" import "$1.shard" -p "$1.pub" --burned-through "$3" --store "$1.part"
  goes_on "$@"
}

# from_wolfssl NAME THEIRS ALG INDEX FORM
from_wolfssl() {
  ./wolfssl-key "$2" "$1" message "$4"
  goes_on "$1" "$3" "$4" "$5"
}

from_bouncycastle bc-one LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W8 20 lms
from_bouncycastle bc-level "HSS(LMS_SHA256_M24_H5/LMOTS_SHA256_N24_W4)" 20 hss
from_bouncycastle bc-two "HSS(LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W4,LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W8)" 40 hss
from_bouncycastle bc-three "HSS(LMS_SHAKE_M24_H5/LMOTS_SHAKE_N24_W4,LMS_SHAKE_M24_H5/LMOTS_SHAKE_N24_W8,LMS_SHAKE_M24_H5/LMOTS_SHAKE_N24_W4)" 70 hss
bouncycastle "HSS(LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W4,LMS_SHA256_M24_H5/LMOTS_SHA256_N24_W8)" bc-mixed message 20
refused_with "differ in hash function or length" "HSS of Bouncy Castle with levels of two lengths" "$hasten" import bc-mixed.key -p bc-mixed.pub --burned-through 20 --store mixed
bouncycastle XMSS bc-xmss
refused_with "XMSS of Bouncy Castle makes" "XMSS of Bouncy Castle" "$hasten" import bc-xmss.key -p bc-xmss.pub --burned-through none --store xmss

compile_wolfssl
from_wolfssl wolf-one sha256_1_5_8 LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W8 20 hss
from_wolfssl wolf-two sha256_2_5_4 "HSS(LMS_SHA256_M32_H5_W4,LMS_SHA256_M32_H5_W4)" 40 hss
from_wolfssl wolf-short sha192_3_5_4 "HSS(LMS_SHA256_M24_H5_W4,LMS_SHA256_M24_H5_W4,LMS_SHA256_M24_H5_W4)" 70 hss
from_wolfssl wolf-shake shake256_1_10_4 LMS_SHAKE_M32_H10/LMOTS_SHAKE_N32_W4 20 hss
from_wolfssl wolf-shake-short shake192_1_5_8 LMS_SHAKE_M24_H5/LMOTS_SHAKE_N24_W8 20 hss
from_wolfssl wolf-xmss XMSS-SHA2_10_256 XMSS-SHA2_10_256 20 raw
from_wolfssl wolf-xmssmt XMSSMT-SHA2_20/4_256 XMSSMT-SHA2_20/4_256 40 raw
if [ -n "$keep" ]; then cp ./*.{prv,key,shard,pub,sig} "$keep"; fi
tally
