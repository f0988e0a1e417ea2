#!/usr/bin/env bash
# Tries the built PKCS#11 module with programs that others wrote. pkcs11-tool of OpenSC as Debian 12
# has it, and SunPKCS11 of Java, know no mechanism of these keys: they list, log in and are refused
# clearly. PyKCS11 of PyPI names them, makes keys and signs. Then pkcs11-tool of OpenSC 0.27 and
# OpenSSL with pkcs11-provider, both unpacked aside, which sign and verify with SLH-DSA, and with
# ML-DSA if the module has it. Neither names HSS; pkcs11-tool takes the number of the mechanism.
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
# shellcheck source=tools/skip.sh
. "$tests/../../../tools/skip.sh"
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
export HASTEN_PKCS11_CONF=$place/conf.toml
"$hasten" keygen --alg LMS_SHA256_M24_H10_W8 --store "$place/key" --guard "$place/guard" >/dev/null 2>&1
echo "log = '$place/log'" >"$HASTEN_PKCS11_CONF"
"$hasten" pkcs11 "$place/key" --label firmware >>"$HASTEN_PKCS11_CONF"
cat >>"$HASTEN_PKCS11_CONF" <<END
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

# named KIND: a pair of HSS or XMSS in an empty slot, by PyKCS11; the tool verifies.
named() {
  rm -rf "$place"/named*
  cat >"$HASTEN_PKCS11_CONF" <<END
log = "$place/log"
[[slot]]
label = "named"
store = "$place/named"
guard = "$place/named.guard"
END
  "$venv/bin/python" "$tests/named.py" "$module" 0 "$1" "$place/named.sig"
  "$hasten" verify -p "$place/named" "$place/fw.bin" "$place/named.sig" | says "index 1"
}

venv=$tests/../../../.tools/pykcs11
if ! cmp -s "$tests/requirements.txt" "$venv/installed"; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" -q install --disable-pip-version-check --require-hashes -r "$tests/requirements.txt"
  cp "$tests/requirements.txt" "$venv/installed"
fi
echo "pkcs11: $("$venv/bin/pip" list --disable-pip-version-check 2>/dev/null | grep -i pykcs11)"
for kind in HSS XMSS XMSSMT; do named $kind; done
for alg in LMS_SHA256_M24_H5_W8 XMSS-SHA2_10_256; do
  rm -rf "$place"/shown* "$HASTEN_PKCS11_CONF"
  "$hasten" keygen --alg "$alg" --store "$place/shown" --guard "$place/shown.guard" >/dev/null 2>&1
  "$hasten" pkcs11 "$place/shown" --out "$HASTEN_PKCS11_CONF" 2>&1 | says "slot 0   shown: ${alg%_W8}"
  "$venv/bin/python" "$tests/../../../examples/pkcs11_sign.py" "$module" shown "$place/fw.bin" "$place/shown.sig"
  "$hasten" verify -p "$place/shown" "$place/fw.bin" "$place/shown.sig" | says "index 0"
done

# Debian's testing release has the clients that know SLH-DSA and ML-DSA.
aside() {
  "$tests/../../../checks/interop/aside.sh" forky "$@" 2>"$place/aside" || {
    skip "pkcs11/$1" "$1 of Debian's testing release cannot be fetched: $(tail -n 1 "$place/aside")" "checks/interop/aside.sh forky $*" >&2
    return 1
  }
}
version() { grep -E "^$2 " "${1%/run}/versions" | cut -d' ' -f2; }

printf '12345678' >"$place/word"
algs=(SLH-DSA-SHA2-128f SLH-DSA-SHAKE-192f)
if tool 0 --list-mechanisms | grep -q 0x1D && "$hasten" keygen --alg ML-DSA-44 --out "$place/probe" >/dev/null 2>&1; then
  algs+=(ML-DSA-44 ML-DSA-87)
fi
openssl_of_slots() { OPENSSL_CONF=$place/openssl.cnf "$openssl" "$@" 2>&1; }

if opensc=$(aside opensc usr/bin/pkcs11-tool); then
  echo "pkcs11: OpenSC $(version "$opensc" opensc), aside: HSS by its number, ${algs[*]}"
  by_number() { "$opensc" --module "$module" --slot 0 --mechanism 0x4033 --input-file "$place/fw.bin" "$@" 2>&1 || true; }
  named HSS
  by_number --login --pin 12345678 --sign --output-file "$place/fw.sig" | says "Using signature algorithm mechtype-0x4033"
  "$hasten" verify -p "$place/named" "$place/fw.bin" "$place/fw.sig" | says "index 2"
  by_number --verify --signature-file "$place/fw.sig" | says "Signature is valid"
fi
if openssl=$(aside openssl usr/bin/openssl) && provider=$(aside pkcs11-provider -); then
  echo "pkcs11: OpenSSL $(version "$openssl" openssl), pkcs11-provider $(version "$provider" pkcs11-provider), aside: ${algs[*]}"
  library=$(find "${provider%/run}/root" -name pkcs11.so)
  cat >"$place/openssl.cnf" <<END
openssl_conf = init
[init]
providers = providers
[providers]
default = of_default
pkcs11 = of_pkcs11
[of_default]
activate = 1
[of_pkcs11]
module = $library
pkcs11-module-path = $module
activate = 1
END
fi

for alg in "${algs[@]}"; do
  rm -rf "$place"/plain*
  "$hasten" keygen --alg "$alg" --out "$place/plain" --passphrase-file "$place/word" >/dev/null
  cat >"$HASTEN_PKCS11_CONF" <<END
log = "$place/log"
[[slot]]
label = "plain"
key = "$place/plain"
END
  if [ -n "$opensc" ]; then
    mechanism=${alg%-*}
    mechanism=${mechanism%-SH*}
    client() { "$opensc" --module "$module" --slot 0 --mechanism "$mechanism" --input-file "$place/fw.bin" "$@" 2>&1 || true; }
    "$opensc" --module "$module" --slot 0 --list-objects 2>/dev/null | tr a-z A-Z | says "KEY OBJECT; ${alg^^}"
    client --login --pin 12345678 --sign --output-file "$place/fw.bin.sig" | says "Using signature algorithm $mechanism"
    "$hasten" verify -p "$place/plain.pub" "$place/fw.bin" "$place/fw.bin.sig" | says "good  $alg"
    client --verify --signature-file "$place/fw.bin.sig" | says "Signature is valid"
    printf xxxxxxxx | dd of="$place/fw.bin.sig" bs=1 seek=100 conv=notrunc status=none
    client --verify --signature-file "$place/fw.bin.sig" | says "Invalid signature"
  fi
  if [ -n "$openssl" ] && [ -n "$provider" ]; then
    openssl_of_slots pkeyutl -sign -rawin -inkey "pkcs11:token=plain;type=private?pin-source=file:$place/word" -in "$place/fw.bin" -out "$place/o.sig"
    "$hasten" verify -p "$place/plain.pub" "$place/fw.bin" "$place/o.sig" | says "good  $alg"
    OPENSSL_CONF=/dev/null "$openssl" pkeyutl -verify -rawin -pubin -inkey "$place/plain.pub" -in "$place/fw.bin" -sigfile "$place/o.sig" | says "Signature Verified Successfully"
    openssl_of_slots pkeyutl -verify -rawin -pubin -inkey "pkcs11:token=plain;type=public" -in "$place/fw.bin" -sigfile "$place/o.sig" | says "Signature Verified Successfully"
  fi
done
