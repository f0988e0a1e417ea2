# shellcheck shell=bash disable=SC2034,SC2154 # lists of tools/needs.sh
# Runs a list of named parts and says what came of each. Sourced by ./test, never run; setup.sh,
# skip.sh and needs.sh of this folder come before it.
#
# A part that cannot test anything here is skipped, never passed: at once, if a need of it cannot be
# had, or when it says so itself. So is a piece of a part, named PART/PIECE, which counts by itself.

names=()
whats=()
commands=()
quick=()
full=()
beside=()
alone=()
declare -A needs_of=() pieces_of=()
logs=$(realpath -m "${CARGO_TARGET_DIR:-target}/test-logs")
# A part that takes more minutes than this is stopped, and has failed: the others go on without it.
part_minutes=${HASTEN_PART_MINUTES:-30}

# part NAME WHAT NEEDS COMMAND [ARGUMENT...]: a part of the whole. NEEDS are words of needs.sh. All
# that follow take the same arguments.
part() {
  full+=("${#names[@]}")
  name_part "$@"
}

# beside_part ...: a part of the whole that runs beside those after it. Such parts run one after
# the other. They leave a processor idle, or wait for no build. Together they should take about as
# long as all the others.
beside_part() {
  beside+=("${#names[@]}")
  part "$@"
}

# alone_part ...: a part of the whole beside which nothing runs: it begins when those beside have
# ended.
alone_part() {
  alone+=("${#names[@]}")
  part "$@"
}

# quick_part ...: a part of the whole, and of --quick.
quick_part() {
  quick+=("${#names[@]}")
  part "$@"
}

# quick_only ...: a part of --quick, which the whole holds in a longer form.
quick_only() {
  quick+=("${#names[@]}")
  name_part "$@"
}

# quick_beside ...: as quick_only, and runs beside the parts after it.
quick_beside() {
  beside+=("${#names[@]}")
  quick_only "$@"
}

name_part() {
  names+=("$1")
  whats+=("$2")
  add_needs "$1" "$3"
  shift 3
  commands+=("$(printf '%q ' "$@")")
}

# piece PART/PIECE NEEDS: what the part tests only where these are. Its function asks has_piece.
piece() {
  index_of "${1%%/*}" >/dev/null || { say "There is no part for the piece $1."; exit 2; }
  add_needs "$1" "$2"
  pieces_of[${1%%/*}]+=" ${1#*/}"
}

# add_needs NAME NEEDS
add_needs() {
  # shellcheck disable=SC2086
  if [ -z "$2" ] || ! check_words $2; then
    say "The part or piece $1 has to name what it needs, or 'nothing'."
    exit 2
  fi
  needs_of[$1]=$2
}

usage() {
  cat <<'U'
Usage: ./test [--times] [PART...]     runs every part, or those named; --times adds the CPU's minutes of each
       ./test --quick                 formatting, lints, layers, unit tests, one simulation of each core
       ./test --prepare [PART...]     brings what is missing for them, and runs none
       ./test --list                  names the parts; a star marks those of --quick
Example: ./test fmt clippy
A part that cannot be tested here, or a piece of it, is skipped and counted apart. With CI=true that
is a failure unless HASTEN_MAY_SKIP names it, with a blank between names.
Exit status: 0 all passed, 1 a part failed, 2 usage or something missing.
U
}

list_parts() {
  local i star
  for i in "${!names[@]}"; do
    star=" "
    case " ${quick[*]} " in *" $i "*) star="*" ;; esac
    printf '%-12s %s %s\n' "${names[$i]}" "$star" "${whats[$i]}"
  done
}

# index_of NAME: prints the part's place, or fails.
index_of() {
  local i
  for i in "${!names[@]}"; do
    if [ "${names[$i]}" = "$1" ]; then
      printf '%s' "$i"
      return 0
    fi
  done
  return 1
}

# count_tests LOG: the sum of what `cargo test` says, or nothing.
count_tests() {
  awk '/^test result:/ { for (i = 2; i <= NF; i++) if ($i == "passed;") n += $(i - 1); seen = 1 }
       END { if (seen) printf "%d tests", n }' "$1"
}

# seconds_in FILE: the seconds of processor time of children in what `times` has printed.
seconds_in() {
  awk -F '[ms ]' 'NR == 2 { s = $1 * 60 + $2 + $4 * 60 + $5 } END { print int(s) }' "$1"
}

minutes() { awk -v s="$1" 'BEGIN { printf "%.1f", s / 60 }'; }

# run_one INDEX: runs the part, everything it prints shown and kept. Leaves its status, its seconds
# and those of the processor in NAME.result beside its log.
run_one() {
  local name=${names[$1]} status start=$SECONDS
  local -x HASTEN_TEST_PART=$name.$$ HASTEN_SKIPS=$logs/$name.skips
  if [ -n "${skip_why[$name]:-}" ]; then
    echo "SKIPPED: $name: ${skip_why[$name]}" | tee "$logs/$name.log"
    echo "0 0 0" >"$logs/$name.result"
    return
  fi
  touch "$logs/$name.pid"
  watch_part "$name" >/dev/null 2>&1 </dev/null &
  (
    echo "$BASHPID" >"$logs/$name.pid"
    trap 'times >"$logs/$name.cpu"; [ ! -e "$logs/$name.pid" ] || : >"$logs/$name.pid"' EXIT
    eval "${commands[$1]}"
  ) 2>&1 | tee "$logs/$name.log"
  status=${PIPESTATUS[0]}
  rm "$logs/$name.pid"
  if [ -e "$logs/$name.late" ]; then
    status=1
    tee -a "$logs/$name.log" <"$logs/$name.late"
  fi
  echo "$status $((SECONDS - start)) $(seconds_in "$logs/$name.cpu")" >"$logs/$name.ended"
  rm -f "$logs/$name".{cpu,late}
  mv "$logs/$name.ended" "$logs/$name.result"
}

# watch_part NAME: ends with the part, which it stops when its minutes are over.
watch_part() {
  local pid=$logs/$1.pid end=$((SECONDS + part_minutes * 60))
  while [ -e "$pid" ] && [ $SECONDS -lt $end ]; do sleep 1; done
  [ -e "$pid" ] || return 0
  {
    echo "STOPPED: the part $1 took more than $part_minutes minutes. These of its programs ran:"
    programs_of "$1"
  } >"$logs/$1.late"
  # It is empty where the part itself has ended, and a program that it left behind has not.
  [ ! -s "$pid" ] || kill "$(cat "$pid")"
  while [ -e "$pid" ]; do
    pids_of "$1" | xargs -r kill -9
    sleep 1
  done
}

# pids_of NAME: the programs that the part has started, also those that it has left behind.
pids_of() { grep -lzx "HASTEN_TEST_PART=$1.$$" /proc/[0-9]*/environ 2>/dev/null | cut -d / -f 3; }

# programs_of NAME: the same, each with its arguments.
programs_of() {
  local pid line
  for pid in $(pids_of "$1"); do
    line=$(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | cut -c 1-200)
    [ -z "$line" ] || printf '%7s %s\n' "$pid" "$line"
  done
}

# Says what runs, for one who waited in vain.
say_running() {
  local file name
  for file in "$logs"/*.pid; do
    name=$(basename "$file" .pid)
    [ ! -e "$file" ] || printf 'The part %s ran:\n%s\n' "$name" "$(programs_of "$name")"
  done
}

run_parts() {
  local times=0 prepare_only=0 chosen=("${full[@]}") named=() chosen_names=() i
  while [ $# -gt 0 ]; do
    case $1 in
    --times) times=1 ;;
    --prepare) prepare_only=1 ;;
    --quick) chosen=("${quick[@]}") ;;
    --list)
      list_parts
      exit 0
      ;;
    -h | --help)
      usage
      exit 0
      ;;
    -*)
      say "No such option: $1"
      usage >&2
      exit 2
      ;;
    *)
      i=$(index_of "$1") || {
        say "No such part: $1. The parts are: ${names[*]}"
        exit 2
      }
      named+=("$i")
      ;;
    esac
    shift
  done
  [ ${#named[@]} -eq 0 ] || chosen=("${named[@]}")
  mkdir -p "$logs"
  for i in "${chosen[@]}"; do chosen_names+=("${names[$i]}"); done
  prepare "${chosen_names[@]}"
  export HASTEN_SKIPPED="${!skip_why[*]}"
  if [ $prepare_only -eq 1 ]; then
    say "Ready.${HASTEN_SKIPPED:+ Not to be tested here: $HASTEN_SKIPPED}"
    exit 0
  fi
  need_state_place
  [ ${#named[@]} -gt 0 ] || build_once
  run_chosen "$times" $((${#named[@]} == 0)) "${chosen[@]}"
}

# Makes cargo build for one run, of all parts or of --quick, which so take the same builds. A run
# builds each crate once for each set of features; without this, half of the target folder would be
# there to build it again, a quarter to debug it. A crate in two pieces takes the compiler up to a
# quarter less time than one in sixteen, which are optimised across once more.
build_once() {
  export CARGO_INCREMENTAL=${CARGO_INCREMENTAL:-0} CARGO_PROFILE_DEV_DEBUG=${CARGO_PROFILE_DEV_DEBUG:-false}
  export CARGO_PROFILE_DEV_CODEGEN_UNITS=${CARGO_PROFILE_DEV_CODEGEN_UNITS:-2} CARGO_PROFILE_DEV_LTO=${CARGO_PROFILE_DEV_LTO:-off}
}

# run_chosen TIMES TOGETHER INDEX...: with TOGETHER parts that may run beside others do.
run_chosen() {
  local times=$1 together=$2 begin=$SECONDS lines=() failed=() skipped=() passed=0 place=0
  local count=$(($# - 2)) row=() runner='' i name
  local -A why_of=() way_of=()
  shift 2
  rm -f "$logs"/*.{result,pid,late,skips}
  for name in "${!skip_why[@]}"; do
    printf '%s\t%s\t%s\n' "$name" "${skip_why[$name]}" "${skip_way[$name]}" >>"$logs/${name%%/*}.skips"
  done
  trap 'say_running; stop_beside; rm -f "$logs"/*.pid; printf "\nStopped.\n"; exit 130' INT TERM
  for i in "$@"; do
    if [ "$together" -eq 1 ] && is_in "$i" "${beside[@]}"; then
      [ -n "$runner" ] || start_beside "$@"
    else
      if is_in "$i" "${alone[@]}"; then end_beside; fi
      say_part "$i"
      run_one "$i"
      tell "$i"
      tell_beside
    fi
  done
  end_beside
  summary
}

# is_in INDEX INDEX...: the first is one of the others.
is_in() {
  local one=$1
  shift
  case " $* " in *" $one "*) return 0 ;; esac
  return 1
}

# start_beside INDEX...: starts those of these parts that run beside others, as a group of processes
# by which they can be stopped. They see `is_beside`. A terminal, where there is one, would stop a
# program of such a group that reads or sets it.
start_beside() {
  local one
  row=()
  for one in "$@"; do ! is_in "$one" "${beside[@]}" || row+=("$one"); done
  printf '\n== beside what follows:'
  for i in "${row[@]}"; do printf ' %s' "${names[$i]}"; done
  printf '\n'
  set -m
  (trap '' TTIN TTOU; export is_beside=1; for i in "${row[@]}"; do run_one "$i"; done) >/dev/null 2>&1 </dev/null &
  runner=$!
  set +m
}

# end_beside: waits for the parts beside, and says what came of them.
end_beside() {
  [ -z "$runner" ] || wait "$runner"
  tell_beside
}

stop_beside() { [ -z "$runner" ] || kill -- "-$runner" 2>/dev/null; }

# Says what came of the parts beside that have ended since it was asked last, and takes them out of
# `row`.
tell_beside() {
  local i left=()
  for i in "${row[@]+"${row[@]}"}"; do
    if [ -e "$logs/${names[$i]}.result" ]; then
      say_part "$i"
      cat "$logs/${names[$i]}.log"
      tell "$i"
    else
      left+=("$i")
    fi
  done
  row=("${left[@]+"${left[@]}"}")
}

say_part() {
  place=$((place + 1))
  printf '\n== [%s/%s] %s: %s\n' "$place" "$count" "${names[$1]}" "${whats[$1]}"
}

# tell INDEX: says what came of the part and of its pieces, and keeps its line of the summary.
tell() {
  local status seconds cpu name=${names[$1]} word=ok
  read -r status seconds cpu <"$logs/$name.result"
  [ "$status" -eq 0 ] || word=FAILED
  take_skips "$name"
  case $word in
  ok) passed=$((passed + 1)) ;;
  FAILED) failed+=("$name") ;;
  esac
  lines+=("$(summary_line "$1" "$word" "$seconds" "$cpu" "$times")")
  printf '== %s: %s after %s min; %s min in all\n' "$name" "$word" \
    "$(minutes "$seconds")" "$(minutes $((SECONDS - begin)))"
}

# take_skips NAME: counts what the part has skipped of itself, and sets `word` of its caller. A skip
# that is not allowed makes the part fail. One that has failed anyway is not skipped, too.
take_skips() {
  local piece why way
  [ -e "$logs/$1.skips" ] || return 0
  while IFS=$'\t' read -r piece why way; do
    if [ "${CI:-}" = true ] && ! is_in "$piece" ${HASTEN_MAY_SKIP:-}; then
      word=FAILED
      printf 'FAILED: %s was not tested: %s. With CI=true it has to be, unless HASTEN_MAY_SKIP names it.\n' "$piece" "$why" |
        tee -a "$logs/$1.log"
    elif [ -z "${why_of[$piece]:-}" ] && { [ "$piece" != "$1" ] || [ $word = ok ]; }; then
      skipped+=("$piece")
      [ "$piece" != "$1" ] || word=skipped
    fi
    why_of[$piece]=$why way_of[$piece]=$way
  done < <(sort -u "$logs/$1.skips")
}

# at_once COMMAND...: runs the commands, as many at a time as there are CPUs; the longest should
# come first. Shows what each has printed when it has ended. Fails if one of them fails.
at_once() {
  printf '%s\0' "$@" | xargs -0 -P "$(nproc)" -I '{}' bash -c '
    start=$SECONDS
    said=$(eval "$1" 2>&1)
    status=$?
    printf "%s\n-- %s: %s s\n" "$said" "$1" $((SECONDS - start))
    [ $status -eq 0 ] || { printf "FAILED: %s\n" "$1"; exit 1; }' _ '{}'
}

# summary_line INDEX WORD SECONDS CPU_SECONDS TIMES
summary_line() {
  local name=${names[$1]} time
  time="$(minutes "$3") min"
  [ "$5" -eq 0 ] || time="$time, $(minutes "$4") of CPU"
  printf '%-12s %-7s %22s  %s' "$name" "$2" "$time" "$(count_tests "$logs/$name.log")"
  sed -n "s/^\(NOTE: \)/\n             \1/p" "$logs/$name.log"
}

# summary: reads the lists of its caller. Fails if a part has failed.
summary() {
  printf '\n'
  printf '%s\n' "${lines[@]}"
  [ ${#skipped[@]} -eq 0 ] || say_skipped
  if [ ${#failed[@]} -gt 0 ]; then
    printf '\nFailed: %s\nRun again with: ./test %s\n' "${failed[*]}" "${failed[*]}"
  fi
  printf '%d passed, %d failed, %d skipped\n' "$passed" "${#failed[@]}" "${#skipped[@]}"
  [ ${#failed[@]} -eq 0 ]
}

# Says what was not tested, why, and the commands that would make it run, each once.
say_skipped() {
  local name way ways parts
  printf '\nSkipped, and so not tested:\n'
  for name in "${skipped[@]}"; do printf '  %-24s %s\n' "$name" "${why_of[$name]}"; done
  ways=$(for name in "${skipped[@]}"; do printf '%s\n' "${way_of[$name]}"; done | awk '!seen[$0]++')
  while read -r way; do
    parts=$(for name in "${skipped[@]}"; do [ "${way_of[$name]}" != "$way" ] || printf '%s\n' "${name%%/*}"; done | awk '!seen[$0]++' | paste -sd ' ')
    printf 'To test %s: %s\n  then ./test %s\n' "$parts" "$way" "$parts"
  done <<<"$ways"
}
