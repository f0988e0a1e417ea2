# shellcheck shell=bash
# How a part of ./test, or a script that it runs, tells that it tests nothing. Sourced, never run.

# has_piece PART/PIECE: no need of it is known to be out of reach.
has_piece() { case " ${HASTEN_SKIPPED:-} " in *" $1 "*) return 1 ;; esac; }

# skip NAME WHY WAY: the part NAME, or a piece PART/PIECE of it, finds only now that it cannot test
# anything; WAY is a command or a deed that would make it run. The part goes on, or ends with 0.
skip() {
  printf 'SKIPPED: %s: %s (%s)\n' "$1" "$2" "$3"
  [ -z "${HASTEN_SKIPS:-}" ] || printf '%s\t%s\t%s\n' "$1" "$2" "$3" >>"$HASTEN_SKIPS"
}
export -f has_piece skip
