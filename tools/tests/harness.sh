#!/usr/bin/env bash
# Tests ./test itself, with parts and programs of its own, in some seconds: what is skipped is
# counted and never passed, what is missing is found before anything runs, a part that fails or
# takes too long fails.
#
#   tools/tests/harness.sh
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir -p "$place"/{tools,bin,home}
cp "$top"/tools/*.sh "$place/tools"
cd "$place"
unset CI HASTEN_MAY_SKIP HASTEN_SKIPS HASTEN_SKIPPED HASTEN_TEST_PART CARGO_TARGET_DIR

cat >./test <<'END'
#!/usr/bin/env bash
set -uo pipefail
for file in setup skip needs parts; do . tools/$file.sh; done
need moon moon-program moon-package "shines"
need sun sun-program sun-package "shines, too"
need old old-program old-package "is too old here" 9
late() { skip late "the moon is down" "wait for the moon"; }
some() { has_piece some/far && touch ran-far; ! has_piece some/near || touch ran-near; }
part good "passes" nothing true
part bad "fails" nothing false
part far "takes another Rust" "rustup:9.9 sun" touch ran
part late "finds later that it cannot" nothing late
part some "of which a piece cannot be had" nothing some
piece some/far rust:moon-unknown-none
piece some/near nothing
part none "of which no piece can be had" a-piece touch ran
piece none/one rust:moon-unknown-none
piece none/two rust:sun-unknown-none
part moon "takes a package" moon touch ran
part old "takes a newer package than there is" "old sun" touch ran
part slow "takes too long" nothing sleep 30
run_parts "$@"
END
# program NAME LINE...: a program of this test's own, first on the path.
program() {
  local name=$1
  shift
  printf '%s\n' '#!/bin/sh' "$@" >"bin/$name"
  chmod +x "bin/$name"
}
program cc 'exit 0'
program cargo 'echo cargo 1.99.0'
program rustc 'case "$1" in --version) echo rustc 1.99.0 ;; *) echo /nowhere ;; esac'
program sudo 'exit 1'
program apt-cache 'echo "  Candidate: 2"'
program apt-get 'case "$*" in *indextargets*) echo lists ;; *) echo "$*" >>"$PWD/asked" ;; esac' \
  'case "$*" in *install*) touch bin/moon-program; chmod +x bin/moon-program ;; esac'

# run STATUS [VARIABLE=VALUE...] PART...: runs parts as user, and fails if the status is another.
run() {
  local wanted=$1 status=0
  shift
  rm -f ran ran-far ran-near asked bin/moon-program
  program id "echo $user"
  env HOME="$place/home" PATH="$place/bin:/usr/bin:/bin" TMPDIR="${TMPDIR:-/tmp}" "${@:1:$variables}" bash ./test "${@:$variables+1}" \
    >said 2>&1 </dev/null || status=$?
  [ "$status" -eq "$wanted" ] || fail "status $status, not $wanted: $*"
}
fail() {
  cat said >&2
  echo "harness: $*" >&2
  exit 1
}
says() { grep -qF -- "$1" said || fail "it does not say: $1"; }
ends() { [ "$(tail -n 1 said)" = "$1" ] || fail "the last line is not: $1"; }
without() { [ ! -e "$1" ] || fail "there is $1"; }

user=0 variables=0
run 0 good
ends "1 passed, 0 failed, 0 skipped"
run 1 good bad
says "Run again with: ./test bad"
ends "1 passed, 1 failed, 0 skipped"

run 0 --prepare bad far
says "Not to be tested here: far"
! grep -q '^== ' said || fail "a part ran"

# Skipped at once, later, and in a piece; named, with the way; and nothing is installed for it.
run 0 good far late some none old
ends "2 passed, 0 failed, 5 skipped"
for name in far late some/far none old; do says "  $name "; done
says "To test far some none: "
says "rustup"
says "To test late: wait for the moon"
without asked
without ran
without ran-far
[ -e ran-near ] || fail "the other piece did not run"

variables=1
run 1 CI=true good far
says "FAILED: far was not tested: only rustup brings Rust 9.9"
ends "1 passed, 1 failed, 0 skipped"
run 1 CI=true some
ends "0 passed, 1 failed, 0 skipped"
variables=2
run 0 CI=true "HASTEN_MAY_SKIP=far late some/far" good far late some
ends "2 passed, 0 failed, 3 skipped"

# A user without root gets one command, and nothing has run or been installed.
user=1000 variables=0
run 2 good moon far
says "  moon-package "
says "  sudo apt-get update && sudo apt-get install -y --no-install-recommends moon-package"
[ "$(grep -c 'apt-get install' said)" -eq 1 ] || fail "more than one command"
! grep -q '^== ' said || fail "a part ran before"
without asked
without ran

# Root has it installed by the same, after the lists.
user=0
run 0 good moon far
ends "2 passed, 0 failed, 1 skipped"
[ "$(sed -n 's/.*\(update\|install .*\)$/\1/p' asked)" = $'update\ninstall moon-package' ] || fail "apt was asked for: $(cat asked)"

variables=1
run 1 HASTEN_PART_MINUTES=0 slow
says "STOPPED: the part slow took more than 0 minutes"
ends "0 passed, 1 failed, 0 skipped"

# A part that does not say what it needs, or says a word that nobody knows, is refused.
variables=0
sed -i 's/^part good .*/part good "passes" stars true/' test
run 2 bad
says "No such need: stars"
echo "harness: skips, needs, failures and time limits as they must be"
