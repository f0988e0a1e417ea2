# shellcheck shell=bash
# What the two commands need, found or installed by name. Sourced, never run.
#
#   need_command COMMAND PACKAGE WHY   a program, from a Debian package
#   need_packages WHY PACKAGE...       Debian packages that have no program to look for
#   need_rust                          a C compiler and Rust, for ./hasten
#   need_state_place                   a TMPDIR in which keys with a state are not refused
#   in_turn COMMAND...                 runs what installs, while nothing else of ours does
#
# tools/needs.sh finds what all parts of ./test need. Each says what it installs before it does.
# Where it may not install (no apt, not root and no sudo without a password) it names the one
# command and ends with status 2.

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

# sudo_word: "sudo " before a command that is named to a user who is not root.
sudo_word() { [ "$(id -u)" -eq 0 ] || printf 'sudo '; }

# True if packages can be installed without a question.
may_install() { command -v apt-get >/dev/null 2>&1 && root_prefix >/dev/null; }

# install_line PACKAGE...: the one command that installs them.
install_line() {
  local sudo
  sudo=$(sudo_word)
  printf '%sapt-get update && %sapt-get install -y --no-install-recommends %s' "$sudo" "$sudo" "$*"
}

# refuse_to_install PACKAGE...: names the command, and ends.
refuse_to_install() {
  if command -v apt-get >/dev/null 2>&1; then
    say "Run this, then try again:"
    say "  $(install_line "$@")"
  else
    say "There is no apt here. Install the like of these Debian packages, then try again:"
    say "  $*"
  fi
  exit 2
}

# install_packages PACKAGE...: in one command, which is said before.
install_packages() {
  local prefix
  may_install || refuse_to_install "$@"
  prefix=$(root_prefix)
  say "Installing through apt: $(install_line "$@")"
  in_turn apt_install "$prefix" "$@" && return 0
  say "apt could not install all of it. Run this and read what it says:"
  say "  $(install_line "$@")"
  exit 2
}

# apt_install PREFIX PACKAGE...: lists that cannot be refreshed may still name what is wanted.
apt_install() {
  local prefix=$1
  shift
  # shellcheck disable=SC2086 # the prefix is empty or two words
  apt_get "$prefix" update || say "apt-get update failed; going on with the lists that are here"
  apt_get "$prefix" --no-install-recommends install "$@"
}

# apt_get PREFIX ARGUMENT...
apt_get() {
  local prefix=$1
  shift
  # shellcheck disable=SC2086
  $prefix env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -y -q "$@" >&2
}

# need_packages WHY PACKAGE...
need_packages() {
  local why=$1
  shift
  say "Missing: $* ($why)"
  install_packages "$@"
}

# need_command COMMAND PACKAGE WHY
need_command() {
  command -v "$1" >/dev/null 2>&1 || need_packages "$3" "$2"
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

# candidate PACKAGE: the version that apt would install; nothing where it has no lists.
candidate() {
  command -v apt-cache >/dev/null 2>&1 || return 0
  apt-cache policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: \([0-9].*\)/\1/p'
}

# False if Debian's rustc-web is known to be too old, or to be none. Without lists it is not known.
debian_rust_may_do() {
  local version
  command -v apt-cache >/dev/null 2>&1 || return 1
  has_lists || return 0
  version=$(candidate rustc-web)
  [ -n "$version" ] && dpkg --compare-versions "$version" ge "$RUST_MIN"
}

# rustup_line: the command that installs rustup, and curl before it where that is missing.
rustup_line() {
  local sudo
  sudo=$(sudo_word)
  command -v curl >/dev/null 2>&1 || printf '%sapt-get update && %sapt-get install -y curl ca-certificates && ' "$sudo" "$sudo"
  printf '%s' "$RUSTUP_COMMAND"
}

name_rustup() {
  say "Hasten needs Rust $RUST_MIN or newer${1:+ ($1)}. Its own installer, rustup, brings it:"
  say "  $(rustup_line)"
  exit 2
}

# Finds a Rust that rustup has put into its usual place, and prefers it: it knows all targets.
find_rustup() {
  if [ -x "${HOME:-}/.cargo/bin/rustup" ] && ! command -v rustup >/dev/null 2>&1; then
    PATH="$HOME/.cargo/bin:$PATH"
  fi
}

# An existing Rust is used; else Debian's rustc-web and cargo-web; else rustup is named. All that is
# missing is asked for at once.
need_rust() {
  local packages=()
  find_rustup
  command -v cc >/dev/null 2>&1 || packages+=(gcc libc6-dev)
  if ! rust_is_new_enough; then
    if command -v rustup >/dev/null 2>&1; then
      name_rustup "the one here is $(rustc --version 2>/dev/null || echo none); 'rustup update stable' does as well"
    fi
    refresh_lists_if_empty
    debian_rust_may_do || name_rustup "Debian offers none that is new enough"
    packages+=(rustc-web cargo-web)
  fi
  [ ${#packages[@]} -gt 0 ] || return 0
  need_packages "a C compiler, which links Rust programs, and Rust $RUST_MIN or newer" "${packages[@]}"
  hash -r
  rust_is_new_enough || name_rustup "rustc on the path is $(command -v rustc): $(rustc --version 2>&1)"
}

# True if this machine has package lists. A machine just made has none, and nothing is on offer.
has_lists() {
  # shellcheck disable=SC2016 # a form of apt's own
  [ -n "$(apt-get indextargets --format '$(FILENAME)' 'Created-By: Packages' 2>/dev/null)" ]
}

# refresh_lists_if_empty: where that may be done; else nothing is known of what is on offer.
refresh_lists_if_empty() {
  may_install && ! has_lists || return 0
  say "This machine has no package lists yet. Fetching them: apt-get update"
  in_turn apt_get "$(root_prefix)" update || say "apt-get update failed; what it said is above"
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
