# shellcheck shell=bash
# How this machine reaches mirror and registries, for a system made anew. Sourced, never run.

# site LABEL: where apt takes Debian's packages of that label from.
site() {
  # shellcheck disable=SC2016 # a form of apt's own
  apt-get indextargets --format '$(LABEL)|$(SITE)|$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' |
    awk -F '|' -v label="$1" '$1 == label { sub("/$", "", $3); print $3; exit }'
}

mirror() {
  local found=${HASTEN_MIRROR:-$(site Debian)}
  [ -n "$found" ] || {
    say "apt has no lists of Debian here. Run apt-get update, or name a mirror: HASTEN_MIRROR=URL checks/fresh/run"
    exit 2
  }
  printf '%s' "$found"
}

# The variables by which this machine's programs find registries and their certificates.
network_names() {
  compgen -e | grep -iE '^((http|https|ftp|all|no)_proxy|.*(_|^)(CA|CERT|CERTS|CAINFO|CABUNDLE|CA_BUNDLE|CERT_FILE|CERT_DIR|CA_CERTS)(_.*)?|pip_.*|npm_config_.*|cargo_(http|net|registr|source).*|rustup_(dist|update).*|go(proxy|nosumdb|noproxy|private|flags|sumdb|insecure)|maven_.*|java_tool_options)$'
}

# The files that tell them the same.
network_files=(.cargo/config.toml .cargo/config .npmrc .m2/settings.xml .config/pip/pip.conf .pip/pip.conf .config/go/env)

# take_network_over ROOT: sets `network`, variables for programs inside.
take_network_over() {
  local root=$1 suite security name file
  suite=$(basename "$root")
  security=${HASTEN_SECURITY_MIRROR:-$(site Debian-Security)}
  {
    printf 'deb %s %s main\n' "$(mirror)" "$suite" "$(mirror)" "$suite-updates"
    [ -z "$security" ] || printf 'deb %s %s-security main\n' "$security" "$suite"
  } >"$root/etc/apt/sources.list"
  apt-config dump Acquire | grep -vE '::(IndexTargets|Changelogs|Languages|GzipIndexes|CompressionTypes)' >"$root/etc/apt/apt.conf.d/90fresh" || true
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  take_certificates_over "$root"
  for file in "${network_files[@]}"; do
    [ ! -e "$HOME/$file" ] || install -D "$HOME/$file" "$root/root/$file"
  done
  [ ! -e /etc/pip.conf ] || cp /etc/pip.conf "$root/etc/pip.conf"
  network=()
  for name in $(network_names); do
    # A path that is not there inside would mislead.
    case ${!name} in /*) [ -e "$root${!name}" ] || continue ;; esac
    network+=("$name=${!name}")
  done
}

# take_certificates_over ROOT: those that this machine trusts and a fresh Debian does not.
take_certificates_over() {
  local root=$1 here=/etc/ssl/certs/ca-certificates.crt work
  [ -e $here ] || return 0
  work=$(mktemp -d)
  chroot "$root" update-ca-certificates --fresh >/dev/null 2>&1
  # One certificate a line, its lines joined.
  one_a_line() { awk '/BEGIN/ { line = "" } { line = line $0 "|" } /END CERT/ { print line }' "$1" | sort -u; }
  one_a_line $here >"$work/here"
  one_a_line "$root$here" >"$work/there"
  comm -23 "$work/here" "$work/there" | awk -v at="$work/host-" '{ gsub(/\|/, "\n"); file = at NR ".crt"; printf "%s", $0 >file; close(file) }'
  if compgen -G "$work/host-*.crt" >/dev/null; then
    mkdir -p "$root/usr/local/share/ca-certificates"
    cp "$work"/host-*.crt "$root/usr/local/share/ca-certificates/"
    chroot "$root" update-ca-certificates >/dev/null 2>&1
  fi
  rm -rf "$work"
}
