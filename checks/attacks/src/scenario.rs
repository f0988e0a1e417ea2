//! Tells what is struck: one command of the tool, in a world that was prepared for it, and what
//! must go on afterwards.

use std::path::PathBuf;

use crate::ledger::Ledger;
use crate::trace::{self, Strike, Traced};
use crate::yard::{Setup, Yard, adds_up};

/// Says what must be possible after the command was struck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// The same key generation goes on, and the key signs.
    Keygen,
    /// The key signs.
    Sign,
    /// The key signs, and so does the shard, if need be after the same command.
    Shard,
    /// The key signs, and so does the shard, after the same command and the other one of the two
    /// that carry it.
    Carry,
    /// The same command succeeds, and the key signs nothing.
    Retire,
    /// The same command succeeds, and the key signs.
    Again,
}

impl Scenario {
    /// Returns true if its world is made by an older tool.
    pub fn needs_old(&self) -> bool {
        self.prepare.contains("$OLD")
    }
}

/// A command and its world.
pub struct Scenario {
    /// Its name in the report.
    pub name: &'static str,
    /// The parameter set of its key.
    pub alg: &'static str,
    /// Lines of the shell that make the world; `$HASTEN` is the tool, `$ALG` the set, `$OLD` an
    /// older tool.
    pub prepare: &'static str,
    /// The command that is struck; `$ALG` stands for the set.
    pub act: &'static [&'static str],
    /// Holds what must be possible afterwards.
    pub then: Then,
}

const LMS: &str = "LMS_SHA256_M24_H5_W8";
const HSS: &str = "HSS(LMS_SHA256_M24_H5_W8,LMS_SHA256_M24_H5_W8)";
const XMSS: &str = "XMSSMT-SHA2_20/4_192";
const MADE: &str = "$HASTEN keygen --alg $ALG -k key --guard guard --threads 1";
const USED: &str = "$HASTEN keygen --alg $ALG -k key --guard guard --threads 1
    echo message m >m; $HASTEN sign -k key m";
/// One before the last leaf of the first lower tree.
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
    Scenario { name, alg, prepare, act, then }
}

/// Holds what a struck command came to.
#[derive(Debug, Default)]
pub struct Verdict {
    /// Signatures that verify.
    pub signatures: u64,
    /// Signatures broken off, whose index counts as used.
    pub torn: u64,
    /// True if the blow found its call: with threads, another run has other calls.
    pub struck: bool,
    /// True if the struck command ended with status 0.
    pub good: bool,
    /// Indices that are gone for good and signed nothing.
    pub lost: u64,
    /// Ranges given to a shard that never came to be.
    pub ranges_lost: u64,
    /// Holds what must not be.
    pub wrong: Vec<String>,
}

/// The world of a scenario, which is made once and put back before each strike.
pub struct World<'s> {
    scenario: &'s Scenario,
    yard: Yard,
    template: PathBuf,
    act: Vec<&'s str>,
}

impl<'s> World<'s> {
    /// Makes the world, or says why it cannot be made.
    pub fn new(setup: &Setup, scenario: &'s Scenario, old: Option<&str>) -> Result<Self, String> {
        let yard = Yard::new(setup, &scenario.name.replace(' ', "-"));
        if !yard.knows(scenario.act[0]) {
            return Err(format!("this tool has no '{}'", scenario.act[0]));
        }
        let old = old.unwrap_or_default();
        let lines = format!("set -e; ALG='{}' OLD='{old}'\n{}", scenario.alg, scenario.prepare);
        yard.must_shell(&lines);
        for name in ["a", "b", "c"] {
            yard.message(name);
        }
        let template = yard.dir().with_extension("made");
        let world = Self { scenario, act: act(scenario), yard, template };
        world.copy(world.yard.dir(), &world.template);
        Ok(world)
    }

    /// Puts the world back, and runs the command with the blow.
    pub fn strike(&self, strike: Option<Strike>) -> Traced {
        self.copy(&self.template, self.yard.dir());
        self.run(&self.act, strike)
    }

    /// Runs another command of this world with a blow: what comes first after it was struck.
    pub fn strike_again(&self, strike: Option<Strike>) -> Traced {
        self.yard.message("x");
        let same = self.goes_on_by_itself();
        self.run(if same { &self.act } else { &["sign", "-k", "key", "x"] }, strike)
    }

    /// Returns true if the command itself is what comes next after it was struck; else the key
    /// signs.
    pub fn goes_on_by_itself(&self) -> bool {
        matches!(self.scenario.then, Then::Keygen | Then::Again)
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

    /// Goes on after the blow, walks every signature, and says what was wrong.
    pub fn judge(&self, struck: &Traced) -> Verdict {
        let (good, struck) = (struck.answer.good(), struck.struck);
        let mut verdict = Verdict { good, struck, ..Verdict::default() };
        self.go_on(&mut verdict);
        let gone = self.account(&mut verdict);
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

    fn go_on(&self, verdict: &mut Verdict) {
        match self.scenario.then {
            Then::Keygen | Then::Again if !verdict.good => {
                self.again(verdict);
                self.signs("key", verdict);
            }
            Then::Shard => self.go_on_sharding(verdict),
            Then::Carry => self.go_on_carrying(verdict),
            Then::Retire => self.go_on_retiring(verdict),
            _ => self.signs("key", verdict),
        }
    }

    /// Demands two signatures.
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
        let answer = self.yard.hasten(&self.act);
        let is_there = self.yard.status("key").is_some_and(|row| row["finished"] == true);
        let made = is_there && self.scenario.then == Then::Keygen;
        if !answer.good() && !made {
            verdict.wrong.push(format!("does not go on: {}", answer.err.trim()));
        }
    }

    fn go_on_sharding(&self, verdict: &mut Verdict) {
        self.signs("key", verdict);
        if !verdict.good {
            let again = self.yard.hasten(&self.act);
            let given = self.yard.status("key").map_or(0, |row| row["given"].as_u64().unwrap_or(0));
            let wanted = if self.scenario.act == SECTOR { 16 } else { 8 };
            verdict.ranges_lost = u64::from(given != wanted || !again.good());
        }
        if verdict.good || self.yard.path("shard/config").exists() {
            self.signs("shard", verdict);
        }
    }

    /// Runs what was struck once more, and the import: each may say that it was done before.
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

    fn go_on_retiring(&self, verdict: &mut Verdict) {
        let again = if verdict.good { None } else { Some(self.yard.hasten(&self.act)) };
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

    /// Looks at the accounts, and returns how many indices they call used, lost or burned.
    fn account(&self, verdict: &mut Verdict) -> u64 {
        let mut gone = 0;
        for key in ["key", "shard"].iter().filter(|key| self.yard.path(key).exists()) {
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

fn act(scenario: &Scenario) -> Vec<&str> {
    let word = |word: &&'static str| if *word == "$ALG" { scenario.alg } else { *word };
    scenario.act.iter().map(word).collect()
}
