# shellcheck shell=bash
# What the two commands need, found or installed by name. Sourced, never run.
#
#   need_command COMMAND PACKAGE WHY   a program, from a Debian package
#   need_packages WHY PACKAGE...       Debian packages that have no program to look for
#   need_cc, need_rust, need_rust_tools
#   need_state_place                   a TMPDIR in which keys with a state are not refused
#   in_turn COMMAND...                 runs what installs, while nothing else of ours does
#
# Each says what it installs before it does. Where it may not install (no apt, not root and
# no sudo without a password) it names the exact command and ends with status 2.

RUST_MIN_MAJOR=1
RUST_MIN_MINOR=89
RUST_MIN=$RUST_MIN_MAJOR.$RUST_MIN_MINOR
RUSTUP_COMMAND="curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y --profile default"

say() { printf '%s\n' "$*" >&2; }

setup_file=$(realpath "${BASH_SOURCE[0]}")

# in_turn COMMAND [ARGUMENT...]: parts that run beside each other install one after the other.
# The command itself does not hold the lock: it may leave a service behind.
in_turn() {
  (
    if command -v flock >/dev/null 2>&1; then flock 9; fi
    "$@" 9>&-
  ) 9<"$setup_file"
}

# Prefix that makes a command run as root: nothing, "sudo -n", or failure where neither works.
root_prefix() {
  if [ "$(id -u)" -eq 0 ]; then
    return 0
  fi
  command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null && printf 'sudo -n'
}

# need_packages WHY PACKAGE...
need_packages() {
  local why=$1 prefix
  shift
  if ! command -v apt-get >/dev/null 2>&1; then
    say "Missing: $* ($why). There is no apt here; install the like of: apt-get install -y $*"
    exit 2
  fi
  if ! prefix=$(root_prefix); then
    say "Missing: $* ($why). Run this, then try again: sudo apt-get install -y $*"
    exit 2
  fi
  say "Installing through apt: $* ($why)"
  in_turn apt_install "$prefix" "$@" && return 0
  say "apt could not install $*. Run this and read what it says: apt-get update && apt-get install -y $*"
  exit 2
}

# apt_install PREFIX PACKAGE...: refreshes the lists once when the first attempt fails.
apt_install() {
  local prefix=$1
  shift
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -y -q)
  # shellcheck disable=SC2086 # the prefix is empty or two words
  $prefix "${apt[@]}" --no-install-recommends install "$@" >&2 && return 0
  say "Refreshing the package lists: apt-get update"
  # shellcheck disable=SC2086
  $prefix "${apt[@]}" update >&2 && $prefix "${apt[@]}" --no-install-recommends install "$@" >&2
}

# need_command COMMAND PACKAGE WHY
need_command() {
  command -v "$1" >/dev/null 2>&1 || need_packages "$3" "$2"
}

need_cc() {
  command -v cc >/dev/null 2>&1 || need_packages "a C compiler, which links Rust programs" gcc libc6-dev
}

# True if `rustc` on the path is new enough and `cargo` is beside it.
rust_is_new_enough() {
  local version major minor
  command -v cargo >/dev/null 2>&1 || return 1
  version=$(rustc --version 2>/dev/null | cut -d' ' -f2) || return 1
  major=${version%%.*}
  minor=${version#*.}
  minor=${minor%%.*}
  [ -n "$minor" ] || return 1
  [ "$major" -gt $RUST_MIN_MAJOR ] || { [ "$major" -eq $RUST_MIN_MAJOR ] && [ "$minor" -ge $RUST_MIN_MINOR ]; }
}

# True if Debian's rustc-web is on offer and new enough.
debian_rust_is_new_enough() {
  local candidate
  command -v apt-cache >/dev/null 2>&1 || return 1
  candidate=$(apt-cache policy rustc-web 2>/dev/null | sed -n 's/^ *Candidate: //p')
  [ -n "$candidate" ] && [ "$candidate" != "(none)" ] || return 1
  dpkg --compare-versions "$candidate" ge "$RUST_MIN"
}

name_rustup() {
  say "Hasten needs Rust $RUST_MIN or newer${1:+ ($1)}. Install it with:"
  say "  $RUSTUP_COMMAND"
  exit 2
}

# An existing Rust is used; else Debian's rustc-web and cargo-web; else rustup is named.
need_rust() {
  need_cc
  if [ -d "${HOME:-}/.cargo/bin" ] && ! command -v cargo >/dev/null 2>&1; then
    PATH="$HOME/.cargo/bin:$PATH"
  fi
  rust_is_new_enough && return 0
  if command -v rustup >/dev/null 2>&1; then
    name_rustup "the one here is $(rustc --version 2>/dev/null || echo none); 'rustup update stable' does as well"
  fi
  refresh_lists_if_empty
  debian_rust_is_new_enough || name_rustup "Debian offers none that is new enough"
  need_packages "Rust $RUST_MIN or newer" rustc-web cargo-web
  hash -r
  rust_is_new_enough || name_rustup "rustc on the path is $(command -v rustc): $(rustc --version 2>&1)"
}

# A machine just made has no package lists, and then nothing is on offer.
refresh_lists_if_empty() {
  local prefix
  command -v apt-cache >/dev/null 2>&1 || return 0
  apt-cache policy rustc-web 2>/dev/null | grep -q Candidate && return 0
  prefix=$(root_prefix) || return 0
  say "Refreshing the package lists: apt-get update"
  # shellcheck disable=SC2086
  in_turn $prefix apt-get -q -o DPkg::Lock::Timeout=300 update >&2 || true
}

# Installs what the tests need beside the compiler: the formatter and the linter of the same Rust.
need_rust_tools() {
  need_rust
  if ! cargo fmt --version >/dev/null 2>&1; then
    need_rust_tool rustfmt rustfmt-web
  fi
  if ! cargo clippy --version >/dev/null 2>&1; then
    need_rust_tool clippy rust-web-clippy
  fi
}

# need_rust_tool COMPONENT PACKAGE
need_rust_tool() {
  if command -v rustup >/dev/null 2>&1; then
    say "Installing through rustup: $1"
    rustup component add "$1" >&2 && return 0
    say "rustup could not add $1. Run this and read what it says: rustup component add $1"
    exit 2
  fi
  need_packages "$1, which the tests run" "$2"
}

# True if keys with a state may lie in DIR: no container's image, no FUSE, no other machine. `df -l`
# knows the file systems of other machines.
holds_states() {
  local kind
  [ -d "$1" ] && [ -w "$1" ] && kind=$(stat -f -c %T -- "$1" 2>/dev/null) || return 1
  case $kind in
  overlay* | aufs | unionfs* | fuse* | v9fs | 9p*) return 1 ;;
  *) df -l -- "$1" >/dev/null 2>&1 ;;
  esac
}

# Sets TMPDIR to a place for keys where the one that is set is none, as /tmp in a container.
need_state_place() {
  local now=${TMPDIR:-/tmp} beside=${CARGO_TARGET_DIR:-$PWD/target} place
  holds_states "$now" && return 0
  mkdir -p "$beside"
  for place in /var/tmp "$beside" /dev/shm; do
    if holds_states "$place"; then
      TMPDIR=$(mktemp -d "$place/hasten.XXXXXX") || continue
      export TMPDIR
      # shellcheck disable=SC2064 # the directory of now
      trap "rm -rf '$TMPDIR'" EXIT
      echo "NOTE: $now lies on $(stat -f -c %T -- "$now" 2>/dev/null), where keys with a state are refused; the tests use $TMPDIR"
      return 0
    fi
  done
  say "TMPDIR ($now) lies in a container's image or on a shared file system, where keys with a state are refused,"
  say "and so do /var/tmp, $beside and /dev/shm. Mount a volume and name it: TMPDIR=/volume ./test"
  exit 2
}
