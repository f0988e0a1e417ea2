//! Random traces, run on the model and on the store over a simulated disk. Both must agree after
//! every step.

use crate::world::{CAPACITY, Outcome, Phase, Step, Variant, World};
use hasten_store::{NewKey, Options, Permit, Store, StoreError};
use hasten_store_sim::{Dice, Fault, Loss, Machine, Mutation, Outcome as Struck};
use std::path::Path;

struct Pair {
    model: World,
    machine: Machine,
    store: Option<Store>,
    permits: Vec<Permit>,
    copy: Option<Vec<(String, Vec<u8>)>>,
    size: u64,
    dice: Dice,
}

fn options(machine: &Machine) -> Options {
    Options::new().env(machine.process()).guard("/key.guard")
}

impl Pair {
    fn new(seed: u64) -> Pair {
        let machine = Machine::new(seed, Mutation::Honest);
        let key = NewKey { threshold: 0, ..NewKey::new(CAPACITY) };
        let store = options(&machine).create("/key", &key).expect("a new store");
        let model = World::new(store.state().clone());
        drop(store);
        Pair {
            model,
            machine,
            store: None,
            permits: Vec::new(),
            copy: None,
            size: 1,
            dice: Dice(seed),
        }
    }

    /// Takes a step of the model. Returns false if it is not possible, and panics if it is wrong.
    fn model_step(&mut self, step: Step) -> bool {
        match self.model.step(step, Variant::AsBuilt) {
            Outcome::Next(next) => {
                self.model = *next;
                true
            }
            Outcome::Nothing => false,
            Outcome::Wrong(what) => panic!("{what}"),
        }
    }

    fn model_phase(&self) -> Option<Phase> {
        self.model.procs[0].as_ref().map(|s| s.phase)
    }

    fn open(&mut self) {
        self.size = 1 + self.dice.below(2);
        let opened = self.model_step(Step::Open(0, self.size));
        while opened && self.model.procs[0].as_ref().is_some_and(|s| s.repair.is_some()) {
            assert!(self.model_step(Step::Go(0)), "the repair is committed at opening");
        }
        match options(&self.machine).open("/key") {
            Ok(store) => {
                assert!(opened, "the store opened, the model refused");
                self.store = Some(store);
            }
            Err(StoreError::Refused(_)) => assert!(!opened, "the store refused, the model opened"),
            Err(e) => panic!("{e}"),
        }
    }

    /// Runs the model's commit step by step until it returns. Returns false if it cannot begin.
    fn model_commit(&mut self) -> bool {
        let before = self.model.procs[0].as_ref().map_or(0, |s| s.permits.len());
        while self.model_step(Step::Go(0)) {
            if self.model.procs[0].as_ref().is_some_and(|s| s.permits.len() > before) {
                return true;
            }
        }
        false
    }

    fn reserve(&mut self) {
        let possible = self.model.procs[0].as_ref().is_some_and(|s| s.next_state().is_some());
        let arrived = possible && self.model_commit();
        let Some(store) = &mut self.store else { return };
        let reserved = store.reserve(self.size);
        assert_eq!(reserved.is_ok(), arrived, "{reserved:?}");
        self.permits.extend(reserved.into_iter().flatten());
        let indices: Vec<u64> = self.permits.iter().map(Permit::index).collect();
        assert_eq!(Some(indices), self.model.procs[0].as_ref().map(|s| s.permits.clone()));
    }

    /// Cuts the power after one of the four steps of a commit. The unsynced write is lost or kept.
    fn cut_commit(&mut self) {
        let Some(mut store) = self.store.take() else { return };
        let Some(calls) = self.last_four_calls() else { return self.put_back(store) };
        let (step, keep) = (self.dice.below(4) as usize, self.dice.below(2));
        self.machine.arm(Some(Fault { at: calls[step], outcome: Struck::CrashAfter }));
        assert!(store.reserve(self.size).is_err(), "the power went");
        drop(store);
        self.permits.clear();
        self.machine.power_cut(if keep == 1 { Loss::Nothing } else { Loss::All });
        self.model_goes_to(step);
        let unsynced = (
            self.model.log.shown != self.model.log.durable,
            self.model.guard.shown != self.model.guard.durable,
        );
        let log = if unsynced.0 { keep as u8 } else { 0 };
        let guard = if unsynced.1 { keep as u8 } else { 0 };
        assert!(self.model_step(Step::Crash(log, guard)));
    }

    fn put_back(&mut self, store: Store) {
        self.store = Some(store);
    }

    /// Returns the calls at which the log and the guard are last written and synced, found by
    /// listening to a copy of the machine. This needs a session without any commit: the store
    /// opened on the copy then does the same.
    fn last_four_calls(&mut self) -> Option<[u64; 4]> {
        let possible =
            self.model.procs[0].as_ref().is_some_and(|s| s.next_state().is_some() && !s.wrote);
        if !possible {
            return None;
        }
        let copy = self.machine.fork_world(0);
        copy.power_cut(Loss::Nothing);
        let mut store = options(&copy).open("/key").ok()?;
        let heard = copy.listen(|| drop(store.reserve(self.size)));
        // The stamp is not part of the protocol. It bounds the guard's change time.
        let told = heard.iter().rev().filter(|(_, what)| !what.ends_with(" file"));
        let last: Vec<&(u64, String)> = told.take(4).collect();
        let words: Vec<&str> = last.iter().rev().map(|(_, what)| what.as_str()).collect();
        assert_eq!(
            words,
            ["write log", "sync log", "write guard", "sync guard"],
            "the order of a commit"
        );
        Some([last[3].0, last[2].0, last[1].0, last[0].0])
    }

    fn model_goes_to(&mut self, step: usize) {
        while self.model_phase() != Some(Phase::First) {
            assert!(self.model_step(Step::Go(0)));
        }
        (0..step).for_each(|_| assert!(self.model_step(Step::Go(0))));
    }

    fn consume(&mut self) {
        if self.permits.is_empty() {
            return;
        }
        let good = self.permits.remove(0).check().is_ok();
        assert_eq!(good, self.model_step(Step::Use(0)));
    }

    fn kill(&mut self) {
        self.store = None;
        self.permits.clear();
        self.model_step(Step::Kill(0));
    }

    fn copy(&mut self) {
        self.copy = Some(self.machine.copy_dir(Path::new("/key")));
        self.model_step(Step::Copy);
    }

    fn restore(&mut self) {
        if let Some(copy) = &self.copy {
            self.machine.restore_dir(Path::new("/key"), copy);
            self.model_step(Step::Restore);
        }
    }

    fn step(&mut self) {
        match (self.dice.below(16), self.store.is_some()) {
            (0..12, false) => self.open(),
            (0..6, true) => self.reserve(),
            (6..8, true) => self.cut_commit(),
            (8..12, true) => self.consume(),
            (12, _) => self.copy(),
            (13, false) => self.restore(),
            _ => self.kill(),
        }
        self.compare();
    }

    fn compare(&self) {
        let status = options(&self.machine).peek("/key").expect("a status");
        let state = &self.model.log.shown.state;
        let real =
            (status.next, status.generation, status.lost + status.reserved, status.remaining);
        assert_eq!(
            real,
            (state.next, state.generation, state.lost + state.outstanding, state.remaining())
        );
    }
}

#[test]
fn the_store_does_what_the_model_does() {
    for seed in 0..1500 {
        let mut pair = Pair::new(seed);
        (0..24).for_each(|_| pair.step());
    }
}
