#!/usr/bin/env bash
# Tries the built PKCS#11 module with programs that others wrote: pkcs11-tool of OpenSC, and Java's
# SunPKCS11. Neither knows HSS, so that neither signs: they list, log in and are refused clearly.
#
#   crates/pkcs11/tests/run.sh MODULE TOOL
set -euo pipefail
[ $# -eq 2 ] || {
  echo "Usage: crates/pkcs11/tests/run.sh MODULE TOOL   (example: target/debug/libhasten_pkcs11.so target/debug/hasten)" >&2
  exit 2
}
module=$(realpath "$1")
hasten=$(realpath "$2")
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
export HASTEN_PKCS11_CONF=$place/conf.toml
"$hasten" keygen --alg LMS_SHA256_M24_H10_W8 --store "$place/key" --guard "$place/guard" >/dev/null 2>&1
cat >"$HASTEN_PKCS11_CONF" <<END
log = "$place/log"
[[slot]]
label = "firmware"
store = "$place/key"
[[slot]]
label = "empty"
store = "$place/new"
guard = "$place/new.guard"
END

# tool SLOT ARGUMENT...: runs pkcs11-tool, and prints what it says, whether it succeeds or not.
tool() {
  local slot=$1
  shift
  pkcs11-tool --module "$module" --slot "$slot" "$@" 2>&1 || true
}

# says TEXT: its input has this text.
says() {
  local input
  input=$(cat)
  grep -qF -- "$1" <<<"$input" || {
    printf 'pkcs11: expected "%s" in:\n%s\n' "$1" "$input" >&2
    cat "$place/log" >&2 2>/dev/null || true
    return 1
  }
}

echo "pkcs11: OpenSC $(dpkg-query -W -f '${Version}' opensc 2>/dev/null || echo unknown)"
pkcs11-tool --module "$module" --show-info 2>&1 | says "Cryptoki version 3.2"
pkcs11-tool --module "$module" --list-slots 2>&1 | says "software: $place/key"
tool 0 --list-mechanisms | says "sign, verify"
tool 0 --list-objects | says "CKP_BASELINE_PROVIDER"
tool 0 --list-objects --type privkey | says "sensitive"
tool 1 --login --pin 12345678 --list-objects | says "CKP_EXTENDED_PROVIDER"
tool 1 --login --pin 123 --list-objects | says "CKR_PIN_LEN_RANGE"
tool 0 --test | says "non-RSA, skipping"
# Its buffer for signatures has 512 bytes: C_Sign refuses it, and no index is used.
printf firmware >"$place/fw.bin"
tool 0 --sign --mechanism 0x4033 --input-file "$place/fw.bin" --output-file "$place/fw.sig" | says "CKR_"
"$hasten" status -k "$place/key" | says "remaining  1,024"

echo "pkcs11: $(java -version 2>&1 | head -1)"
printf 'name = Hasten\nlibrary = %s\nslot = 0\n' "$module" >"$place/java.cfg"
java "$tests/Tokens.java" "$place/java.cfg" 2>&1 | says "provider SunPKCS11-Hasten"
