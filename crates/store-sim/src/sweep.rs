//! Every call of every operation, combined with every outcome and every loss.

use crate::book::{Book, Wrong};
use crate::fault::{Fault, Loss, Mutation, Outcome};
use crate::machine::Machine;
use hasten_store::{NewKey, Options, Store, StoreError};
use std::collections::BTreeMap;
use std::path::Path;

/// An operation of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// Creating a store.
    Create,
    /// Opening a store whose last session ended, and the first reservation.
    Open,
    /// A further reservation.
    Reserve,
    /// Recording used indices and closing the store, which writes the records.
    Record,
    /// Reservations until the store switches to its other log file.
    Rotate,
    /// Giving indices away and creating the shard.
    Shard,
    /// Acknowledging exhaustion.
    Acknowledge,
    /// Retiring the store.
    Retire,
    /// Storing a blob and superseding it.
    Blob,
    /// Opening after a crash during a commit.
    OpenAfterCrash,
    /// Overriding the refusal of an old copy.
    Override,
}

impl Operation {
    /// All operations.
    pub const ALL: [Operation; 11] = [
        Operation::Create,
        Operation::Open,
        Operation::Reserve,
        Operation::Record,
        Operation::Rotate,
        Operation::Shard,
        Operation::Acknowledge,
        Operation::Retire,
        Operation::Blob,
        Operation::OpenAfterCrash,
        Operation::Override,
    ];
}

/// The counts of a sweep.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    /// Number of calls of each operation. Every call was a boundary.
    pub calls: BTreeMap<Operation, u64>,
    /// Cases run: boundary x outcome x loss.
    pub cases: u64,
    /// Openings refused after the disk had broken its promise, or because of an old copy.
    pub overridden: u64,
    /// Broken promises of the store.
    pub wrong: Vec<(Operation, u64, Outcome, Loss, Wrong)>,
}

/// Runs every case. `random` is the number of times that each case with random loss is repeated.
pub fn sweep(mutation: Mutation, random: u64) -> Sweep {
    let mut sweep = Sweep::default();
    for operation in Operation::ALL {
        let (machine, book) = prepared(operation, mutation);
        let calls = calls_of(operation, &machine);
        sweep.calls.insert(operation, calls);
        for at in 0..calls {
            for outcome in Outcome::ALL {
                sweep.cross(operation, &machine, &book, Fault { at, outcome }, random);
            }
        }
    }
    sweep
}

fn calls_of(operation: Operation, machine: &Machine) -> u64 {
    let machine = machine.fork_world(0);
    let before = machine.calls();
    drop(perform(operation, &machine, &mut Book::default()));
    machine.calls() - before
}

impl Sweep {
    fn cross(
        &mut self,
        operation: Operation,
        machine: &Machine,
        book: &Book,
        fault: Fault,
        random: u64,
    ) {
        for loss in Loss::ALL {
            let rolls = if loss == Loss::Random { random } else { 1 };
            for roll in 0..rolls {
                self.case(operation, machine.fork_world(roll + 1), book.clone(), fault, loss);
            }
        }
    }

    fn case(
        &mut self,
        operation: Operation,
        machine: Machine,
        mut book: Book,
        fault: Fault,
        loss: Loss,
    ) {
        self.cases += 1;
        machine.arm(Some(fault));
        drop(perform(operation, &machine, &mut book));
        if fault.outcome.kills() {
            machine.restart()
        } else {
            machine.power_cut(loss)
        }
        let broken = fault.outcome.breaks_promise();
        self.overridden += u64::from(go_on(operation, &machine, &mut book, broken));
        let at = (operation, fault.at, fault.outcome, loss);
        self.wrong.extend(book.wrong.into_iter().map(|w| (at.0, at.1, at.2, at.3, w)));
    }
}

/// Opens the stores again and signs with every index left. Returns true if a refusal had to be
/// overridden.
fn go_on(operation: Operation, machine: &Machine, book: &mut Book, broken: bool) -> bool {
    let mut overridden = false;
    for name in ["key", "shard"] {
        let opened = match options(machine, name).open(path(name)) {
            Err(StoreError::Refused(_)) if broken || operation == Operation::Override => {
                overridden = true;
                options(machine, name).burn(1).open(path(name))
            }
            Err(StoreError::NotAStore) if name == "key" && operation == Operation::Create => {
                create(machine)
            }
            other => other,
        };
        match opened {
            Ok(store) => {
                check_blob(&store, book);
                use_up(store, book);
            }
            Err(StoreError::NotAStore) if name == "shard" => {}
            Err(e) => book.wrong.push(Wrong::DoesNotOpen(e)),
        }
    }
    overridden
}

fn use_up(mut store: Store, book: &mut Book) {
    book.audit(&store.status());
    drop(store.acknowledge());
    while let Ok(interval) = store.reserve(store.status().remaining.clamp(1, 5)) {
        interval.for_each(|p| {
            book.sign(p, true);
        });
    }
    book.audit(&store.status());
    if let Ok(status) = store.close() {
        book.audit(&status);
    }
}

/// First content of the blob, and the content that supersedes it.
const OLD: [u8; 40] = [3; 40];
const NEW: [u8; 24] = [4; 24];

/// Checks that the blob is complete, old or new, or does not exist yet.
fn check_blob(store: &Store, book: &mut Book) {
    let whole = |found: Vec<u8>| found == OLD || found == NEW;
    if store.blob("seed").is_ok_and(|found| !found.is_none_or(whole)) {
        book.wrong.push(Wrong::TornBlob);
    }
}

fn path(name: &str) -> &Path {
    Path::new(if name == "key" { "/key" } else { "/shard" })
}

fn options(machine: &Machine, name: &str) -> Options {
    let guard = if name == "key" { "/key.guard" } else { "/shard.guard" };
    Options::new().env(machine.process()).guard(guard)
}

fn create(machine: &Machine) -> Result<Store, StoreError> {
    let key = NewKey { threshold: 2, log_records: 8, ..NewKey::new(24) };
    options(machine, "key").create(path("key"), &key)
}

fn sign_some(
    store: &mut Store,
    book: &mut Book,
    count: u64,
    used: usize,
) -> Result<(), StoreError> {
    store.reserve(count)?.take(used).for_each(|p| {
        book.sign(p, true);
    });
    Ok(())
}

/// Returns the machine and the book before the operation. The process that prepared them has ended.
fn prepared(operation: Operation, mutation: Mutation) -> (Machine, Book) {
    let (machine, mut book) = (Machine::new(1, mutation), Book::default());
    if operation != Operation::Create {
        drop(create(&machine).and_then(|mut s| sign_some(&mut s, &mut book, 3, 2)));
    }
    match operation {
        Operation::OpenAfterCrash => {
            machine.arm(Some(Fault { at: 14, outcome: Outcome::CrashBefore }));
            drop(perform(Operation::Open, &machine, &mut book));
            machine.power_cut(Loss::Nothing);
        }
        Operation::Override => {
            let copy = machine.copy_dir(path("key"));
            drop(perform(Operation::Open, &machine, &mut book));
            machine.restore_dir(path("key"), &copy);
        }
        _ => {}
    }
    (machine, book)
}

fn perform(operation: Operation, machine: &Machine, book: &mut Book) -> Result<(), StoreError> {
    if operation == Operation::Create {
        return sign_some(&mut create(machine)?, book, 2, 1);
    }
    let burn = options(machine, "key").burn(2);
    let how = if operation == Operation::Override { burn } else { options(machine, "key") };
    let mut store = how.open(path("key"))?;
    sign_some(&mut store, book, 2, 1)?;
    match operation {
        Operation::Reserve => sign_some(&mut store, book, 2, 2)?,
        Operation::Record => {
            sign_some(&mut store, book, 3, 3)?;
            drop(store.close()?);
        }
        Operation::Rotate => (0..6).try_for_each(|_| sign_some(&mut store, book, 1, 1))?,
        Operation::Shard => {
            let grant = store.give(4)?;
            let mut shard =
                options(machine, "shard").create_shard(path("shard"), grant).map_err(|(e, _)| e)?;
            sign_some(&mut shard, book, 2, 1)?;
        }
        Operation::Acknowledge => store.acknowledge()?,
        Operation::Retire => store.retire()?,
        Operation::Blob => {
            store.put_blob("seed", &OLD)?;
            store.supersede_blob("seed", &NEW)?;
        }
        _ => {}
    }
    Ok(())
}
