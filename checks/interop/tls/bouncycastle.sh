# shellcheck shell=bash
# Bouncy Castle as a peer: the only one here whose TLS has SLH-DSA, and whose certificates have HSS,
# XMSS and Falcon. Sourced by tls.sh, never run.
# shellcheck disable=SC2034,SC2154

# shellcheck source=checks/interop/bouncycastle.sh
. "$top/checks/interop/bouncycastle.sh"

bouncycastle_prepare() {
  compile_bouncycastle "$place"
  versions+=("Bouncy Castle 1.84")
  bouncycastle_issue ML-DSA-44 bouncycastle-alien
}

# java_for NAME ARGUMENTS...: a program with the group in $group, if any, and the schemes of these
# exchanges. With become=exec it takes the shell's place, so that what stops the shell stops the
# program.
java_for() {
  local schemes=slhdsa_sha2_128f,slhdsa_shake_128f,mldsa44,mldsa65
  ${become:-} java -XX:TieredStopAtLevel=1 "-Djdk.tls.namedGroups=${group:-X25519MLKEM768}" "-Djdk.tls.client.SignatureSchemes=$schemes" "-Djdk.tls.server.SignatureSchemes=$schemes" -cp "$classes" "$@"
}

bouncycastle_issue() {
  case $1 in
  SLH-DSA* | ML-DSA*) java_for Tls issue "$(printf '%s' "$1" | tr '[:lower:]' '[:upper:]')" "$2" ;;
  *) java_for Certificates issue "$1" "$2" ;;
  esac
}

bouncycastle_verify() { java_for Certificates verify "$1" "$3" "$2" | grep -q ' good$'; }

bouncycastle_serve() {
  local group=$1
  rm -f accepted
  become="exec" java_for Tls serve "$2.pem" "$2.key" "$3" >accepted 2>&1 &
  wait_for accepted 'listening on'
  port=$(sed -n 's/^listening on //p' accepted)
}

bouncycastle_connect() {
  local group=$1
  java_for Tls connect "$port" "$3" "$2.pem" "$2.key" | grep -q hello
}

bouncycastle_exchanges() {
  local alg
  for alg in 'HSS(LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W4)' \
    'HSS(LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W8,LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W4)' \
    XMSS-SHA2_10_256 XMSSMT-SHA2_20/4_256 Falcon-512 Falcon-1024; do
    certificate bouncycastle "$alg"
  done
  for alg in SLH-DSA-SHA2-128f SLH-DSA-SHAKE-128f ML-DSA-65; do exchange bouncycastle "$alg" X25519MLKEM768; done
}
