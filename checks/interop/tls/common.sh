# shellcheck shell=bash
# What the exchanges of certificates and connections share. Sourced by tls.sh, never run.
#
# A peer P has a label here and P_prepare, which issues a root `P-alien` that signs nothing here;
# P_issue ALG NAME (a root and a leaf); P_verify ALG LEAF ROOT; P_serve GROUP NAME CLIENT-ROOT,
# which sets `port`; P_connect GROUP NAME ROOT; P_exchanges.
# shellcheck disable=SC2034,SC2154 # variables of tls.sh and of the peers

wrong=0 exchanges=0 rows=() versions=() port=0 label=
all_peers=(openssl go bouncycastle)
declare -A labels=([openssl]=OpenSSL [go]=Go [bouncycastle]="Bouncy Castle")

# table: what was exchanged, as Markdown.
table() {
  printf '| what | with | from | to | as it must be |\n| --- | --- | --- | --- | --- |\n'
  printf '%s\n' "${rows[@]}"
}

# list_exchanges: what would be exchanged with every peer, without a verdict; nothing is run.
list_exchanges() (
  hasten=unused
  for name in judge both ours serve stop connect; do eval "$name() { :; }"; done
  said() { echo "| $1 | $2 | $3 | $4 |"; }
  for peer in "${all_peers[@]}"; do
    label=${labels[$peer]}
    for name in issue verify serve connect; do eval "${peer}_$name() { :; }"; done
    "${peer}_exchanges"
  done
)

# write_page: the table and the count into the page, between its marks.
write_page() {
  local made
  made=$(table && echo && echo "$exchanges exchanges in one run, $wrong judged wrongly; $(printf '%s, ' "${versions[@]}" | sed 's/, $/./')")
  awk -v made="$made" '/^<!-- exchanges/ { print; print made; skip = 1 } /^<!-- end/ { skip = 0 } !skip' "$page" >"$place/page"
  cp "$place/page" "$page"
}

# said WHAT DETAIL FROM TO good|bad: the line on one exchange.
said() {
  exchanges=$((exchanges + 1))
  [ "$5" = good ] || {
    wrong=$((wrong + 1))
    tail -5 log 2>/dev/null || true
  }
  printf '%-5s %-13s %-50s %s -> %s\n' "$5" "$1" "$2" "$3" "$4"
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

# ours ALG NAME: a root and a leaf under it by Hasten. A stateful root signs a leaf of SLH-DSA.
ours() {
  local leaf=$1 store=() ca_store=()
  case $1 in
  XMSS* | HSS* | LMS*)
    leaf=SLH-DSA-SHA2-128f
    store=(--store "$2-store")
    ca_store=(--ca-store "$2-store")
    ;;
  esac
  "$hasten" cert root --alg "$1" --name "$2 root" "${store[@]}" --out "$2-root" >/dev/null
  "$hasten" cert leaf --alg "$leaf" --dns localhost --ip 127.0.0.1 --ca "$2-root" "${ca_store[@]}" --out "$2" >/dev/null
}

# file_name ALG: the algorithm's name without what a file name cannot hold.
file_name() { printf '%s' "$1" | tr '/(), ' '_____'; }

# certificate PEER ALG: issued by each and verified by the other, and refused under another root.
certificate() {
  local peer=$1 alg=$2 name
  name=$(file_name "$alg")
  [ -e "$peer-$name.pem" ] || "${peer}_issue" "$alg" "$peer-$name"
  [ -e "o-$name.pem" ] || ours "$alg" "o-$name"
  said certificate "$alg" "$label" Hasten "$(both "$hasten" cert verify "$peer-$name.pem" --ca "$peer-$name-root.pem" --dns localhost -- "$hasten" cert verify "$peer-$name.pem" --ca "$peer-alien-root.pem")"
  said certificate "$alg" Hasten "$label" "$(both "${peer}_verify" "$alg" "o-$name.pem" "o-$name-root.pem" -- "${peer}_verify" "$alg" "o-$name.pem" stranger-root.pem)"
}

# wait_for FILE TEXT: until a server that was started says so.
wait_for() {
  for _ in $(seq 600); do
    grep -qs "$2" "$1" && return 0
    sleep 0.1
  done
  cat "$1" >&2
  return 1
}

# serve ARGUMENTS...: a server of ours; its port in $port.
serve() {
  rm -f served
  "$hasten" serve --listen 127.0.0.1:0 --timeout 60s "$@" >served 2>&1 &
  wait_for served 'listening on'
  port=$(sed -n 's/.*:\([0-9]*\)$/\1/p;q' served)
}

# The server started last.
stop() {
  kill %% 2>/dev/null || true
  wait %% 2>/dev/null || true
}

# connect NAME GROUP ROOT ANSWER: a client of ours, and what it must be answered to "abc".
connect() {
  printf 'abc\n' | "$hasten" connect "127.0.0.1:$port" --ca "$3" --cert "$1.pem" --key "$1.key" --group "$2" --send - --timeout 60s --name localhost | grep -q "$4"
}

# exchange PEER ALG GROUP [ANSWER]: mutual authentication, each side once as server and once as
# client.
exchange() {
  local peer=$1 alg=$2 group=$3 answer=${4:-abc} name verdict
  name=$(file_name "$alg")
  [ -e "$peer-$name.pem" ] || "${peer}_issue" "$alg" "$peer-$name"
  [ -e "o-$name.pem" ] || ours "$alg" "o-$name"
  serve --client-ca "$peer-$name-root.pem" --cert "o-$name.pem" --key "o-$name.key" --group "$group"
  verdict=$(both "${peer}_connect" "$group" "$peer-$name" "o-$name-root.pem" -- "${peer}_connect" "$group" "$peer-$name" "$peer-alien-root.pem")
  stop
  said "TLS, mutual" "$alg, $group" Hasten "$label" "$verdict"
  "${peer}_serve" "$group" "$peer-$name" "o-$name-root.pem"
  verdict=$(both connect "o-$name" "$group" "$peer-$name-root.pem" "$answer" -- connect "o-$name" "$group" stranger-root.pem "$answer")
  stop
  said "TLS, mutual" "$alg, $group" "$label" Hasten "$verdict"
}
