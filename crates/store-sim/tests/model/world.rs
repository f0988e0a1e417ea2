//! The protocol as a transition system. The transitions of the key's state are the store's own
//! `State::apply`, and the verdict at opening is its own `judge`. The model adds the order of the
//! steps, the shown and durable content of each disk, and the live processes.

use hasten_store::{GuardMark, Kind, Record, State, Verdict, judge};

pub const CAPACITY: u64 = 3;

/// A deliberately wrong protocol, which the search must refute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    AsBuilt,
    /// The guard is written before the log.
    GuardFirst,
    /// The permit is issued before the guard is durable.
    ReturnEarly,
    /// There is no guard: the permit is issued once the log is durable.
    NoGuard,
    /// The guard is not brought up to date after an unfinished commit.
    NoCatchUp,
    /// The guard found at opening is not synced before the first commit.
    NoSettling,
    /// The key may have any number of owners.
    NoLock,
    /// The guard compares generations, not histories.
    NoLineage,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Disk<T> {
    pub durable: T,
    pub shown: T,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Image {
    pub state: State,
    pub damaged: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    Ready,
    CaughtUpLog,
    CaughtUpGuard,
    First,
    FirstDurable,
    Second,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Session {
    pub id: u64,
    pub state: State,
    pub after: State,
    pub phase: Phase,
    pub wrote: bool,
    pub behind: bool,
    pub repair: Option<u64>,
    pub rotate: bool,
    /// Whether the guard found at opening is known to be durable.
    pub settled: bool,
    pub permits: Vec<u64>,
    pub size: u64,
    pub committed: u64,
    pub attempted: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct World {
    pub log: Disk<Image>,
    pub guard: Disk<GuardMark>,
    pub saved: Option<Image>,
    pub restored: bool,
    pub procs: [Option<Session>; 2],
    pub used: [u8; CAPACITY as usize],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A process opens the key. The second number is how many indices it reserves at a time.
    Open(usize, u64),
    /// The next step of a process's commit, or its first.
    Go(usize),
    Use(usize),
    Kill(usize),
    /// A power cut, with the fate of the unsynced log and guard: 0 lost, 1 kept, 2 torn.
    Crash(u8, u8),
    Copy,
    Restore,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Next(Box<World>),
    Nothing,
    Wrong(&'static str),
}

fn next(world: World) -> Outcome {
    Outcome::Next(Box::new(world))
}

impl World {
    pub fn new(state: State) -> World {
        let mark = GuardMark::of(&state, [0; 16]);
        let image = Image { state, damaged: false };
        World {
            log: Disk { durable: image.clone(), shown: image },
            guard: Disk { durable: mark.clone(), shown: mark },
            saved: None,
            restored: false,
            procs: [None, None],
            used: [0; CAPACITY as usize],
        }
    }

    pub fn steps() -> Vec<Step> {
        let mut steps = vec![Step::Copy, Step::Restore];
        for p in 0..2 {
            steps.extend([
                Step::Open(p, 1),
                Step::Open(p, 2),
                Step::Go(p),
                Step::Use(p),
                Step::Kill(p),
            ]);
        }
        (0..3).for_each(|log| (0..2).for_each(|guard| steps.push(Step::Crash(log, guard))));
        steps
    }

    pub fn step(&self, step: Step, variant: Variant) -> Outcome {
        match step {
            Step::Open(p, size) => self.open(p, size, variant),
            Step::Go(p) => self.go(p, variant),
            Step::Use(p) => self.consume(p, variant),
            Step::Kill(p) => self.kill(p),
            Step::Crash(log, guard) => self.crash(log, guard),
            Step::Copy => next(World { saved: Some(self.log.shown.clone()), ..self.clone() }),
            Step::Restore => self.restore(),
        }
    }

    fn judged(&self, variant: Variant) -> Verdict {
        let (image, mut guard) = (&self.log.shown, self.guard.shown.clone());
        match variant {
            Variant::NoGuard => return Verdict::Fits,
            Variant::NoLineage if guard.generation == image.state.generation => {
                guard.tag = image.state.commit_tag
            }
            Variant::NoLineage => guard.tag = image.state.previous_tag,
            _ => {}
        }
        judge(&image.state, &guard, image.damaged)
    }

    fn open(&self, p: usize, size: u64, variant: Variant) -> Outcome {
        let held = self.procs[1 - p].is_some() && variant != Variant::NoLock;
        let symmetric = p == 1 && self.procs[0].is_none();
        if held || symmetric || self.procs[p].is_some() {
            return Outcome::Nothing;
        }
        let verdict = self.judged(variant);
        if let Verdict::Refuse(_) = verdict {
            return if self.restored {
                Outcome::Nothing
            } else {
                Outcome::Wrong("refused without cause")
            };
        }
        let state = self.log.shown.state.clone();
        let newest = state.generation.max(self.guard.shown.generation);
        let mut world = self.clone();
        world.procs[p] = Some(Session {
            id: self.fresh_id(),
            after: state.clone(),
            phase: Phase::Ready,
            wrote: false,
            behind: verdict == Verdict::LogAhead && variant != Variant::NoCatchUp,
            repair: (verdict == Verdict::Repair).then_some(self.guard.shown.next),
            rotate: self.log.shown.damaged || verdict == Verdict::LogAhead,
            settled: variant == Variant::NoSettling,
            permits: Vec::new(),
            size,
            committed: newest,
            attempted: newest,
            state,
        });
        next(world)
    }

    /// Returns a session id that occurs nowhere in the world. It stands in for a random one.
    fn fresh_id(&self) -> u64 {
        let images = [Some(&self.log.durable), Some(&self.log.shown), self.saved.as_ref()];
        let mut taken: Vec<u64> = images.into_iter().flatten().map(|i| i.state.session).collect();
        taken.extend([self.guard.durable.session, self.guard.shown.session]);
        taken.extend(self.procs.iter().flatten().map(|s| s.id));
        (1..).find(|id| !taken.contains(id)).unwrap_or_default()
    }

    fn go(&self, p: usize, variant: Variant) -> Outcome {
        let Some(session) = &self.procs[p] else { return Outcome::Nothing };
        let (mut world, mut s) = (self.clone(), session.clone());
        match s.phase {
            Phase::Ready if s.behind || s.rotate => world.change_files(&mut s),
            Phase::CaughtUpLog => {
                world.guard.shown = GuardMark::of(&s.state, [0; 16]);
                s.phase = Phase::CaughtUpGuard;
            }
            Phase::CaughtUpGuard => {
                world.guard.durable = world.guard.shown.clone();
                (s.behind, s.settled, s.phase) = (false, true, Phase::Ready);
            }
            Phase::Ready if !s.settled => {
                world.make_durable(true);
                s.settled = true;
            }
            Phase::Ready => match world.begin(&mut s, variant) {
                true => {}
                false => return Outcome::Nothing,
            },
            Phase::First => {
                world.make_durable(variant == Variant::GuardFirst);
                s.phase = Phase::FirstDurable;
                if variant == Variant::NoGuard {
                    s.arrive();
                }
            }
            Phase::FirstDurable => {
                world.second(&s, variant);
                s.phase = Phase::Second;
                if variant == Variant::ReturnEarly {
                    s.arrive();
                }
            }
            Phase::Second => {
                world.make_durable(variant != Variant::GuardFirst);
                s.arrive();
            }
        }
        world.procs[p] = Some(s);
        next(world)
    }

    fn change_files(&mut self, s: &mut Session) {
        let clean = Image { state: s.state.clone(), damaged: false };
        self.log = Disk { durable: clean.clone(), shown: clean };
        (s.rotate, s.phase) = (false, if s.behind { Phase::CaughtUpLog } else { Phase::Ready });
    }

    /// Does the first of the two writes of a commit. Returns false if the guard is no longer ours
    /// or no state can follow.
    fn begin(&mut self, s: &mut Session, variant: Variant) -> bool {
        if s.wrote && variant != Variant::NoGuard && !self.guard_is_ours(s) {
            return false;
        }
        let Some(after) = s.next_state() else { return false };
        (s.after, s.phase, s.attempted, s.wrote) =
            (after, Phase::First, s.attempted.max(s.state.generation) + 1, true);
        if variant == Variant::GuardFirst {
            self.guard.shown = GuardMark::of(&s.after, [0; 16]);
        } else {
            self.append(s);
        }
        true
    }

    /// Appends to the log. If another session changed the log meanwhile, the record does not
    /// continue it and counts as damage.
    fn append(&mut self, s: &Session) {
        let continues = self.log.shown.state.tag == s.state.tag;
        let state = if continues { s.after.clone() } else { self.log.shown.state.clone() };
        self.log.shown = Image { state, damaged: !continues };
    }

    fn second(&mut self, s: &Session, variant: Variant) {
        match variant {
            Variant::GuardFirst => self.append(s),
            _ => self.guard.shown = GuardMark::of(&s.after, [0; 16]),
        }
    }

    fn make_durable(&mut self, guard: bool) {
        if guard {
            self.guard.durable = self.guard.shown.clone();
        } else {
            self.log.durable = self.log.shown.clone();
        }
    }

    fn guard_is_ours(&self, s: &Session) -> bool {
        let mark = &self.guard.shown;
        mark.session == s.id && (s.committed..=s.attempted).contains(&mark.generation)
    }

    fn consume(&self, p: usize, variant: Variant) -> Outcome {
        let Some(s) = &self.procs[p] else { return Outcome::Nothing };
        if s.permits.is_empty() || (variant != Variant::NoGuard && !self.guard_is_ours(s)) {
            return Outcome::Nothing;
        }
        let (mut world, mut s) = (self.clone(), s.clone());
        let index = s.permits.remove(0) as usize;
        world.used[index] += 1;
        world.procs[p] = Some(s);
        if world.used[index] > 1 { Outcome::Wrong("index used twice") } else { next(world) }
    }

    fn kill(&self, p: usize) -> Outcome {
        if self.procs[p].is_none() {
            return Outcome::Nothing;
        }
        let mut world = self.clone();
        world.procs[p] = None;
        next(world)
    }

    fn crash(&self, log: u8, guard: u8) -> Outcome {
        let unsynced = (self.log.shown != self.log.durable, self.guard.shown != self.guard.durable);
        if (log > 0 && !unsynced.0) || (guard > 0 && !unsynced.1) {
            return Outcome::Nothing;
        }
        let mut world = World { procs: [None, None], ..self.clone() };
        match log {
            0 => {}
            1 => world.log.durable = self.log.shown.clone(),
            _ => world.log.durable.damaged = true,
        }
        if guard == 1 {
            world.guard.durable = self.guard.shown.clone();
        }
        world.log.shown = world.log.durable.clone();
        world.guard.shown = world.guard.durable.clone();
        next(world)
    }

    fn restore(&self) -> Outcome {
        let Some(saved) = self.saved.clone() else { return Outcome::Nothing };
        let log = Disk { durable: saved.clone(), shown: saved };
        next(World { log, restored: true, ..self.clone() })
    }
}

impl Session {
    pub fn next_state(&self) -> Option<State> {
        let (kind, a, b) = match self.repair {
            Some(floor) => (Kind::Burn, 0, floor),
            None => (Kind::Reserve, self.state.next, self.size),
        };
        let record = Record {
            kind,
            seq: self.state.seq + 1,
            generation: self.attempted.max(self.state.generation) + 1,
            a,
            b,
            session: self.id,
            pid: 1,
            uid: 1,
            time_ms: 0,
            epoch: 1,
            digest: [0; 32],
            host: String::new(),
        };
        let (_, tag) = record.encode(&self.state.tag);
        self.state.apply(&record, tag)
    }

    /// Completes the commit for its caller, who gets the permits.
    fn arrive(&mut self) {
        if self.after.generation > self.committed {
            match self.repair.take() {
                Some(_) => {}
                None => self.permits.extend(self.state.next..self.after.next),
            }
        }
        (self.committed, self.phase) = (self.after.generation, Phase::Ready);
        self.state = self.after.clone();
    }
}
