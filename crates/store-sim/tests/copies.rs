//! Clones, witnesses, leases and damage, on simulated machines.

use hasten_store::{Env, Mark, NewKey, Options, Reason, Store, StoreError, Witness};
use hasten_store_sim::{Book, Dice, Fault, Loss, Machine, Mutation, Outcome};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A witness in memory that survives everything. It can fail to answer after a swap.
#[derive(Clone, Default)]
struct Cell {
    mark: Arc<Mutex<Option<Mark>>>,
    silent: Arc<Mutex<bool>>,
    lease: Duration,
}

impl Witness for Cell {
    fn read(&self) -> Result<Option<Mark>, StoreError> {
        Ok(*self.mark.lock().expect("not poisoned"))
    }

    fn swap(&self, from: Option<&Mark>, to: &Mark) -> Result<bool, StoreError> {
        let mut mark = self.mark.lock().expect("not poisoned");
        if mark.as_ref() != from {
            return Ok(false);
        }
        *mark = Some(*to);
        if std::mem::take(&mut *self.silent.lock().expect("not poisoned")) {
            return Err(StoreError::WitnessUnreachable);
        }
        Ok(true)
    }

    fn lease(&self) -> Duration {
        self.lease
    }
}

fn options(machine: &Machine, cell: &Cell) -> Options {
    Options::new().env(machine.process()).guard("/key.guard").witness(cell.clone())
}

fn create(machine: &Machine, cell: &Cell) -> Store {
    let key = NewKey { threshold: 0, log_records: 8, ..NewKey::new(64) };
    options(machine, cell).create("/key", &key).expect("a store")
}

/// Returns a clone of the machine, restarted after a power cut that lost no writes.
fn cloned(machine: &Machine, seed: u64) -> Machine {
    let clone = machine.fork_world(seed);
    clone.restart();
    clone.power_cut(Loss::Nothing);
    clone
}

#[test]
fn of_two_machines_with_one_witness_one_is_refused() {
    let (machine, cell) = (Machine::new(1, Mutation::Honest), Cell::default());
    drop(create(&machine, &cell));
    let clone = cloned(&machine, 2);
    let mut here = options(&machine, &cell).open("/key").expect("opened");
    let mut there = options(&clone, &cell).open("/key").expect("opened: neither has moved yet");
    assert!(here.reserve(1).is_ok());
    assert!(matches!(there.reserve(1), Err(StoreError::WitnessMoved)));
    drop(there);
    let refused = options(&clone, &cell).open("/key").map(drop);
    assert!(matches!(refused, Err(StoreError::Refused(r)) if r.reason == Reason::Witness));
    assert!(options(&clone, &cell).burn(9).open("/key").is_ok(), "an explicit override burns");
    assert!(
        matches!(here.reserve(1), Err(StoreError::WitnessMoved)),
        "then the original is the old copy"
    );
}

#[test]
fn a_store_with_a_witness_is_not_opened_without() {
    let (machine, cell) = (Machine::new(1, Mutation::Honest), Cell::default());
    drop(create(&machine, &cell));
    let alone = Options::new().env(machine.process()).open("/key").map(drop);
    assert_eq!(alone, Err(StoreError::NoWitness));
}

#[test]
fn a_lease_runs_out_and_is_confirmed_before_use() {
    let cell = Cell { lease: Duration::from_secs(2), ..Cell::default() };
    let machine = Machine::new(1, Mutation::Honest);
    let mut store = create(&machine, &cell);
    let permit = store.reserve(1).expect("one").next().expect("one");
    let before = cell.read().expect("read");
    assert_eq!(
        (permit.check(), cell.read().expect("read")),
        (Ok(()), before),
        "within the lease nobody is asked"
    );
    machine.pass(Duration::from_secs(3));
    assert_eq!(permit.check(), Ok(()));
    assert_ne!(cell.read().expect("read"), before, "confirmed with the witness");
    machine.pass(Duration::from_secs(3));
    *cell.mark.lock().expect("not poisoned") = before;
    assert_eq!(permit.check(), Err(StoreError::WitnessMoved), "somebody else moved it");
    assert_eq!(permit.check(), Err(StoreError::Closed));
}

/// Machines cloned at random moments, with a witness that sometimes fails to answer: no index is
/// used twice.
#[test]
fn random_clones_with_a_witness_never_use_an_index_twice() {
    let mut moved = 0;
    for seed in 0..400 {
        let (mut dice, mut book, cell) = (Dice(seed), Book::default(), Cell::default());
        let mut machines = vec![Machine::new(seed, Mutation::Honest)];
        drop(create(&machines[0], &cell));
        for _ in 0..30 {
            let at = dice.below(machines.len() as u64) as usize;
            if machines.len() < 3 && dice.below(6) == 0 {
                let clone = cloned(&machines[at], dice.roll());
                machines.push(clone);
            }
            *cell.silent.lock().expect("not poisoned") = dice.below(8) == 0;
            moved += u64::from(!live(&machines[at], &cell, &mut dice, &mut book));
        }
        assert_eq!(book.wrong, [], "seed {seed}");
    }
    assert!(moved > 1000, "clones were refused {moved} times");
}

/// Crashes, kills and a silent witness at any moment: the only machine is never locked out, and no
/// index is used twice.
#[test]
fn crashes_with_a_witness_do_not_lock_out_the_owner() {
    let mut struck = 0;
    for seed in 0..600 {
        let (mut dice, mut book, cell) = (Dice(seed), Book::default(), Cell::default());
        let machine = Machine::new(seed, Mutation::Honest);
        drop(create(&machine, &cell));
        for _ in 0..12 {
            let outcome = [
                Outcome::CrashBefore,
                Outcome::CrashAfter,
                Outcome::KillBefore,
                Outcome::KillAfter,
            ];
            let fault = Fault { at: dice.below(30), outcome: outcome[dice.below(4) as usize] };
            machine.arm(Some(fault));
            *cell.silent.lock().expect("not poisoned") = dice.below(4) == 0;
            live(&machine, &cell, &mut dice, &mut book);
            let loss = Loss::ALL[dice.below(3) as usize];
            struck += u64::from(machine.struck().is_some());
            if machine.struck().is_some_and(Outcome::crashes) {
                machine.power_cut(loss)
            } else {
                machine.restart()
            }
            let opened = options(&machine, &cell).open("/key").map(drop);
            assert_eq!(opened, Ok(()), "seed {seed}");
        }
        assert_eq!(book.wrong, [], "seed {seed}");
    }
    assert!(struck > 3000, "{struck} faults struck");
}

/// Opens the key, reserves and signs a little. Returns false if the witness or the guard refused.
fn live(machine: &Machine, cell: &Cell, dice: &mut Dice, book: &mut Book) -> bool {
    let Ok(mut store) = options(machine, cell).open("/key") else { return false };
    if dice.below(3) == 0 && store.acknowledge().is_err() {
        return false;
    }
    let Ok(interval) = store.reserve(1 + dice.below(2)) else { return false };
    interval.for_each(|p| {
        book.sign(p, true);
    });
    true
}

#[test]
fn without_a_witness_a_clone_of_the_machine_is_not_noticed() {
    let machine = Machine::new(1, Mutation::Honest);
    let open = |m: &Machine| Options::new().env(m.process()).guard("/key.guard").open("/key");
    let new =
        Options::new().env(machine.process()).guard("/key.guard").create("/key", &NewKey::new(64));
    assert!(!new.expect("a store").status().witness, "and the status says so");
    let clone = cloned(&machine, 2);
    let (here, there) =
        (open(&machine).expect("opened").reserve(1), open(&clone).expect("opened").reserve(1));
    assert_eq!(
        here.expect("one").range(),
        there.expect("one").range(),
        "the limit that the documents state"
    );
}

/// Random damage to the log or the guard: opening is refused, or starts after every used index.
#[test]
fn damage_never_brings_an_index_back() {
    let (mut opened, mut refused) = (0, 0);
    for seed in 0..1500 {
        let (machine, mut dice, mut book) =
            (Machine::new(seed, Mutation::Honest), Dice(seed), Book::default());
        let plain = || Options::new().env(machine.process()).guard("/key.guard");
        let key = NewKey { threshold: 0, log_records: 8, ..NewKey::new(64) };
        drop(plain().create("/key", &key).expect("a store"));
        for _ in 0..dice.below(12) {
            let mut store = plain().open("/key").expect("opened");
            store.reserve(1 + dice.below(2)).expect("reserved").for_each(|p| {
                book.sign(p, true);
            });
        }
        damage(&machine, &mut dice);
        match plain().open("/key") {
            Ok(mut store) => {
                opened += 1;
                store.reserve(1).into_iter().flatten().for_each(|p| {
                    book.sign(p, true);
                });
            }
            Err(StoreError::Refused(_) | StoreError::LogDamaged) => refused += 1,
            Err(e) => panic!("another error: {e}"),
        }
        assert_eq!(book.wrong, [], "seed {seed}");
    }
    assert!(opened > 100 && refused > 100, "{opened} opened, {refused} refused");
}

/// Overwrites some bytes of the log files or of the guard.
fn damage(machine: &Machine, dice: &mut Dice) {
    let process = machine.process();
    let files: &[&str] =
        if dice.below(4) == 0 { &["/key.guard"] } else { &["/key/log.0", "/key/log.1"] };
    for path in files {
        let file = process.open(Path::new(path)).expect("a file");
        let size = file.size().expect("a size");
        if size == 0 {
            continue;
        }
        let at = dice.below(size);
        let count = (1 + dice.below(200)).min(size - at);
        let bytes: Vec<u8> = (0..count).map(|_| dice.roll() as u8).collect();
        file.write_at(&bytes, at).expect("written");
    }
}

/// A forked child in its own process-id namespace can have the same process id as its parent.
#[test]
fn a_fork_with_the_same_process_id_elsewhere_is_refused() {
    let machine = Machine::new(1, Mutation::Honest);
    let process = machine.process();
    let options = Options::new().env(Arc::clone(&process) as Arc<dyn Env>).guard("/key.guard");
    let mut store = options.create("/key", &NewKey::new(64)).expect("a store");
    let permit = store.reserve(1).expect("one").next().expect("one");
    assert_eq!(permit.check(), Ok(()));
    process.fork_alike();
    assert!(matches!(permit.check(), Err(StoreError::Forked { .. })));
    assert!(matches!(store.reserve(1), Err(StoreError::Forked { .. })));
    assert!(matches!(permit.record(), Err(StoreError::Forked { .. })));
}

/// The process that opened the store can have its process id reused by a late descendant, or by the
/// process restored from a checkpoint. Both have another start time, which is compared every 50 ms.
#[test]
fn a_process_that_was_started_later_under_the_same_number_is_refused() {
    let machine = Machine::new(1, Mutation::Honest);
    let process = machine.process();
    let options = Options::new().env(Arc::clone(&process) as Arc<dyn Env>).guard("/key.guard");
    let mut store = options.create("/key", &NewKey::new(64)).expect("a store");
    let mut permits = store.reserve(3).expect("three");
    let permit = permits.next().expect("one");
    machine.pass(Duration::from_secs(1));
    assert_eq!(permit.check(), Ok(()));
    process.start_again();
    machine.pass(Duration::from_millis(51));
    for _ in 0..2 {
        assert!(matches!(permit.check(), Err(StoreError::Forked { .. })));
        assert!(matches!(store.reserve(1), Err(StoreError::Forked { .. })));
    }
    assert!(matches!(permit.record(), Err(StoreError::Forked { .. })));
}
