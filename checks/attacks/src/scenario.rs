//! The commands that are struck, the prepared world of each, and what must work afterwards.

use std::net::UdpSocket;
use std::path::PathBuf;

use crate::inside::Inside;
use crate::ledger::Ledger;
use crate::trace::{self, Strike, Traced};
use crate::yard::{Setup, Yard, adds_up};

/// What must be possible after the command was struck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// The same key generation completes, and the key signs.
    Keygen,
    /// The key signs.
    Sign,
    /// The key signs, and so does the shard, if necessary after repeating the command.
    Shard,
    /// The key signs, and so does the shard, after the command is repeated and the shard is
    /// imported.
    Carry,
    /// The same command succeeds, and the key signs nothing.
    Retire,
    /// The same command succeeds, and the key signs.
    Again,
    /// The same command succeeds twice.
    Publish,
    /// A copy of the file is imported elsewhere, under another guard, and then the same command is
    /// repeated. One of the two keys signs, and no index signs twice.
    Elsewhere(&'static [&'static str]),
}

/// Where signatures are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    /// In raw signature files, by their names.
    Raw,
    /// In all files, whatever surrounds a signature. The shell line must succeed in the end: it
    /// verifies the files that were named in the command.
    Inside(&'static str),
    /// In the datagrams sent to the address that `$TO` stands for.
    Sent,
}

impl Scenario {
    /// Returns true if an older tool prepares its world.
    pub fn needs_old(&self) -> bool {
        self.prepare.contains("$OLD")
    }

    /// Looks for signatures in all files. `verified` is the shell line that verifies the named
    /// files.
    const fn inside(mut self, verified: &'static str) -> Self {
        self.signatures = Where::Inside(verified);
        self
    }

    /// Looks for signatures in the datagrams sent.
    const fn sent(mut self) -> Self {
        self.signatures = Where::Sent;
        self
    }
}

/// A command and its world.
pub struct Scenario {
    /// Its name in the report.
    pub name: &'static str,
    /// The parameter set of its key.
    pub alg: &'static str,
    /// Shell lines that prepare the world. `$HASTEN` is the tool, `$ALG` the parameter set, `$OLD`
    /// an older tool.
    pub prepare: &'static str,
    /// The command that is struck. `$ALG` stands for the set, `$TO` for an address of this machine.
    pub act: &'static [&'static str],
    /// What must be possible afterwards.
    pub then: Then,
    /// Where signatures are looked for.
    pub signatures: Where,
}

/// Keys of other programs.
const VECTORS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors");
const LMS: &str = "LMS_SHA256_M24_H5_W8";
const LMS_32: &str = "LMS_SHA256_M32_H5_W8";
const HSS: &str = "HSS(LMS_SHA256_M24_H5_W8,LMS_SHA256_M24_H5_W8)";
const XMSS: &str = "XMSSMT-SHA2_20/4_192";
const MADE: &str = "$HASTEN keygen --alg $ALG -k key --guard guard --threads 1";
const USED: &str = "$HASTEN keygen --alg $ALG -k key --guard guard --threads 1
    echo message m >m; $HASTEN sign -k key m";
/// 31 of the 32 leaves of the first lower tree are used.
const LATE: &str = "$HASTEN keygen --alg $ALG -k key --guard guard --threads 1
    for i in $(seq 31); do echo message $i >$i; done; $HASTEN sign -k key $(seq 31)";
const SECTORS: &str = "$HASTEN keygen --alg $ALG -k key --guard guard --sectors 2";
const REFUSED: &str = "$HASTEN keygen --alg $ALG -k key --guard guard --threads 1
    echo message m >m; echo message n >n; $HASTEN sign -k key m; cp -a key old
    $HASTEN sign -k key n; rm -r key guard; mv old key";
const OLD: &str = "$OLD keygen --alg $ALG -k key --guard guard --threads 1
    echo message m >m; $OLD sign -k key m";

const KEYGEN: &[&str] =
    &["keygen", "--alg", "$ALG", "-k", "key", "--guard", "guard", "--threads", "1"];
const SHARD: &[&str] =
    &["shard", "-k", "key", "--count", "8", "--out", "shard", "--out-guard", "shard.guard"];
const SECTOR: &[&str] =
    &["shard", "-k", "key", "--sector", "--out", "shard", "--out-guard", "shard.guard"];
const EXPORT: &[&str] = &["export-shard", "-k", "key", "--count", "8", "--out", "s"];
const IMPORT: &[&str] = &["import-shard", "s", "-k", "shard", "--guard", "shard.guard"];
const EXPORTED: &str = "$HASTEN keygen --alg $ALG -k key --guard guard --threads 1
    echo message m >m; $HASTEN sign -k key m; $HASTEN export-shard -k key --count 8 --out s";
const RECOVER: &[&str] = &["recover", "-k", "key", "--newest", "n.sig", "--yes", "--burn", "4"];
const DESTROY: &[&str] = &["retire", "-k", "key", "--destroy-secret", "--yes"];

const SIGN_CMS: &[&str] = &["cms", "sign", "-k", "key", "a"];
const SIGN_THREE_CMS: &[&str] = &["sign", "-k", "key", "--format", "cms", "a", "b", "c"];
const SIGN_COSE: &[&str] = &["sign", "-k", "key", "--format", "cose", "a"];
const SIGN_BOOT: &[&str] = &["sign", "-k", "key", "a", "--format", "boot", "--image-version", "7"];
const SIGN_BOOT_HSS: &[&str] =
    &["sign", "-k", "key", "a", "--format", "boot-hss", "--image-version", "7"];
const SECOND: &str = "$HASTEN keygen --alg $ALG -k key --guard guard --threads 1
    $HASTEN keygen --alg Ed25519 --out second";
const SIGN_DUAL: &[&str] = &["dual", "sign", "-k", "key", "--second", "second.key", "a"];
const ROOT: &[&str] =
    &["cert", "root", "--alg", "$ALG", "--name", "Root", "--store", "key", "--out", "root"];
const ROOTED: &str = "$HASTEN keygen --alg $ALG -k key --guard guard --threads 1
    $HASTEN cert root --alg $ALG --name Root --store key --out root";
const INTERMEDIATE: &[&str] = &[
    "cert",
    "intermediate",
    "--alg",
    "Ed25519",
    "--ca",
    "root",
    "--ca-store",
    "key",
    "--out",
    "in",
];
const LEAF: &[&str] = &[
    "cert",
    "leaf",
    "--alg",
    "Ed25519",
    "--dns",
    "www.example",
    "--ca",
    "root",
    "--ca-store",
    "key",
    "--out",
    "www",
];
const REQUEST: &[&str] =
    &["cert", "request", "--alg", "$ALG", "--store", "key", "--dns", "www.example", "--out", "req"];
const IDENTITY: &str = "$HASTEN keygen --alg \"HSS($ALG,$ALG)\" --sessions -k key --guard guard";
const PUBLISH: &[&str] = &["publish", "-k", "key", "--to", "$TO"];
const COPIED: &str = "$HASTEN keygen --alg $ALG -k key --guard guard --threads 1
    $HASTEN export-shard -k key --count 8 --out s; cp s copy";
const IMPORT_COPY: &[&str] = &["import-shard", "copy", "-k", "other", "--guard", "other.guard"];
const IMPORT_NAMED: &[&str] =
    &["import-shard", "s", "-k", "shard", "--guard", "shard.guard", "--register", "came"];
const IMPORT_COPY_NAMED: &[&str] =
    &["import-shard", "copy", "-k", "other", "--guard", "other.guard", "--register", "came"];
const FOREIGN_KEY: &str = "cp $VECTORS/lms/hash-sigs/one.prv one.prv; cp one.prv copy.prv
    cp $VECTORS/lms/hash-sigs/one.pub one.pub";
const IMPORT_KEY: &[&str] = &[
    "import",
    "one.prv",
    "-p",
    "one.pub",
    "--burned-through",
    "11",
    "-k",
    "key",
    "--guard",
    "guard",
    "--threads",
    "1",
];
const IMPORT_KEY_COPY: &[&str] = &[
    "import",
    "copy.prv",
    "-p",
    "one.pub",
    "--burned-through",
    "11",
    "-k",
    "other",
    "--guard",
    "other.guard",
    "--threads",
    "1",
];

/// Every scenario. The last one needs an older tool, `--old`.
pub const SCENARIOS: &[Scenario] = &[
    row("keygen", LMS, "", KEYGEN, Then::Keygen),
    row("keygen of two levels", HSS, "", KEYGEN, Then::Keygen),
    row("sign", LMS, USED, &["sign", "-k", "key", "a"], Then::Sign),
    row("sign three files", LMS, USED, &["sign", "-k", "key", "a", "b", "c"], Then::Sign),
    row("sign into the next tree", HSS, LATE, &["sign", "-k", "key", "a", "b"], Then::Sign),
    row("sign of four layers", XMSS, USED, &["sign", "-k", "key", "a"], Then::Sign),
    row("shard", LMS, USED, SHARD, Then::Shard),
    row("shard of a sector", LMS, SECTORS, SECTOR, Then::Shard),
    row("export a shard", LMS, USED, EXPORT, Then::Carry),
    row("import a shard", LMS, EXPORTED, IMPORT, Then::Carry),
    row("retire", LMS, USED, &["retire", "-k", "key", "--yes"], Then::Retire),
    row("retire and destroy", LMS, USED, DESTROY, Then::Retire),
    row("recover", LMS, REFUSED, RECOVER, Then::Again),
    row("status", LMS, USED, &["status", "-k", "key"], Then::Sign),
    row("audit", LMS, USED, &["audit", "verify", "key", "m.sig"], Then::Sign),
    row("cms", LMS, USED, SIGN_CMS, Then::Sign)
        .inside("[ ! -e a.p7s ] || $HASTEN cms verify -p key a.p7s --content a"),
    row("cms of three files", LMS, USED, SIGN_THREE_CMS, Then::Sign).inside(
        "for f in a b c; do [ ! -e $f.p7s ] || $HASTEN cms verify -p key $f.p7s --content $f; done",
    ),
    row("cose", LMS, USED, SIGN_COSE, Then::Sign)
        .inside("[ ! -e a.cose ] || $HASTEN verify --format cose -p key a"),
    row("boot image", LMS, USED, SIGN_BOOT, Then::Sign)
        .inside("[ ! -e a.boot ] || $HASTEN verify --format boot -p key a.boot"),
    row("boot image of HSS", LMS, USED, SIGN_BOOT_HSS, Then::Sign)
        .inside("[ ! -e a.boot ] || $HASTEN verify --format boot-hss -p key a.boot"),
    row("dual signature", LMS, SECOND, SIGN_DUAL, Then::Sign)
        .inside("[ ! -e a.dual ] || $HASTEN dual verify -p key --second second.pub a"),
    row("root certificate", LMS, MADE, ROOT, Then::Sign)
        .inside("[ ! -e root.pem ] || $HASTEN cert show root.pem"),
    row("intermediate certificate", LMS, ROOTED, INTERMEDIATE, Then::Sign)
        .inside("[ ! -e in.pem ] || $HASTEN cert show in.pem"),
    row("leaf certificate", LMS, ROOTED, LEAF, Then::Sign)
        .inside("[ ! -e www.pem ] || $HASTEN cert verify www.pem --ca root.pem --dns www.example"),
    row("certificate request", LMS, MADE, REQUEST, Then::Sign)
        .inside("[ ! -e req.csr ] || $HASTEN inspect req.csr"),
    row("publish", LMS, IDENTITY, PUBLISH, Then::Publish).sent(),
    row("import a shard twice", LMS, COPIED, IMPORT, Then::Elsewhere(IMPORT_COPY)).inside("true"),
    row(
        "import a shard, register named",
        LMS,
        COPIED,
        IMPORT_NAMED,
        Then::Elsewhere(IMPORT_COPY_NAMED),
    )
    .inside("true"),
    row("import a key twice", LMS_32, FOREIGN_KEY, IMPORT_KEY, Then::Elsewhere(IMPORT_KEY_COPY))
        .inside("true"),
    row("first signature", LMS, MADE, &["sign", "-k", "key", "a"], Then::Sign),
    row("upgrade", LMS, OLD, &["sign", "-k", "key", "a"], Then::Sign),
];

const fn row(
    name: &'static str,
    alg: &'static str,
    prepare: &'static str,
    act: &'static [&'static str],
    then: Then,
) -> Scenario {
    Scenario { name, alg, prepare, act, then, signatures: Where::Raw }
}

/// Directories in which a scenario may have a key.
const KEYS: [&str; 3] = ["key", "shard", "other"];

/// The result of a struck command.
#[derive(Debug, Default)]
pub struct Verdict {
    /// Number of signatures that verify.
    pub signatures: u64,
    /// Number of signatures broken off, whose index counts as used.
    pub torn: u64,
    /// Whether the blow struck. With threads, another run may have other calls.
    pub struck: bool,
    /// Whether the struck command ended with status 0.
    pub good: bool,
    /// Number of indices lost without signing anything.
    pub lost: u64,
    /// Number of ranges given to a shard that was never created.
    pub ranges_lost: u64,
    /// Errors found.
    pub wrong: Vec<String>,
}

/// The world of a scenario. It is prepared once and restored before each strike.
pub struct World<'s> {
    scenario: &'s Scenario,
    yard: Yard,
    template: PathBuf,
    act: Vec<String>,
    /// Receiver of datagrams.
    listener: Listener,
}

impl<'s> World<'s> {
    /// Prepares the world, or returns the reason why this is impossible.
    pub fn new(setup: &Setup, scenario: &'s Scenario, old: Option<&str>) -> Result<Self, String> {
        let yard = Yard::new(setup, &scenario.name.replace(' ', "-"));
        if !yard.knows(scenario.act[0]) {
            return Err(format!("this tool has no '{}'", scenario.act[0]));
        }
        let old = old.unwrap_or_default();
        let (alg, prepare) = (scenario.alg, scenario.prepare);
        let lines = format!("set -e; ALG='{alg}' OLD='{old}' VECTORS='{VECTORS}'\n{prepare}");
        yard.must_shell(&lines);
        for name in ["a", "b", "c"] {
            yard.message(name);
        }
        let template = yard.dir().with_extension("made");
        let listener = Listener::new();
        let act = act(scenario, &listener.address());
        let world = Self { scenario, act, yard, template, listener };
        world.copy(world.yard.dir(), &world.template);
        Ok(world)
    }

    /// Restores the world and runs the command with the blow.
    pub fn strike(&self, strike: Option<Strike>) -> Traced {
        self.copy(&self.template, self.yard.dir());
        self.listener.take();
        self.accept();
        self.run(&self.act(), strike)
    }

    /// Tells the tool that the key's files were put back on purpose. This is not done for a key of
    /// an older tool, which is not bound to its files, or for one to be recovered, which is refused
    /// for another reason.
    fn accept(&self) {
        let bound = !self.scenario.needs_old() && self.scenario.then != Then::Again;
        if bound && self.yard.knows("moved") && self.yard.path("key/config").exists() {
            let answer = self.yard.hasten(&["moved", "-k", "key", "--yes"]);
            assert!(answer.good(), "{}", answer.err);
        }
    }

    /// Runs the command that follows the struck one, with a blow.
    pub fn strike_again(&self, strike: Option<Strike>) -> Traced {
        self.yard.message("x");
        match self.goes_on_by_itself() {
            true => self.run(&self.act(), strike),
            false => self.run(&["sign", "-k", "key", "x"], strike),
        }
    }

    /// Returns true if the command itself is repeated after it was struck. Otherwise the key signs
    /// next.
    pub fn goes_on_by_itself(&self) -> bool {
        matches!(self.scenario.then, Then::Keygen | Then::Again | Then::Publish)
    }

    /// Returns the words of the command.
    fn act(&self) -> Vec<&str> {
        self.act.iter().map(String::as_str).collect()
    }

    fn run(&self, arguments: &[&str], strike: Option<Strike>) -> Traced {
        trace::run(&self.yard, arguments, strike, &mut || ())
    }

    fn copy(&self, from: &std::path::Path, to: &std::path::Path) {
        let (from, to) = (from.display(), to.display());
        let line = format!("rm -rf '{to}' && cp -a '{from}' '{to}'");
        let done = std::process::Command::new("/bin/sh").args(["-c", &line]).status();
        assert!(done.is_ok_and(|status| status.success()), "{line}");
    }

    /// Continues after the blow, examines every signature, and returns the errors.
    pub fn judge(&self, struck: &Traced) -> Verdict {
        let (good, struck) = (struck.answer.good(), struck.struck);
        let mut verdict = Verdict { good, struck, ..Verdict::default() };
        self.go_on(&mut verdict);
        let gone = self.account(&mut verdict);
        match self.scenario.signatures {
            Where::Inside(verified) => {
                self.walk_inside(gone, &mut verdict);
                self.verify(verified, &mut verdict);
                return verdict;
            }
            Where::Sent => {
                self.walk_inside(gone, &mut verdict);
                return verdict;
            }
            Where::Raw => {}
        }
        let pem = self.yard.path("key/public.pem");
        if let Some(mut ledger) = Ledger::new(self.scenario.alg, &pem) {
            ledger.enter_all(self.yard.dir());
            verdict.signatures = ledger.good;
            verdict.torn = ledger.torn;
            verdict.wrong.append(&mut ledger.wrong);
            if ledger.indices() > gone {
                verdict
                    .wrong
                    .push(format!("{} indices signed, {gone} accounted", ledger.indices()));
            }
        }
        verdict
    }

    /// Examines the signatures in all files and in the datagrams sent.
    fn walk_inside(&self, gone: u64, verdict: &mut Verdict) {
        let mut inside = Inside::new(self.scenario.alg).expect("a set whose shape is known");
        inside.enter_all(self.yard.dir());
        for datagram in self.listener.take() {
            inside.enter("a datagram".as_ref(), &datagram);
        }
        (verdict.signatures, verdict.torn) = (inside.whole, inside.torn);
        verdict.wrong.append(&mut inside.wrong);
        if inside.indices() > gone {
            let told = format!("{} indices signed, {gone} accounted", inside.indices());
            verdict.wrong.push(told);
        }
    }

    fn verify(&self, verified: &str, verdict: &mut Verdict) {
        let answer = self.yard.shell(&format!("set -e; {verified}"));
        if !answer.good() {
            verdict.wrong.push(format!("does not verify: {}{}", answer.out, answer.err));
        }
    }

    fn go_on(&self, verdict: &mut Verdict) {
        match self.scenario.then {
            Then::Keygen | Then::Again if !verdict.good => {
                self.again(verdict);
                self.signs("key", verdict);
            }
            Then::Shard => self.go_on_sharding(verdict),
            Then::Carry => self.go_on_carrying(verdict),
            Then::Retire => self.go_on_retiring(verdict),
            Then::Publish => (0..2).for_each(|_| self.again(verdict)),
            Then::Elsewhere(copy) => self.go_on_elsewhere(copy, verdict),
            _ => self.signs("key", verdict),
        }
    }

    /// Requires two signatures.
    fn signs(&self, key: &str, verdict: &mut Verdict) {
        for number in 1..=2 {
            let name = format!("{key}-{number}");
            let answer = self.yard.sign(key, &name);
            if !answer.good() {
                verdict.wrong.push(format!("{key} signs no more: {}", answer.err.trim()));
            }
        }
    }

    fn again(&self, verdict: &mut Verdict) {
        let answer = self.yard.hasten(&self.act());
        let is_there = self.yard.status("key").is_some_and(|row| row["finished"] == true);
        let made = is_there && self.scenario.then == Then::Keygen;
        if !answer.good() && !made {
            verdict.wrong.push(format!("does not go on: {}", answer.err.trim()));
        }
    }

    fn go_on_sharding(&self, verdict: &mut Verdict) {
        self.signs("key", verdict);
        if !verdict.good {
            let again = self.yard.hasten(&self.act());
            let given = self.yard.status("key").map_or(0, |row| row["given"].as_u64().unwrap_or(0));
            let wanted = if self.scenario.act == SECTOR { 16 } else { 8 };
            verdict.ranges_lost = u64::from(given != wanted || !again.good());
        }
        if verdict.good || self.yard.path("shard/config").exists() {
            self.signs("shard", verdict);
        }
    }

    /// Repeats the struck command and the import. Each may report that it was done before.
    fn go_on_carrying(&self, verdict: &mut Verdict) {
        self.signs("key", verdict);
        let mut must = |act: &[&str], done: &str| {
            let answer = self.yard.hasten(act);
            if !answer.good() && !answer.err.contains(done) {
                verdict.wrong.push(format!("does not go on: {}", answer.err.trim()));
            }
        };
        if self.scenario.act == EXPORT {
            must(EXPORT, "exists already");
        }
        if self.yard.path("s").exists() {
            must(IMPORT, "imported before");
        }
        self.signs("shard", verdict);
        let given = self.yard.status("key").map_or(0, |row| row["given"].as_u64().unwrap_or(0));
        verdict.ranges_lost = u64::from(given != 8);
    }

    /// First imports a copy of the file elsewhere, as a user may whose import failed. Then repeats
    /// the command, and signs with the key that resulted.
    fn go_on_elsewhere(&self, copy: &[&str], verdict: &mut Verdict) {
        let (mut said, same) = (String::new(), self.act());
        for act in [copy, &same] {
            let answer = self.yard.hasten(act);
            if !answer.orderly() {
                verdict.wrong.push(format!("ended with {}: {}", answer.status, answer.err));
            }
            said += &answer.err;
        }
        let keys = KEYS.iter().filter(|key| self.is_whole(key));
        let imported = keys.clone().filter(|key| **key != self.left_behind()).count();
        if imported != 1 {
            verdict.wrong.push(format!("{imported} keys were imported: {said}"));
        }
        keys.for_each(|key| self.signs(key, verdict));
    }

    /// Returns the key that a shard was taken from, or nothing for another program's key.
    fn left_behind(&self) -> &str {
        if self.scenario.act == IMPORT_KEY { "" } else { "key" }
    }

    fn is_whole(&self, key: &str) -> bool {
        self.yard.path(key).join("public.pem").exists()
    }

    fn go_on_retiring(&self, verdict: &mut Verdict) {
        let again = if verdict.good { None } else { Some(self.yard.hasten(&self.act())) };
        if let Some(answer) =
            again.filter(|answer| !answer.good() && !answer.err.contains("retired"))
        {
            verdict.wrong.push(format!("does not go on: {}", answer.err.trim()));
        }
        if self.yard.sign("key", "late").good() {
            verdict.wrong.push("a retired key signed".to_owned());
        }
        if self.scenario.act == DESTROY && self.yard.path("key/secret").exists() {
            verdict.wrong.push("the secret is still there".to_owned());
        }
    }

    /// Checks the accounts. Returns how many indices they count as used, lost or burned.
    fn account(&self, verdict: &mut Verdict) -> u64 {
        let mut gone = 0;
        let elsewhere = matches!(self.scenario.then, Then::Elsewhere(_));
        let is_there = |key: &&&str| match elsewhere {
            true => self.is_whole(key),
            false => self.yard.path(key).exists(),
        };
        for key in KEYS.iter().filter(is_there) {
            match self.yard.status(key) {
                Some(row) if !adds_up(&row) => {
                    verdict.wrong.push(format!("{key}: the account does not add up: {row}"));
                }
                Some(row) if !row["refused"].is_null() => {
                    verdict.wrong.push(format!("{key}: refused in the end: {}", row["refused"]));
                }
                Some(row) => {
                    let number = |name: &str| row[name].as_u64().unwrap_or(0);
                    verdict.lost += number("lost");
                    gone += number("used") + number("lost") + number("burned");
                }
                None => verdict.wrong.push(format!("{key}: status says nothing")),
            }
        }
        gone
    }
}

fn act(scenario: &Scenario, to: &str) -> Vec<String> {
    let word = |word: &&str| word.replace("$ALG", scenario.alg).replace("$TO", to);
    scenario.act.iter().map(word).collect()
}

/// A socket that receives datagrams.
struct Listener(UdpSocket);

impl Listener {
    fn new() -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").expect("a port");
        socket.set_nonblocking(true).expect("a socket does not wait");
        Self(socket)
    }

    fn address(&self) -> String {
        format!("udp://{}", self.0.local_addr().expect("it is bound"))
    }

    /// Returns the datagrams received since the last call.
    fn take(&self) -> Vec<Vec<u8>> {
        let mut datagrams = Vec::new();
        let mut buffer = vec![0; 65_536];
        while let Ok(length) = self.0.recv(&mut buffer) {
            datagrams.push(buffer[..length].to_vec());
        }
        datagrams
    }
}
