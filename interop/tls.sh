#!/usr/bin/env bash
# Certificates and TLS 1.3 both ways with OpenSSL 3.5:
#
#   interop/tls.sh HASTEN [--markdown]
#
# HASTEN is the tool, built with the feature aws-lc. Prints one line for each exchange, and with
# --markdown the table of docs/interop.md. Each exchange is offered a wrong root too, which must be
# refused. Status 1 if anything was judged wrongly. Loopback only.
set -euo pipefail
[ $# -ge 1 ] || {
  echo "Usage: interop/tls.sh HASTEN [--markdown]" >&2
  exit 2
}
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
hasten=$(realpath "$1")
markdown=${2:-}
openssl=$("$top/interop/aside.sh" trixie openssl usr/bin/openssl)
place=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$place"' EXIT
cd "$place"
export XDG_STATE_HOME=$place/state
wrong=0 exchanges=0 rows=()

# said WHAT DETAIL FROM TO good|bad: the line on one exchange.
said() {
  exchanges=$((exchanges + 1))
  [ "$5" = good ] || wrong=$((wrong + 1))
  printf '%-5s %-13s %-44s %s -> %s\n' "$5" "$1" "$2" "$3" "$4"
  rows+=("| $1 | $2 | $3 | $4 | $([ "$5" = good ] && echo yes || echo NO) |")
}

# judge COMMAND...: good if it succeeds.
judge() { if "$@" >log 2>&1; then echo good; else echo bad; fi; }
# both GOOD-COMMAND -- BAD-COMMAND: good if the first succeeds and the second does not.
both() {
  local first=()
  while [ "$1" != -- ]; do
    first+=("$1")
    shift
  done
  shift
  if [ "$(judge "${first[@]}")" = good ] && [ "$(judge "$@")" = bad ]; then echo good; else echo bad; fi
}

# OpenSSL's names of our algorithms.
genpkey() {
  case $1 in
  ECDSA-P-256) "$openssl" genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$2" ;;
  RSA-2048) "$openssl" genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$2" ;;
  *) "$openssl" genpkey -algorithm "$1" -out "$2" ;;
  esac 2>/dev/null
}

# theirs ALG NAME: a root and a leaf by OpenSSL.
theirs() {
  genpkey "$1" "$2-root.key"
  "$openssl" req -x509 -new -key "$2-root.key" -subj "/CN=$2 root" -days 30 -out "$2-root.pem"
  genpkey "$1" "$2.key"
  "$openssl" req -new -key "$2.key" -subj "/CN=localhost" -out "$2.csr"
  printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\nbasicConstraints=CA:FALSE\n' >ext
  "$openssl" x509 -req -in "$2.csr" -CA "$2-root.pem" -CAkey "$2-root.key" -days 20 -extfile ext -out "$2.pem" 2>/dev/null
}

# ours ALG NAME: the same by Hasten.
ours() {
  "$hasten" cert root --alg "$1" --name "$2 root" --out "$2-root" >/dev/null
  "$hasten" cert leaf --alg "$1" --dns localhost --ip 127.0.0.1 --ca "$2-root" --out "$2" >/dev/null
}

certificates() {
  local alg
  theirs Ed25519 alien && ours Ed25519 stranger
  for alg in ML-DSA-44 ML-DSA-65 ML-DSA-87 SLH-DSA-SHA2-128s SLH-DSA-SHA2-128f SLH-DSA-SHAKE-128f SLH-DSA-SHAKE-256f ECDSA-P-256 RSA-2048 Ed25519; do
    theirs "$alg" "t-$alg" && ours "$alg" "o-$alg"
    said certificate "$alg" OpenSSL Hasten "$(both "$hasten" cert verify "t-$alg.pem" --ca "t-$alg-root.pem" --dns localhost -- "$hasten" cert verify "t-$alg.pem" --ca alien-root.pem)"
    said certificate "$alg" Hasten OpenSSL "$(both "$openssl" verify -CAfile "o-$alg-root.pem" "o-$alg.pem" -- "$openssl" verify -CAfile stranger-root.pem "o-$alg.pem")"
  done
}

# serve ARGUMENTS...: a server of ours; its port in $port.
serve() {
  rm -f served
  "$hasten" serve --listen 127.0.0.1:0 "$@" >served 2>&1 &
  until grep -qs 'listening on' served; do sleep 0.05; done
  port=$(sed -n 's/.*:\([0-9]*\)$/\1/p;q' served)
}


client() { echo hello | timeout 20 "$openssl" s_client -connect "127.0.0.1:$port" -servername localhost -tls1_3 -verify_return_error "$@"; }

tls() {
  local alg group
  for alg in ML-DSA-44 ML-DSA-65 ML-DSA-87 ECDSA-P-256 RSA-2048 Ed25519; do
    for group in X25519MLKEM768 SecP384r1MLKEM1024; do exchange "$alg" "$group"; done
  done
  for group in SecP256r1MLKEM768 MLKEM512 MLKEM768 MLKEM1024 P-256; do exchange ML-DSA-65 "$group"; done
}

# exchange ALG GROUP: mutual authentication, each side once as server and once as client.
exchange() {
  local alg=$1 group=$2 verdict
  serve --client-ca "t-$alg-root.pem" --cert "o-$alg.pem" --key "o-$alg.key" --group "$group"
  verdict=$(both client -groups "$group" -CAfile "o-$alg-root.pem" -cert "t-$alg.pem" -key "t-$alg.key" -- client -groups "$group" -CAfile alien-root.pem -cert "t-$alg.pem" -key "t-$alg.key")
  kill %% 2>/dev/null || true
  wait %% 2>/dev/null || true
  said "TLS, mutual" "$alg, $group" Hasten OpenSSL "$verdict"
  port=$((20000 + RANDOM % 20000))
  rm -f accepted
  "$openssl" s_server -accept "127.0.0.1:$port" -tls1_3 -rev -Verify 1 -verify_return_error -CAfile "o-$alg-root.pem" -cert "t-$alg.pem" -key "t-$alg.key" -groups "$group" >accepted 2>&1 &
  for _ in $(seq 50); do
    grep -qs ACCEPT accepted && break
    sleep 0.1
  done
  verdict=$(both connect "$alg" "$group" "t-$alg-root.pem" -- connect "$alg" "$group" stranger-root.pem)
  kill %% 2>/dev/null || true
  wait %% 2>/dev/null || true
  said "TLS, mutual" "$alg, $group" OpenSSL Hasten "$verdict"
}

# connect ALG GROUP ROOT: a client of ours; OpenSSL answers with each line reversed.
connect() {
  printf 'abc\n' | "$hasten" connect "127.0.0.1:$port" --ca "$3" --cert "o-$1.pem" --key "o-$1.key" --group "$2" --send - --timeout 20s | grep -q cba
}

certificates
tls
echo
echo "$exchanges exchanges, $wrong judged wrongly; $("$openssl" version | cut -d' ' -f1,2)"
if [ "$markdown" = --markdown ]; then
  printf '| what | with | from | to | as it must be |\n| --- | --- | --- | --- | --- |\n'
  printf '%s\n' "${rows[@]}"
fi
[ "$wrong" -eq 0 ]
