# shellcheck shell=bash
# What the exchanges of signatures and keys share. Sourced, never run.

wrong=0 exchanges=0

# judge GOOD WHAT: counts an exchange, and shows what came of a bad one.
judge() {
  exchanges=$((exchanges + 1))
  if [ "$1" = yes ]; then echo "good  $2"; else
    echo "BAD   $2"
    cat log
    wrong=$((wrong + 1))
  fi
}

# said WHAT COMMAND...: what must succeed.
said() {
  local what=$1 good=no
  shift
  if "$@" >log 2>&1; then good=yes; fi
  judge $good "$what"
}

# refused_with WORDS WHAT COMMAND...: what must fail with these words, a pattern; any, if empty.
refused_with() {
  local words=$1 what=$2 good=no
  shift 2
  if ! "$@" >log 2>&1 && { [ -z "$words" ] || grep -q -e "$words" log; }; then good=yes; fi
  judge $good "$what"
}

# tally: the count; fails if an exchange was bad.
tally() {
  echo "$exchanges exchanges, $wrong wrong"
  [ "$wrong" -eq 0 ]
}
