# shellcheck shell=bash
# OpenSSL 3.5 as a peer. Sourced by tls.sh, never run.
# shellcheck disable=SC2034,SC2154

openssl_prepare() {
  openssl=$("$top/checks/interop/aside.sh" trixie openssl usr/bin/openssl)
  versions+=("$("$openssl" version | cut -d' ' -f1,2)")
  openssl_issue Ed25519 openssl-alien
}

# OpenSSL's names of our algorithms.
openssl_key() {
  case $1 in
  ECDSA-P-256) "$openssl" genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$2" ;;
  RSA-2048) "$openssl" genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$2" ;;
  *) "$openssl" genpkey -algorithm "$1" -out "$2" ;;
  esac 2>/dev/null
}

openssl_issue() {
  openssl_key "$1" "$2-root.key"
  "$openssl" req -x509 -new -key "$2-root.key" -subj "/CN=$2 root" -days 30 -out "$2-root.pem"
  openssl_key "$1" "$2.key"
  "$openssl" req -new -key "$2.key" -subj "/CN=localhost" -out "$2.csr"
  printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\nbasicConstraints=CA:FALSE\n' >ext
  "$openssl" x509 -req -in "$2.csr" -CA "$2-root.pem" -CAkey "$2-root.key" -days 20 -extfile ext -out "$2.pem" 2>/dev/null
}

openssl_verify() { "$openssl" verify -CAfile "$3" "$2"; }

openssl_serve() {
  port=$((20000 + RANDOM % 12000)) # below those that connections take
  rm -f accepted
  "$openssl" s_server -accept "127.0.0.1:$port" -tls1_3 -rev -Verify 1 -verify_return_error -CAfile "$3" -cert "$2.pem" -key "$2.key" -groups "$1" >accepted 2>&1 &
  wait_for accepted ACCEPT
}

openssl_connect() {
  echo hello | timeout 60 "$openssl" s_client -connect "127.0.0.1:$port" -servername localhost -tls1_3 -verify_return_error -groups "$1" -CAfile "$3" -cert "$2.pem" -key "$2.key"
}

openssl_exchanges() {
  local alg group
  for alg in ML-DSA-44 ML-DSA-65 ML-DSA-87 SLH-DSA-SHA2-128s SLH-DSA-SHA2-128f SLH-DSA-SHAKE-128f SLH-DSA-SHAKE-256f ECDSA-P-256 RSA-2048 Ed25519; do
    certificate openssl "$alg"
  done
  for alg in ML-DSA-44 ML-DSA-65 ML-DSA-87 ECDSA-P-256 RSA-2048 Ed25519; do
    for group in X25519MLKEM768 SecP384r1MLKEM1024; do exchange openssl "$alg" "$group" cba; done
  done
  for group in SecP256r1MLKEM768 MLKEM512 MLKEM768 MLKEM1024 P-256 ffdhe2048; do exchange openssl ML-DSA-65 "$group" cba; done
}
