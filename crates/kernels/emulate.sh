#!/bin/sh
# Runs the tests of the kernels with one backend on an emulated CPU that has AVX-512.
#
#   crates/kernels/emulate.sh [BACKEND [CPU-MODEL]]      (avx512 corei7_skylake_x)
#
# Bochs boots Debian's kernel with the statically linked tests as its only program; the result goes
# to results/kernels-emulation.json. Takes some minutes, needs no privileges beyond reading the
# packages named below.
set -eu
backend=${1:-avx512} model=${2:-corei7_skylake_x}
root=$(cd "$(dirname "$0")/../.." && pwd)
target=x86_64-unknown-linux-gnu
packages="bochs bochs-term bochsbios vgabios isolinux syslinux-common xorriso cpio bsdutils"
for file in /usr/bin/bochs /usr/bin/xorriso /usr/bin/cpio /usr/bin/script \
    /usr/lib/ISOLINUX/isolinux.bin /usr/lib/syslinux/modules/bios/ldlinux.c32; do
    [ -e "$file" ] || { echo "missing $file: apt-get install $packages" >&2; exit 2; }
done
work=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work"
mkdir -p root/dev iso

echo "emulate: building the tests"
artifacts() {
    RUSTFLAGS="-C target-feature=+crt-static" cargo "$@" --manifest-path "$root/Cargo.toml" \
        -q -p hasten-kernels --target $target --message-format=json |
        sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -1
}
cp "$(artifacts test --no-run --test all)" root/all
cp "$(artifacts build --example init)" root/init
strip root/all root/init

echo "emulate: making the disk"
image=$(ls /boot/vmlinuz-*-cloud-amd64 2>/dev/null | tail -1)
if [ -z "$image" ]; then
    apt-get -o APT::Sandbox::User=root download -q "$(apt-cache depends linux-image-cloud-amd64 |
        sed -n 's/.*Depends: \(linux-image[^ ]*\).*/\1/p' | head -1)" >/dev/null
    dpkg -x ./linux-image-*.deb kernel
    image=$(ls kernel/boot/vmlinuz-*)
fi
cp "$image" iso/vmlinuz
cp /usr/lib/ISOLINUX/isolinux.bin /usr/lib/syslinux/modules/bios/ldlinux.c32 iso/
(cd root && find . | cpio -o -H newc --quiet | gzip -1 >../iso/initrd.gz)
# 321 and 323 are XSAVEC and XSAVES: Bochs gives the compacted save area another size than it
# announces, and the kernel would switch AVX off.
cat >iso/isolinux.cfg <<END
default tests
prompt 0
label tests
 kernel vmlinuz
 append initrd=initrd.gz console=ttyS0 quiet panic=-1 nokaslr mitigations=off \
clearcpuid=321,323 cryptomgr.notests rdinit=/init HASTEN_TEST_BACKEND=$backend HASTEN_ACCUMULATE=500
END
sed -i -e ':a' -e '/\\$/N; s/\\\n//; ta' iso/isolinux.cfg
xorriso -as mkisofs -quiet -o boot.iso -b isolinux.bin -c boot.cat -no-emul-boot \
    -boot-load-size 4 -boot-info-table iso 2>xorriso.log
cat >bochsrc <<END
cpu: model=$model, count=1, ips=20000000, reset_on_triple_fault=0
memory: guest=256, host=256
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/bochs/VGABIOS-lgpl-latest
ata0-master: type=cdrom, path=boot.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=serial.txt
sound: driver=dummy
display_library: term
log: bochs.log
clock: sync=none
END
echo c >debugger
echo "emulate: running $backend on $model"
begin=$(date +%s)
: >serial.txt
TERM=xterm script -qfc "exec bochs -q -f bochsrc -rc debugger" /dev/null >screen.txt 2>&1 </dev/null &
pid=$!
limit=${EMULATE_LIMIT:-1800}
until grep -aq "emulation: \|Kernel panic" serial.txt; do
    sleep 2
    if ! kill -0 $pid 2>/dev/null || [ $(($(date +%s) - begin)) -gt "$limit" ]; then
        tail -c 2000 serial.txt bochs.log >&2
        echo "emulate: no result" >&2
        exit 1
    fi
done
sleep 2
seconds=$(($(date +%s) - begin))
tr -d '\r' <serial.txt | grep -a "^test \|emulation: \|panic" || true
passed=$(tr -d '\r' <serial.txt | grep -ac "^test .* ok$" || true)
result=failed
! grep -aq "emulation: passed" serial.txt || result=passed
version=$(dpkg-query -W -f '${Version}' bochs)
kernel=$(basename "$image")
mkdir -p "$root/results"
cat >"$root/results/kernels-emulation.json" <<END
{
  "schema": "hasten.kernels-emulation/1",
  "command": "crates/kernels/emulate.sh $backend $model",
  "machine": { "emulator": "Bochs $version", "model": "$model", "kernel": "$kernel" },
  "commit": "$(git -C "$root" rev-parse --short HEAD)",
  "rows": [
    { "backend": "$backend", "result": "$result", "tests_passed": $passed, "seconds": $seconds }
  ]
}
END
echo "emulate: $result, $passed tests, $seconds s: results/kernels-emulation.json"
[ $result = passed ]
