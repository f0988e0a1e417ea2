# shellcheck shell=bash
# Go as a peer: its toolchain comes through Go's own proxy, as checks/interop/go/go.mod pins it.
# Sourced by tls.sh, never run.
# shellcheck disable=SC2034,SC2154

go_prepare() {
  local toolchain
  toolchain=$(sed -n 's/^toolchain //p' "$top/checks/interop/go/go.mod")
  (cd "$top/checks/interop/go" && GOTOOLCHAIN=$toolchain go build -o "$place/gopeer" .)
  versions+=("Go ${toolchain#go}")
  go_issue Ed25519 go-alien
}

go_issue() { "$place/gopeer" issue "$1" "$2"; }
go_verify() { "$place/gopeer" verify "$2" "$3"; }

go_serve() {
  rm -f accepted
  "$place/gopeer" serve "$1" "$2.pem" "$2.key" "$3" >accepted 2>&1 &
  wait_for accepted 'listening on'
  port=$(sed -n 's/.*:\([0-9]*\)$/\1/p;q' accepted)
}

go_connect() { timeout 60 "$place/gopeer" connect "$1" "127.0.0.1:$port" "$3" "$2.pem" "$2.key" | grep -q hello; }

go_exchanges() {
  local alg group
  for alg in ML-DSA-44 ML-DSA-65 ML-DSA-87; do
    certificate go "$alg"
    exchange go "$alg" X25519MLKEM768
  done
  for group in SecP256r1MLKEM768 SecP384r1MLKEM1024 MLKEM1024; do exchange go ML-DSA-65 "$group"; done
  exchange go ECDSA-P-256 X25519MLKEM768
}
