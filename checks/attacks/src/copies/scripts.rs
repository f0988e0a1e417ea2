//! The attacks, as lines of the shell. `try` runs the command whose result is judged.

/// An attack, and its required result.
pub struct Attack {
    /// Its name in the report.
    pub name: &'static str,
    /// Lines of the shell.
    pub lines: &'static str,
    /// Required result of the command that was tried. In no case may a one-time key be used twice.
    pub must: Must,
    /// A command that the tool must have for this attack.
    pub needs: Option<&'static str>,
}

impl Attack {
    /// Returns true if the attack is run for this file. Files of a terabyte are only tried in place
    /// of the files that every opening reads.
    pub fn fits(&self, file: &str) -> bool {
        let read = ["audit", "config", "lock", "log.0", "log.1", "stamp"].contains(&file);
        read || !self.lines.contains("1T")
    }
}

/// Required result of the command that was tried.
#[derive(Clone, Copy)]
pub enum Must {
    /// It is refused with status 2, and its message has these texts.
    Refuse(&'static [Text]),
    /// It may do anything, but nothing is used twice.
    BeSafe,
}

/// A text in a refusal.
pub enum Text {
    /// The absolute path of a file of the yard.
    Path(&'static str),
    /// A word.
    Word(&'static str),
}

/// Parameter set of every key here. It has two levels, so that a key has every possible file.
pub const ALG: &str = "HSS(LMS_SHA256_M24_H5_W8,LMS_SHA256_M24_H5_W8)";

/// `make KEY GUARD`, `use KEY MESSAGE...`, `try ARGUMENT...` (its status is kept), `say
/// MESSAGE...`, `accept KEY [OPTION...]` (accepts that its files were moved).
pub const PRELUDE: &str = r#"set -e
say() { for m; do echo "message $m" >"$m"; done; }
make() { "$HASTEN" keygen --alg 'HSS(LMS_SHA256_M24_H5_W8,LMS_SHA256_M24_H5_W8)' -k "$1" --guard "$2" --threads 1 >made 2>&1 || { cat made >&2; exit 1; }
  cp "$1/public.pem" "$1.pub"; }
use() { k=$1; shift; for m; do say "$m"; "$HASTEN" sign -k "$k" "$m" --out "$m.sig" >used 2>&1 || { cat used >&2; exit 1; }; done; }
try() { set +e; "$HASTEN" "$@" >try.out 2>try.err; echo $? >try.status; set -e; }
accept() { "$HASTEN" moved -k "$@" --yes >/dev/null 2>&1 || true; }
more() { say "$2"; "$HASTEN" sign -k "$1" "$2" --out "$2.sig" >more.out 2>&1 || true; }"#;

const MOVED: Must = Must::Refuse(&[Text::Path("guard"), Text::Word("hasten moved")]);
const GUARD: Must = Must::Refuse(&[Text::Path("guard")]);
const RECOVER: Must = Must::Refuse(&[Text::Word("hasten recover")]);

const fn row(name: &'static str, must: Must, lines: &'static str) -> Attack {
    Attack { name, lines, must, needs: None }
}

const fn with(needs: &'static str, attack: Attack) -> Attack {
    Attack { needs: Some(needs), ..attack }
}

/// Attacks that are run once.
pub const SCRIPTS: &[Attack] = &[
    row("an old copy put back", GUARD, "make key guard; use key 1 2; cp -a key old; use key 3
        rm -r key; mv old key; say 4; try sign -k key 4"),
    row("a copy beside, used after the key", GUARD, "make key guard; use key 1; cp -a key copy; use key 2
        say 3; try sign -k copy 3"),
    row("the key after a copy beside it", GUARD, "make key guard; use key 1; cp -a key copy; accept copy; more copy 2; more copy 3
        say 4; try sign -k key 4"),
    row("key and copy in turns", Must::BeSafe, "make key guard; use key 1; cp -a key copy; accept copy; more copy 2; more key 3
        accept copy; more copy 4; more key 5; say 6; try sign -k copy 6"),
    with("moved", row("key and guard put back, as new files", MOVED, "make key guard; use key 1; mkdir old; cp -a key guard old; use key 2
        rm -r key guard; cp -r old/. .; say 3; try sign -k key 3; more key 4; rm -r old")),
    with("moved", row("key and guard put back, in place", MOVED, "make key guard; use key 1; mkdir old; cp -a key guard old; use key 2
        cp -a old/. .; say 3; try sign -k key 3; more key 4; rm -r old")),
    with("moved", row("key and guard unpacked over those that are there", MOVED, "make key guard; use key 1; tar cf old.tar key guard; use key 2
        tar xf old.tar; say 3; try sign -k key 3; more key 4")),
    row("an old guard put back", GUARD, "make key guard; use key 1; cp -a guard old; use key 2 3; cp -a old guard
        say 4; try sign -k key 4"),
    row("the guard of one commit before put back", Must::BeSafe, "make key guard; use key 1; cp -a guard old; use key 2
        cp -a old guard; say 3; try sign -k key 3; more key 4"),
    row("the guard is gone", GUARD, "make key guard; use key 1; rm guard; say 2; try sign -k key 2"),
    row("the guard of another key", GUARD, "make key guard; make b b.guard; use key 1; use b 2; cp b.guard guard
        say 3; try sign -k key 3"),
    row("the guard moved, and named by a relative path", Must::Refuse(&[]), "mkdir p; cd p; make fw fw.guard; mv fw.guard g
        accept fw --guard g; say A; \"$HASTEN\" sign -k fw --guard g A >/dev/null 2>&1; cd ..; cp -r p copy; rm copy/*.sig
        (cd p; more fw B); cd copy; say C; try sign -k fw C --out C.sig; cp try.* .."),
    row("the same guard named by a relative path", Must::Refuse(&[]), "mkdir p; cd p; make fw fw.guard
        say A; \"$HASTEN\" sign -k fw --guard fw.guard A >/dev/null 2>&1; cd ..; cp -r p copy; rm copy/*.sig
        (cd p; more fw B); cd copy; say C; try sign -k fw C --out C.sig; cp try.* .."),
    row("one key's secret, cache and public key in another", Must::Refuse(&[]), "make a a.guard; make b b.guard; use a 1 2; use b 3
        cp a/secret a/cache a/public.pem b; cp a/growth b 2>/dev/null || true; say 4; try sign -k b 4"),
    row("--burn on sign after an old copy", RECOVER, "make key guard; use key 1; cp -a key old; use key 2 3 4
        rm -r key guard; mv old key; say 5; try sign -k key 5 --burn 1"),
    row("--burn 0 on sign", RECOVER, "make key guard; use key 1; cp -a key old; use key 2
        rm -r key guard; mv old key; say 3; try sign -k key 3 --burn 0"),
    with("recover", row("recover with the newest signature", Must::BeSafe, "make key guard; use key 1; cp -a key old; use key 2 3 4
        rm -r key guard; mv old key; try recover -k key --newest 4.sig --yes --burn 1; use key 5 6")),
    with("recover", row("recover burns nothing", Must::Refuse(&[]), "make key guard; use key 1; cp -a key old; use key 2
        rm -r key guard; mv old key; try recover -k key --newest 2.sig --yes --burn 0; more key 3")),
    with("recover", row("recover is not asked", Must::Refuse(&[]), "make key guard; use key 1; cp -a key old; use key 2
        rm -r key guard; mv old key; try recover -k key --newest 2.sig </dev/null; more key 3")),
    with("recover", row("recover by another key's signature", Must::Refuse(&[]), "make key guard; make b b.guard; use key 1
        cp -a key old; use key 2; use b 3; rm -r key guard; mv old key; try recover -k key --newest 3.sig --yes --burn 1; more key 4")),
    row("config says a relative path", Must::Refuse(&[]), "make key guard; use key 1; cp -r . ../$$; mv ../$$ copy; rm copy/*.sig
        sed -i \"s#$PWD/guard#guard#\" key/config copy/key/config; (cd copy; more key 2); say 3; try sign -k key 3
        more key 4; (cd copy; more key 5)"),
    row("config of a copy points at a copied guard", Must::Refuse(&[]), "make key guard; use key 1; cp -a key copy; cp guard guard2
        sed -i \"s#$PWD/guard#$PWD/guard2#\" copy/config; use key 2; say 3; try sign -k copy 3"),
    row("two keys, one guard", GUARD, "make key guard; use key 1
        try keygen --alg LMS_SHA256_M24_H5_W8 -k b --guard guard; use key 2"),
    row("a key removed and made again", GUARD, "make key guard; use key 1; rm -r key
        try keygen --alg LMS_SHA256_M24_H5_W8 -k key --guard guard"),
    row("a guard that is a file of another kind", Must::Refuse(&[]), "say notes; cp notes was
        try keygen --alg LMS_SHA256_M24_H5_W8 -k key --guard notes; cmp notes was"),
    row("a guard that is another key's log", Must::Refuse(&[]), "make key guard; use key 1
        try keygen --alg LMS_SHA256_M24_H5_W8 -k b --guard key/log.0; use key 2"),
    row("two keys whose names differ by a sign", Must::BeSafe, "mkdir x; set -- --alg LMS_SHA256_M24_H5_W8
        \"$HASTEN\" keygen $* -k x/y >/dev/null 2>&1; cp -a x/y x/old; more x/y 1
        try keygen $* -k 'x%y'; say 2; rm -r x/y; mv x/old x/y; try sign -k x/y 2; rm -f *.sig"),
    row("the folder is a link to a copy", GUARD, "make key guard; use key 1; cp -a key copy; use key 2
        mv key real; ln -s copy key; say 3; try sign -k key 3"),
    row("the guard is a link that is turned", Must::Refuse(&[]), "make key guard; use key 1; cp guard old; use key 2
        mv guard new; ln -s old guard; say 3; try sign -k key 3"),
    row("the newest record zeroed", Must::BeSafe, "make key guard; use key 1 2; n=$(od -An -v -tx1 -w128 key/log.0 | awk '!/^( 00)+$/ { n = NR } END { print n }')
        dd if=/dev/zero of=key/log.0 bs=128 seek=$((n - 1)) count=1 conv=notrunc 2>/dev/null; say 3; try sign -k key 3; more key 4"),
    row("the two newest records zeroed", Must::BeSafe, "make key guard; use key 1 2; n=$(od -An -v -tx1 -w128 key/log.0 | awk '!/^( 00)+$/ { n = NR } END { print n }')
        dd if=/dev/zero of=key/log.0 bs=128 seek=$((n - 2)) count=2 conv=notrunc 2>/dev/null; say 3; try sign -k key 3; more key 4"),
    row("the four newest records zeroed", Must::BeSafe, "make key guard; use key 1 2 3 4; n=$(od -An -v -tx1 -w128 key/log.0 | awk '!/^( 00)+$/ { n = NR } END { print n }')
        dd if=/dev/zero of=key/log.0 bs=128 seek=$((n - 4)) count=4 conv=notrunc 2>/dev/null; say 5; try sign -k key 5; more key 6"),
    row("an old copy put back under a running session", Must::BeSafe, "make key guard; use key 1; cp -a key old; use key 2
        (sleep 0.4; echo message slow) | \"$HASTEN\" sign -k key - --out slow.sig >/dev/null 2>&1 &
        sleep 0.2; cp -a old/. key; say 3; try sign -k key 3 --wait 100ms; wait; more key 4; echo message slow >slow"),
];

/// Attacks that are run for each file `$F` of a key.
pub const FILES: &[Attack] = &[
    row("an older file", Must::BeSafe, "make key guard; use key 1; cp -a key old; use key 2 3 4
        cp -a old/$F key/$F 2>/dev/null || rm -f key/$F; say 5; try sign -k key 5; more key 6"),
    row("an older file, and the guard of its time", Must::BeSafe, "make key guard; use key 1; cp -a key old; cp guard g; use key 2 3 4
        cp -a old/$F key/$F 2>/dev/null || rm -f key/$F; cp g guard; say 5; try sign -k key 5; more key 6"),
    row("another key's file", Must::BeSafe, "make key guard; make b b.guard; use b 1; use key 2; cp -a b/$F key/$F 2>/dev/null || true
        say 3; try sign -k key 3; more key 4; more b 5"),
    row("a file removed", Must::BeSafe, "make key guard; use key 1; rm -f key/$F; say 2; try sign -k key 2; more key 3"),
    row("a file emptied", Must::BeSafe, "make key guard; use key 1; : >key/$F; say 2; try sign -k key 2; more key 3"),
    row("a file cut in half", Must::BeSafe, "make key guard; use key 1; truncate -s $(($(stat -c %s key/$F) / 2)) key/$F
        say 2; try sign -k key 2; more key 3"),
    row("a file made of noise", Must::BeSafe, "make key guard; use key 1; head -c $(stat -c %s key/$F) /dev/urandom >noise; cat noise >key/$F
        say 2; try sign -k key 2; more key 3"),
    row("a file with 16 MiB of zeros behind it", Must::BeSafe, "make key guard; use key 1; truncate -s +16M key/$F
        say 2; try sign -k key 2; more key 3"),
    row("a file of a terabyte of zeros", Must::BeSafe, "make key guard; use key 1; truncate -s 1T key/$F
        say 2; try sign -k key 2; more key 3"),
];
