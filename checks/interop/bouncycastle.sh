# shellcheck shell=bash
# Bouncy Castle for the exchanges. Sourced, never run.
# shellcheck disable=SC2034 # who sources it reads `classes`

# compile_bouncycastle PLACE: the programs of bouncycastle/src; `classes` is where java finds them.
compile_bouncycastle() {
  local here libraries
  here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
  libraries=$here/../../.tools/bouncycastle/lib
  [ -e "$libraries/bcpkix-jdk18on-1.84.jar" ] || mvn -q -B -C -f "$here/bouncycastle/pom.xml" dependency:copy-dependencies "-DoutputDirectory=$libraries"
  javac -nowarn -d "$1/classes" -cp "$libraries/*" "$here"/bouncycastle/src/*.java 2>&1 | grep -v '^Note:' || true
  classes="$libraries/*:$1/classes"
}
