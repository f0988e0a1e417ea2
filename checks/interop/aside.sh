#!/usr/bin/env bash
# Unpacks a Debian program with everything it needs under .tools/aside/, without touching the
# system:
#
#   checks/interop/aside.sh RELEASE PACKAGE PROGRAM
#   checks/interop/aside.sh --alone RELEASE PACKAGE FILE
#
# for example checks/interop/aside.sh trixie botan usr/bin/botan . It leaves a wrapper
# .tools/aside/RELEASE-PACKAGE/run that starts the program with the loader and libraries of its own
# release, and prints that wrapper's path. With --alone the package is unpacked without those that
# it takes, and the path of the FILE in it is printed. The packages come through apt, signed by
# Debian's keyring; their versions are written to `versions` beside it.
set -euo pipefail
alone=
if [ "${1:-}" = --alone ]; then
  alone=1
  shift
fi
[ $# -eq 3 ] || {
  echo "Usage: checks/interop/aside.sh RELEASE PACKAGE PROGRAM   (example: trixie botan usr/bin/botan)" >&2
  exit 2
}
release=$1 package=$2 program=$3
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
place=$top/.tools/aside/$release-$package
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

made=$place/run
[ -z "$alone" ] || made=$place/root/$program
if [ -e "$made" ]; then
  echo "$made"
  exit 0
fi
command -v apt-get >/dev/null && [ -f $keyring ] || {
  echo "This needs Debian's apt and $keyring (package debian-archive-keyring)." >&2
  exit 2
}

rm -rf "$place"
mkdir -p "$place"/{lists/partial,cache/archives/partial,root}
: >"$place/status"
echo "deb [signed-by=$keyring] http://deb.debian.org/debian $release main" >"$place/sources.list"
apt=(apt-get -q -o Dir::Etc::sourcelist="$place/sources.list" -o Dir::Etc::sourceparts=/dev/null
  -o Dir::Etc::preferencesparts=/dev/null -o Dir::State::lists="$place/lists" -o Dir::State::status="$place/status"
  -o Dir::Cache="$place/cache" -o Debug::NoLocking=1 -o Acquire::Languages=none -o APT::Sandbox::User="$(id -un)")

echo "Fetching $package of Debian $release into .tools/aside (the system is left alone)" >&2
"${apt[@]}" update >&2
if [ -n "$alone" ]; then
  (cd "$place/cache/archives" && "${apt[@]}" download "$package" >&2)
else
  "${apt[@]}" -y --download-only --no-install-recommends install "$package" >&2
fi
for deb in "$place"/cache/archives/*.deb; do
  dpkg-deb -x "$deb" "$place/root"
  dpkg-deb -W --showformat='${Package} ${Version}\n' "$deb" >>"$place/versions"
done
rm -rf "$place/cache" "$place/lists"
if [ -n "$alone" ]; then
  [ -e "$made" ] || { echo "$package of Debian $release has no $program" >&2; exit 1; }
  echo "$made"
  exit 0
fi

root=$place/root
loader=$(find "$root" -name 'ld-linux*.so.*' -print -quit)
libraries=$(find "$root/usr/lib" -maxdepth 1 -type d -name '*-linux-gnu*' -print -quit)
cat >"$place/run.part" <<RUN
#!/bin/sh
exec "$loader" --library-path "$libraries" "$root/$program" "\$@"
RUN
chmod +x "$place/run.part"
mv "$place/run.part" "$place/run"
echo "$place/run"
