//! The random life of a key on a failing disk: reserve, sign, create shards, rotate, crash, open
//! again, and compare with the book.

use crate::Dice;
use crate::book::{Book, Wrong};
use crate::fault::{Fault, Loss, Mutation, Outcome};
use crate::machine::{Machine, Process};
use hasten_store::{NewKey, Options, Permit, Store, StoreError};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Counts of a torture run.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Number of keys simulated.
    pub worlds: u64,
    /// Faults that struck, by outcome.
    pub struck: BTreeMap<Outcome, u64>,
    /// Power cuts, including those after an error or at rest.
    pub power_cuts: u64,
    /// Openings that repaired something.
    pub repairs: u64,
    /// Openings that were refused after the disk had broken its promise, and then overridden.
    pub overridden: u64,
    /// Old copies put back. Each was refused, or opened from the guard's next index.
    pub old_copies: u64,
    /// Signatures made.
    pub signatures: u64,
    /// Indices lost, as the store counted them.
    pub lost: u64,
    /// Broken promises of the store.
    pub wrong: Vec<Wrong>,
}

impl Tally {
    /// Returns the number of injected faults: crashes, kills and errors.
    pub fn faults(&self) -> u64 {
        self.struck.values().sum()
    }

    /// Returns the number of machine crashes and process kills at a call, without power cuts after
    /// an error or at rest.
    pub fn crashes(&self) -> u64 {
        self.struck.iter().filter(|(o, _)| o.crashes() || o.kills()).map(|(_, n)| n).sum()
    }
}

/// A torture test of stores.
pub struct Torture {
    dice: Dice,
    mutation: Mutation,
    /// The counts so far.
    pub tally: Tally,
}

struct Life<'a> {
    machine: Machine,
    process: Arc<Process>,
    dice: &'a mut Dice,
    tally: &'a mut Tally,
    book: Book,
    sites: Vec<u64>,
    next_site: u64,
    promise_broken: bool,
}

/// The state of a round: a site (the directory of a key or shard), its open store and the permits
/// not yet used.
struct Work {
    site: u64,
    store: Store,
    permits: Vec<Permit>,
}

fn dir(site: u64) -> PathBuf {
    PathBuf::from(format!("/{site}"))
}

fn guard(site: u64) -> PathBuf {
    PathBuf::from(format!("/{site}.guard"))
}

impl Torture {
    /// Starts a torture with a seed. The same seed gives the same run.
    pub fn new(seed: u64, mutation: Mutation) -> Torture {
        Torture { dice: Dice(seed), mutation, tally: Tally::default() }
    }

    /// Simulates the life of one key. Returns false once anything has gone wrong.
    pub fn life(&mut self) -> bool {
        let machine = Machine::new(self.dice.roll(), self.mutation);
        let process = machine.process();
        let mut life = Life {
            machine,
            process,
            dice: &mut self.dice,
            tally: &mut self.tally,
            book: Book::default(),
            sites: vec![0],
            next_site: 1,
            promise_broken: false,
        };
        life.live();
        let Book { wrong, .. } = life.book;
        self.tally.wrong.extend(wrong);
        self.tally.worlds += 1;
        self.tally.wrong.is_empty()
    }
}

impl Life<'_> {
    fn live(&mut self) {
        let before = self.book.signatures();
        for _ in 0..24 {
            self.arm();
            self.round();
            self.end_round();
            self.inspect();
            if !self.book.wrong.is_empty() {
                break;
            }
        }
        self.tally.signatures += self.book.signatures() - before;
        for site in self.sites.clone() {
            self.tally.lost += self.options(site).peek(dir(site)).map_or(0, |status| status.lost);
        }
    }

    fn arm(&mut self) {
        let outcome = Outcome::ALL[self.dice.below(8) as usize];
        self.machine.arm(Some(Fault { at: self.dice.below(60), outcome }));
        self.process = self.machine.process();
    }

    fn options(&self, site: u64) -> Options {
        Options::new()
            .env(Arc::clone(&self.process) as Arc<dyn hasten_store::Env>)
            .guard(guard(site))
    }

    fn open_or_create(&mut self, site: u64) -> Result<Store, StoreError> {
        match self.options(site).open(dir(site)) {
            Err(StoreError::NotAStore) if site == 0 => {
                let capacity = 64 + self.dice.below(64);
                let key = NewKey { threshold: 8, log_records: 8, ..NewKey::new(capacity) };
                self.options(site).create(dir(site), &key)
            }
            other => other,
        }
    }

    fn round(&mut self) {
        let site = self.sites[self.dice.below(self.sites.len() as u64) as usize];
        let Ok(store) = self.open_or_create(site) else { return };
        let mut work = Work { site, store, permits: Vec::new() };
        for _ in 0..3 + self.dice.below(8) {
            if self.step(&mut work).is_err() && self.dice.below(2) == 0 {
                break;
            }
        }
        self.leave(work);
    }

    fn step(&mut self, work: &mut Work) -> Result<(), StoreError> {
        match self.dice.below(32) {
            0..10 => work.permits.extend(work.store.reserve(1 + self.dice.below(3))?),
            10..22 => self.sign(work),
            22..25 => work.store.flush()?,
            25 => self.give(work)?,
            26 if self.dice.below(2) == 0 => work.store.confirm()?,
            26 => work.store.acknowledge()?,
            27 => work.store.set_threshold(self.dice.below(12))?,
            28 => work.store.replace_blob("cache", &[7; 100])?,
            29 => drop(work.store.put_blob("seed", &[9; 48])),
            30 => self.second_owner(work.site),
            _ => drop((self.dice.below(24) == 0).then(|| work.store.retire())),
        }
        Ok(())
    }

    fn sign(&mut self, work: &mut Work) {
        for _ in 0..1 + self.dice.below(2) {
            if work.permits.is_empty() {
                return;
            }
            let at = if self.dice.below(4) == 0 { work.permits.len() - 1 } else { 0 };
            let permit = work.permits.remove(at);
            let record = self.dice.below(8) != 0;
            self.book.sign(permit, record);
        }
    }

    /// Creates a shard. It is a site of its own from then on, if its creation survives.
    fn give(&mut self, work: &mut Work) -> Result<(), StoreError> {
        if self.sites.len() > 3 {
            return Ok(());
        }
        let grant = work.store.give(1 + self.dice.below(8))?;
        let site = self.next_site;
        self.next_site += 1;
        self.sites.push(site);
        self.options(site).create_shard(dir(site), grant).map(drop).map_err(|(e, _)| e)
    }

    fn second_owner(&mut self, site: u64) {
        let other = Options::new().env(self.machine.process()).guard(guard(site));
        if other.open(dir(site)).is_ok() {
            self.book.wrong.push(Wrong::SecondOwner);
        }
    }

    /// Ends a round: closes or drops the store, or forks and tries to continue in the child.
    fn leave(&mut self, work: Work) {
        let Work { mut store, permits, .. } = work;
        match self.dice.below(4) {
            0 => drop(store),
            1 => {
                self.process.fork();
                let used = permits.into_iter().any(|p| p.check().is_ok());
                if used || store.reserve(1).is_ok() {
                    self.book.wrong.push(Wrong::SecondOwner);
                }
            }
            _ => {
                drop(store.close());
                if permits.iter().any(|p| p.check().is_ok()) {
                    self.book.wrong.push(Wrong::SecondOwner);
                }
            }
        }
    }

    fn end_round(&mut self) {
        let struck = self.machine.struck();
        if let Some(outcome) = struck {
            *self.tally.struck.entry(outcome).or_default() += 1;
            self.promise_broken |= outcome.breaks_promise();
        }
        let cut = struck.is_some_and(Outcome::crashes) || self.dice.below(3) == 0;
        if cut && !struck.is_some_and(Outcome::kills) {
            self.tally.power_cuts += 1;
            self.machine.power_cut(Loss::ALL[self.dice.below(3) as usize]);
        } else {
            self.machine.restart();
        }
    }

    /// Opens every site without faults and compares its account with the book.
    fn inspect(&mut self) {
        self.process = self.machine.process();
        for site in self.sites.clone() {
            self.inspect_site(site);
        }
        if self.dice.below(8) == 0 {
            self.old_copy();
        }
    }

    fn inspect_site(&mut self, site: u64) {
        match self.options(site).open(dir(site)) {
            Ok(store) => self.account(&store),
            Err(StoreError::NotAStore) if self.book.signatures() == 0 || site > 0 => {
                self.forget(site)
            }
            Err(StoreError::Refused(_)) if self.promise_broken => self.override_refusal(site),
            Err(e) => self.book.wrong.push(Wrong::DoesNotOpen(e)),
        }
    }

    fn account(&mut self, store: &Store) {
        self.tally.repairs += u64::from(store.repair().is_some());
        self.book.audit(&store.status());
        if let Some(error) = store.audit().err().filter(|_| !self.promise_broken) {
            self.book.wrong.push(Wrong::TornRecord(error));
        }
        for (name, size) in [("seed", 48), ("cache", 100)] {
            if !matches!(store.blob(name), Ok(None))
                && !matches!(store.blob(name), Ok(Some(b)) if b.len() == size)
            {
                self.book.wrong.push(Wrong::TornBlob);
            }
        }
    }

    /// Forgets a shard whose creation did not survive. Its indices are lost and stay counted as
    /// given.
    fn forget(&mut self, site: u64) {
        if site > 0 {
            self.sites.retain(|s| *s != site);
        }
    }

    fn override_refusal(&mut self, site: u64) {
        self.tally.overridden += 1;
        let opened = match self.options(site).burn(1).open(dir(site)) {
            // Without a guard, an override must burn at least the largest recorded reservation.
            Err(StoreError::BurnTooFew { least }) => self.options(site).burn(least).open(dir(site)),
            opened => opened,
        };
        match opened {
            Ok(store) => self.account(&store),
            Err(e) => self.book.wrong.push(Wrong::DoesNotOpen(e)),
        }
    }

    /// Copies the store, uses the original, then puts the copy back. The copy must be refused, or
    /// opened from the guard's next index.
    fn old_copy(&mut self) {
        let copy = self.machine.copy_dir(&dir(0));
        let Ok(mut store) = self.options(0).open(dir(0)) else { return };
        let Ok(interval) = store.reserve(1) else { return };
        interval.for_each(|p| {
            self.book.sign(p, false);
        });
        drop(store.close());
        let newest = self.machine.copy_dir(&dir(0));
        self.machine.restore_dir(&dir(0), &copy);
        self.tally.old_copies += 1;
        match self.options(0).open(dir(0)) {
            Ok(store) if store.repair().is_some_and(|r| r.from_guard) => self.account(&store),
            Ok(_) => self.book.wrong.push(Wrong::OldCopyOpened),
            Err(_) => self.machine.restore_dir(&dir(0), &newest),
        }
    }
}
