# shellcheck shell=bash
# The line protocol of `hasten --witness exec:COMMAND`, for helpers in bash. Sourced, never run.
#
# The helper defines two functions and calls `serve`:
#   cell_read        prints the word, or nothing if there is none; fails if it cannot be learned
#   cell_swap OLD NEW  replaces OLD (`-` for none) by NEW in one step. Status 0: done. 3: the cell
#                    holds something else. Any other status: the outcome is not known.
# The user sees what they print on the error stream.

# fail TEXT: ends the helper before it serves.
fail() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 2
}

# check_name NAME: the name of a cell, which becomes part of file names, references and URLs.
check_name() {
  case $1 in
    "" | -* | .* | */.* | *..* | */ | *//* | *[!A-Za-z0-9._/-]*)
      fail "the name of a cell has letters, digits and . _ - / and begins with one of the first two" ;;
  esac
}

is_word() {
  case $1 in
    "" | *[!A-Za-z0-9.]*) return 1 ;;
  esac
  [ "${#1}" -le 160 ]
}

# Its variables begin with _: the two functions see them.
serve() {
  local _line _what _old _new _more _word
  while IFS= read -r _line; do
    read -r _what _old _new _more <<<"$_line"
    case $_what in
      hasten-witness) echo "hasten-witness 1" ;;
      read)
        if ! _word=$(cell_read); then
          echo "error the cell could not be read"
        elif [ -z "$_word" ]; then
          echo empty
        elif is_word "$_word"; then
          echo "value $_word"
        else
          echo "error the cell holds something else than a word"
        fi
        ;;
      swap)
        if ! is_word "$_new" || { [ "$_old" != - ] && ! is_word "$_old"; } || [ -n "$_more" ]; then
          echo "error not a request"
          continue
        fi
        cell_swap "$_old" "$_new"
        case $? in
          0) echo "done" ;;
          3) echo differs ;;
          *) echo "error the outcome of the swap is not known" ;;
        esac
        ;;
      *) echo "error not a request" ;;
    esac
  done
}
