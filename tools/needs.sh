# shellcheck shell=bash disable=SC2034,SC2154 # lists of tools/parts.sh
# What the parts of ./test need: found for all of them at once, before anything is installed or
# built. Sourced, never run; tools/setup.sh comes before it.
#
# A part names its needs as words of one argument:
#
#   NAME                        a row below: a program or a file, and Debian's packages for it
#   rust:TARGET                 Rust's standard library for another machine
#   rustup:VERSION[+COMPONENT]  another Rust, which only rustup brings
#   a-piece                     one of the part's pieces, without which the part tests nothing
#   nothing                     no more than the C compiler and the Rust that every part takes

declare -A need_check=() need_package=() need_why=() need_version=()

# need NAME CHECK "PACKAGE..." WHY [VERSION]: CHECK is a command, a path, a function `NAME_is_...`,
# or python3:MODULE. Older packages than VERSION are of no use.
need() {
  need_check[$1]=$2 need_package[$1]=$3 need_why[$1]=$4 need_version[$1]=${5:-}
}

need cc          cc                        "gcc libc6-dev"            "C compiler, which links Rust programs"
need rust        rust_is_new_enough        "rustc-web cargo-web"      "Rust $RUST_MIN or newer" "$RUST_MIN"
need rustfmt     rustfmt_is_here           rustfmt-web                "formatter of Rust"
need clippy      clippy_is_here            rust-web-clippy            "linter of Rust"
need c++         c++                       g++                        "C++ compiler for simulated cores"
need make        make                      make                       "builds simulated cores"
need perl        perl_is_whole             perl                       "runs Verilator"
need python      python3                   python3                    "runs checks"
need venv        python3:ensurepip         "python3 python3-venv"     "environments of Python for pinned packages"
need git         git                       git                        "names the commit, keeps a witness"
need curl        curl                      "curl ca-certificates"     "runs the installer of Rust"
need shellcheck  shellcheck                shellcheck                 "checks the shell scripts"
need openssl     openssl                   openssl                    "reads our keys and certificates, and writes its own"
need strace      strace                    strace                     "makes calls of the system fail, and kills at them"
need bindfs      bindfs                    bindfs                     "mounts one folder twice, with locks apart"
need unshare     unshare                   util-linux                 "mounts without changing the system"
need mount       losetup                   mount                      "makes a file a disk"
need ext4        mkfs.ext4                 e2fsprogs                  "makes the file system whose power is cut"
need valgrind    valgrind                  valgrind                   "watches memory"
need pkg-config  pkg-config                pkg-config                 "finds the C library for programs"
need sta         sta                       opensta                    "times the hardware cores"
need iverilog    iverilog                  iverilog                   "runs plain Verilog"
need yosys       yosys                     yosys                      "reads plain Verilog"
need arm-cc      aarch64-linux-gnu-gcc     gcc-aarch64-linux-gnu      "links tests for 64-bit ARM"
need arm-libc    /usr/aarch64-linux-gnu/lib/crti.o  libc6-dev-arm64-cross  "C library of 64-bit ARM"
need s390x-cc    s390x-linux-gnu-gcc       gcc-s390x-linux-gnu        "links tests for a big-endian machine"
need s390x-libc  /usr/s390x-linux-gnu/lib/crti.o    libc6-dev-s390x-cross  "C library of a big-endian machine"
need qemu-user   qemu-aarch64              qemu-user                  "runs tests of other machines"
need qemu-riscv  qemu-system-riscv32       qemu-system-misc           "runs the verifiers on RISC-V"
need javac       javac                     default-jdk-headless       "runs Bouncy Castle and SunPKCS11"
need maven       mvn                       maven                      "fetches Bouncy Castle"
need go          go_is_new_enough          golang-go                  "Go 1.21 or newer, which fetches the pinned one" 2:1.21
need node        node_is_new_enough        nodejs                     "Node 18 or newer, which makes the page" 18
need npm         npm                       npm                        "fetches what the page is drawn with"
need chromium    chromium                  chromium                   "opens the page"
need shlibdeps   dpkg-shlibdeps            dpkg-dev                   "finds what the Debian package depends on"
need xz          xz                        xz-utils                   "compresses the Debian package"
need lexgrog     lexgrog                   man-db                     "reads the man pages"
need fish        fish                      fish                       "tries the completions"
need zsh         zsh                       zsh                        "tries the completions"
need systemd     systemd-socket-activate   systemd                    "reads the units, and runs their command"
need opensc      pkcs11-tool               opensc                     "uses the PKCS#11 module"
need swtpm       swtpm                     swtpm                      "keeps a witness in a TPM in software"
need tpm2        tpm2_nvread               tpm2-tools                 "speaks to TPMs"
need ssh         ssh                       openssh-client             "reaches a witness on another machine"
need sshd        /usr/sbin/sshd            openssh-server             "is the other machine, on loopback"
need etcd        etcd                      etcd-server                "keeps the state of fleets of signers"
need etcdctl     etcdctl                   etcd-client                "takes and restores snapshots of etcd"

rustfmt_is_here() { cargo fmt --version >/dev/null 2>&1; }
clippy_is_here() { cargo clippy --version >/dev/null 2>&1; }
# A fresh Debian has a perl without most modules.
perl_is_whole() { perl -MPod::Usage -e 1 2>/dev/null; }
node_is_new_enough() { node -e 'process.exit(process.versions.node.split(".")[0] < 18 ? 1 : 0)' 2>/dev/null; }
go_is_new_enough() {
  local version
  version=$(go env GOVERSION 2>/dev/null) && [ -n "$version" ] &&
    [ "$(printf 'go1.21\n%s\n' "$version" | sort -V | head -1)" = go1.21 ]
}

# check_words WORD...: fails, and names the word, if one is none of the above.
check_words() {
  local word
  for word in "$@"; do
    case $word in
    nothing | a-piece | rust:?* | rustup:?*) ;;
    *) [ -n "${need_check[$word]:-}" ] || { say "No such need: $word (tools/needs.sh has the table)"; return 1; } ;;
    esac
  done
}

# is_met WORD: it is here. The answers of one plan are kept, for parts ask the same.
declare -A met=()
is_met() {
  [ -n "${met[$1]:-}" ] || if look_for "$1"; then met[$1]=0; else met[$1]=1; fi
  return "${met[$1]}"
}

look_for() {
  local check
  case $1 in
  nothing | a-piece) return 0 ;;
  rust:*) has_target "${1#rust:}" ;;
  rustup:*) has_toolchain "${1#rustup:}" ;;
  *)
    check=${need_check[$1]}
    case $check in
    /*) [ -e "$check" ] ;;
    python3:*) python3 -c "import ${check#*:}" 2>/dev/null ;;
    *_is_*) "$check" ;;
    # Programs that only root runs are not on everybody's path.
    *) PATH=$PATH:/usr/sbin:/sbin command -v "$check" >/dev/null 2>&1 ;;
    esac
    ;;
  esac
}

has_rustup() { command -v rustup >/dev/null 2>&1; }

# has_target TARGET: for the Rust at hand, or unpacked aside from Debian's package.
has_target() {
  local root
  root=$(rustc --print sysroot 2>/dev/null) || return 1
  [ -d "$root/lib/rustlib/$1/lib" ] || [ -d "$(place_aside "$1")/lib/rustlib/$1/lib" ]
}

# has_toolchain VERSION[+COMPONENT...]
has_toolchain() {
  local version=${1%%+*} word listed
  has_rustup && listed=$(rustup component list --installed --toolchain "$version" 2>/dev/null) || return 1
  for word in $(tr + ' ' <<<"${1#"$version"}"); do grep -q "^$word" <<<"$listed" || return 1; done
}

# place_aside TARGET: the folder of Debian's standard library for a target, for the Rust at hand. It
# is empty where this Rust is not Debian's.
place_aside() { printf '%s' "$PWD/.tools/rust/$(version_of_debians_rust)/$1"; }

version_of_debians_rust() {
  dpkg-query -W -f '${Version}' rustc-web 2>/dev/null || candidate rustc-web
}

# debian_machine TARGET: Debian's name for the machine, of which its Rust is a release.
debian_machine() {
  case $1 in
  aarch64-unknown-linux-gnu) echo arm64 ;;
  s390x-unknown-linux-gnu) echo s390x ;;
  *) return 1 ;;
  esac
}

# cannot_have WORD: it is not here and no package, no rustup brings it; sets `why` and `way`.
cannot_have() {
  local package version
  case $1 in
  rust:* | rustup:*)
    if [ -n "${refused[$1]:-}" ]; then
      why=${refused[$1]} way=${refused_way[$1]}
      return 0
    fi
    has_rustup && return 1
    way=$(rustup_line)
    case $1 in
    rust:*)
      debian_machine "${1#rust:}" >/dev/null && return 1
      why="Debian's Rust has no ${1#rust:}"
      ;;
    *) why="only rustup brings Rust $(tr + ' ' <<<"${1#rustup:}")" ;;
    esac
    ;;
  *)
    [ -n "${need_version[$1]}" ] || return 1
    package=${need_package[$1]%% *}
    version=$(candidate "$package")
    [ -n "$version" ] && dpkg --compare-versions "$version" lt "${need_version[$1]}" || return 1
    why="it takes ${need_why[$1]}; Debian offers $package $version"
    way="install ${need_why[$1]%%,*} from its makers"
    ;;
  esac
}

# A need that was tried in vain: why, and what may bring it.
declare -A refused=() refused_way=()

# plan NAME...: finds which of these parts and their pieces cannot be tested (`skip_why`,
# `skip_way`), and what is missing for the others (`missing`, each with the parts in `missing_for`).
declare -A skip_why=() skip_way=() missing_for=()
plan() {
  local name word
  skip_why=() skip_way=() missing_for=()
  missing=() met=()
  for word in cc rust; do note_missing "$word" "every part"; done
  for name in "$@"; do
    ! plan_one "$name" || plan_pieces "$name"
  done
}

# plan_pieces NAME: with the need a-piece the part itself is skipped if all its pieces are.
plan_pieces() {
  local piece some=0
  for piece in ${pieces_of[$1]:-}; do ! plan_one "$1/$piece" || some=1; done
  case " ${needs_of[$1]} $some" in
  *" a-piece "*0)
    skip_why[$1]=${skip_why[$1/$piece]} skip_way[$1]=${skip_way[$1/$piece]}
    for piece in ${pieces_of[$1]}; do unset "skip_why[$1/$piece]" "skip_way[$1/$piece]"; done
    ;;
  esac
}

# plan_one NAME: fails if it is to be skipped.
plan_one() {
  local word why way
  for word in ${needs_of[$1]}; do
    if ! is_met "$word" && cannot_have "$word"; then
      skip_why[$1]=$why skip_way[$1]=$way
      return 1
    fi
  done
  for word in ${needs_of[$1]}; do note_missing "$word" "$1"; done
}

note_missing() {
  is_met "$1" && return 0
  [ -n "${missing_for[$1]:-}" ] || missing+=("$1")
  missing_for[$1]+="${missing_for[$1]:+ }$2"
}

# prepare NAME...: finds, names and brings all that is missing for these parts. Where packages are
# missing and may not be installed, it names the one command and ends with status 2.
prepare() {
  find_rustup
  plan "$@"
  if [ ${#missing[@]} -gt 0 ] && may_install && ! has_lists; then
    refresh_lists_if_empty
    plan "$@"
  fi
  need_some_rust
  ask_for_rustup "$@"
  stop_without_root
  fetch_rust "$@"
  install_missing
}

# Rust that is too old, where Debian has none that is newer.
need_some_rust() {
  local why way
  rust_is_new_enough && return 0
  if has_rustup; then
    name_rustup "the one here is $(rustc --version 2>/dev/null || echo none); 'rustup update stable' does as well"
  fi
  ! cannot_have rust || name_rustup "$why"
}

# ask_for_rustup NAME...: on a terminal, if parts would be skipped without rustup.
ask_for_rustup() {
  local name wanting=() answer=
  has_rustup || [ -n "${CI:-}" ] || ! { [ -t 0 ] && [ -t 2 ]; } && return 0
  for name in "${!skip_way[@]}"; do
    [ "${skip_way[$name]}" != "$(rustup_line)" ] || wanting+=("$name")
  done
  [ ${#wanting[@]} -gt 0 ] || return 0
  say "Debian's Rust cannot test: ${wanting[*]}"
  say "rustup can, which is Rust's own installer. It is run by:"
  say "  $(rustup_line)"
  read -rp "Run this now? [y/N] " answer || true
  case $answer in
  y | Y | yes)
    need_command curl "curl" "it runs the installer of Rust"
    bash -c "$RUSTUP_COMMAND" >&2 || name_rustup "its installer failed"
    find_rustup
    hash -r
    plan "$@"
    ;;
  esac
}

# packages_missing: Debian's packages of `missing`, each once.
packages_missing() {
  local word
  for word in "${missing[@]+"${missing[@]}"}"; do
    case $word in
    rust:* | rustup:*) ;;
    rustfmt | clippy) has_rustup || echo "${need_package[$word]}" ;;
    *) echo "${need_package[$word]}" ;;
    esac
  done | tr ' ' '\n' | awk 'NF && !seen[$0]++' | paste -sd ' '
}

# Says what is missing: packages, what they do, and for which parts.
say_missing() {
  local word
  say "Missing:"
  for word in "${missing[@]}"; do
    case $word in rust:* | rustup:*) continue ;; esac
    say "$(printf '  %-28s %s: %s' "${need_package[$word]}" "${need_why[$word]}" "${missing_for[$word]}")"
  done
}

stop_without_root() {
  local packages
  packages=$(packages_missing)
  [ -n "$packages" ] || return 0
  may_install && return 0
  say_missing
  # shellcheck disable=SC2086
  refuse_to_install $packages
}

install_missing() {
  local packages word
  packages=$(packages_missing)
  if [ -n "$packages" ]; then
    say_missing
    # shellcheck disable=SC2086
    install_packages $packages
    hash -r
  fi
  for word in rustfmt clippy; do
    is_in "$word" "${missing[@]+"${missing[@]}"}" && has_rustup && ! look_for "$word" || continue
    say "Installing through rustup: $word"
    rustup component add "$word" >&2 || {
      say "rustup could not add $word. Run this and read what it says: rustup component add $word"
      exit 2
    }
  done
  rust_is_new_enough || name_rustup "rustc on the path is $(command -v rustc): $(rustc --version 2>&1)"
}

# fetch_rust NAME...: standard libraries and other Rusts. Parts whose own cannot be had are skipped,
# and nothing else is installed for them.
fetch_rust() {
  local word failed=0
  for word in "${missing[@]+"${missing[@]}"}"; do
    case $word in
    rust:*) fetch_target "${word#rust:}" ;;
    rustup:*) fetch_toolchain "${word#rustup:}" ;;
    *) continue ;;
    esac || failed=1
  done
  [ $failed -eq 0 ] || plan "$@"
}

# fetch_target TARGET: from rustup where it is, else from Debian.
fetch_target() {
  if has_rustup; then
    say "Fetching through rustup: the standard library of $1"
    try_twice rustup target add "$1" && return 0
    refuse "rust:$1" "rustup could not add $1" "rustup target add $1"
  else
    say "Unpacking aside from Debian: the standard library of $1"
    try_twice tools/rust-aside.sh "$1" "$(debian_machine "$1")" "$(version_of_debians_rust)" && return 0
    refuse "rust:$1" "this Debian has no $1 of Rust $(version_of_debians_rust)" "$(rustup_line)"
  fi
}

# fetch_toolchain VERSION[+COMPONENT...]
fetch_toolchain() {
  local version=${1%%+*} words=() word
  for word in $(tr + ' ' <<<"${1#"$version"}"); do words+=(--component "$word"); done
  say "Fetching through rustup: Rust $version${words:+ with $(tr + ' ' <<<"${1#"$version+"}")}"
  words=(rustup toolchain install "$version" --profile minimal "${words[@]+"${words[@]}"}")
  try_twice "${words[@]}" && return 0
  refuse "rustup:$1" "rustup could not install Rust $1" "${words[*]}"
}

# refuse WORD WHY WAY: it was tried; the parts that need it are skipped. Fails.
refuse() {
  refused[$1]="$2 ($(tail -n 1 "$logs/fetch.log"))" refused_way[$1]=$3
  return 1
}

# try_twice COMMAND...: keeps what it prints in a log.
try_twice() { "$@" >"$logs/fetch.log" 2>&1 || { sleep 2 && "$@" >"$logs/fetch.log" 2>&1; }; }
