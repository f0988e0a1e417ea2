//! Parameter sets, each recorded once: the graphs of both sides at every requested level. The steps
//! on a number of units are stored once they are known.

mod digits;
mod kept;
mod layers;

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use hasten_hbs::params::Scheme;
use hasten_hbs::{Error, Set, SignerLevel, VerifierLevel};

pub use digits::{Digits, digits, mean_digit_sum, typical};
pub use kept::{Kept, SHORTEST, keep};
pub use layers::tree_bytes;

use crate::function::Function;
use crate::graph::Graph;
use crate::operation::{Digest, Operation, Request};
use crate::schedule::Plan;
use crate::source::Source;

/// One side of a signature at one level.
pub struct Side {
    /// The plan of the operation.
    pub plan: Plan,
    work: u64,
    path: u64,
    blocks: (f64, f64),
    in_order: OnceCell<Plan>,
    /// The side with a shorter message, and the number of blocks that this side's message has more.
    shorter: Option<(Rc<Side>, u32)>,
    /// True if everything else waits for the last block of the message hash.
    waits: OnceCell<bool>,
    steps: RefCell<HashMap<usize, u64>>,
    done: RefCell<HashMap<usize, Rc<Vec<f64>>>>,
    /// End times of streamed signatures that this side verifies.
    pub(crate) ends: RefCell<Vec<(Streamed, f64)>>,
}

impl Side {
    fn new(graph: Graph) -> Self {
        Self {
            work: graph.work(),
            path: graph.critical_path(),
            blocks: hash_blocks(&graph),
            plan: Plan::new(graph),
            in_order: OnceCell::new(),
            shorter: None,
            waits: OnceCell::new(),
            steps: RefCell::default(),
            done: RefCell::default(),
            ends: RefCell::default(),
        }
    }

    /// Returns the side for a message with `more` more blocks, or `None` if its schedule would
    /// differ.
    fn longer(shorter: &Rc<Self>, more: u32) -> Option<Self> {
        let plan = shorter.plan.longer(shorter.last_block()?, more)?;
        let longest = || plan.graph().earliest_of(plan.weights().iter().copied()).into_iter().max();
        let path = match shorter.waits() {
            true => shorter.path + u64::from(more),
            false => longest().unwrap_or(0),
        };
        let (before, after) = shorter.blocks;
        Some(Self {
            work: shorter.work + u64::from(more),
            path,
            blocks: (before, after + f64::from(more)),
            plan,
            in_order: OnceCell::new(),
            shorter: Some((shorter.clone(), more)),
            waits: OnceCell::new(),
            steps: RefCell::default(),
            done: RefCell::default(),
            ends: RefCell::default(),
        })
    }

    /// Returns the node of the last block of the message hash.
    fn last_block(&self) -> Option<usize> {
        let hashes = |node: &crate::Node| node.place.function == Function::Message;
        self.plan.graph().nodes.iter().rposition(hashes)
    }

    /// Returns true if a longer message delays everything else and changes nothing more: the
    /// schedule begins with the blocks of the message hash in sequence, and nothing else could run
    /// before.
    fn waits(&self) -> bool {
        let leads = || self.last_block().is_some_and(|block| self.plan.leads(block));
        *self.waits.get_or_init(leads)
    }

    /// Returns the side to which this one is equal except for a later start, and the number of
    /// steps by which it starts later.
    fn earlier(&self) -> Option<&(Rc<Self>, u32)> {
        self.shorter.as_ref().filter(|(side, _)| side.waits())
    }

    /// Returns the plan in which elements are completed in order.
    fn in_order(&self) -> &Plan {
        self.in_order.get_or_init(|| {
            let longer =
                |(side, more): &(Rc<Self>, u32)| side.in_order().longer(side.last_block()?, *more);
            let longer = self.shorter.as_ref().and_then(longer);
            longer.unwrap_or_else(|| Plan::in_order(self.plan.graph().clone()))
        })
    }

    /// Returns the number of steps on `units` units.
    #[must_use]
    pub fn steps(&self, units: usize) -> u64 {
        let count = || match self.earlier() {
            Some((side, more)) => side.steps(units) + u64::from(*more),
            None => self.plan.units(units),
        };
        *self.steps.borrow_mut().entry(units).or_insert_with(count)
    }

    /// Returns the total number of compressions.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Returns the number of sequential compressions with any number of units.
    #[must_use]
    pub fn critical_path(&self) -> u64 {
        self.path
    }

    /// Returns the number of blocks of the message hash before the message, and from the message
    /// on.
    #[must_use]
    pub fn hash_blocks(&self) -> (f64, f64) {
        self.blocks
    }

    /// Returns the step in which each element of the one-time signature is ready, on `units` units
    /// that complete the elements in order. Elements that were computed before the message are
    /// ready when the digest selects their place in the chain.
    #[must_use]
    pub fn elements(&self, units: usize) -> Rc<Vec<f64>> {
        let make = || {
            if let Some((side, more)) = self.earlier() {
                let later = |at: &f64| at + f64::from(*more);
                return Rc::new(side.elements(units).iter().map(later).collect());
            }
            let graph = self.plan.graph();
            let done = self.in_order().released(units, 1.0, |_| 0.0).done;
            let message = |node: &(usize, &crate::Node)| node.1.place.function == Function::Message;
            let digest = graph.nodes.iter().enumerate().filter(message).map(|(i, _)| done[i]);
            let digest = digest.fold(0.0, f64::max);
            let at = |out: &Option<u32>| out.map_or(digest, |node| done[node as usize].max(digest));
            Rc::new(graph.outputs.iter().map(at).collect())
        };
        self.done.borrow_mut().entry(units).or_insert_with(make).clone()
    }
}

fn hash_blocks(graph: &Graph) -> (f64, f64) {
    let hash = graph.nodes.iter().filter(|node| node.place.function == Function::Message);
    let first = hash.clone().position(|node| reads(node, Source::Message)).unwrap_or(0);
    (first as f64, hash.count() as f64 - first as f64)
}

/// The number of steps of every chain.
type Steps = Rc<Vec<u32>>;

/// Identification of a side: set, operation, digits, and bytes of the message.
type Key = (&'static str, Operation, Digits, usize);

/// The way in which a signature reaches a verifying side: signer's level, way of delivery, and
/// numbers.
pub(crate) type Streamed = (&'static str, &'static str, [u64; 10]);

/// The profiles of all sets requested so far.
#[derive(Default)]
pub struct Profiles {
    kept: Kept,
    /// Operations whose stored graph is equal to that of another operation.
    same: RefCell<HashMap<(&'static str, Operation, Digits), Operation>>,
    sides: RefCell<HashMap<Key, Rc<Side>>>,
    digits: RefCell<HashMap<(&'static str, Digits), Steps>>,
}

impl Profiles {
    /// Creates profiles that use the stored recordings, and record everything else.
    #[must_use]
    pub fn of(kept: Kept) -> Self {
        Self { kept, ..Self::default() }
    }

    /// Returns the side of `set` for an operation at its level.
    ///
    /// # Errors
    /// As [`Request::record`].
    pub fn side(
        &self,
        set: &'static Set,
        operation: Operation,
        digits: Digits,
        message: usize,
    ) -> Result<Rc<Side>, Error> {
        let key = |digits| {
            let same = self.same.borrow().get(&(set.name, operation, digits)).copied();
            self.kept.alike(set, (set.name, same.unwrap_or(operation), digits, message))
        };
        if let Some(side) = self.sides.borrow().get(&key(digits)) {
            return Ok(side.clone());
        }
        if let Some(side) = self.kept_side(set, key(digits)) {
            self.sides.borrow_mut().insert(key(digits), side.clone());
            return Ok(side);
        }
        if let Scheme::Hss { levels } = set.scheme {
            let graph = layers::graph(self, levels, operation, digits, message)?;
            let side = Rc::new(Side::new(graph));
            self.sides.borrow_mut().insert(key(digits), side.clone());
            return Ok(side);
        }
        let request = Request::new(set, operation).message(message);
        let mut sides = self.sides.borrow_mut();
        if let Scheme::SlhDsa { .. } = set.scheme {
            // The digest cannot be replaced here: all choices of digits use the same message.
            let side = Rc::new(Side::new(request.record()?.graph()));
            sides.extend(Digits::ALL.map(|each| (key(each), side.clone())));
            return Ok(side);
        }
        // All digests are compared to the same runs, so they are recorded together.
        let digests = Digits::ALL.map(|digits| Digest::Given(digits.digest(set)));
        for (each, trace) in Digits::ALL.into_iter().zip(request.record_each(&digests)?) {
            sides.insert(key(each), Rc::new(Side::new(trace.graph())));
        }
        sides.get(&key(digits)).cloned().ok_or(Error::UnknownSet)
    }

    /// Returns a side from a stored recording, which has the shortest message and is lengthened.
    fn kept_side(&self, set: &'static Set, key: Key) -> Option<Rc<Side>> {
        let more = self.kept.more(set, &key)?;
        let shortest = (key.0, key.1, key.2, SHORTEST);
        let known = self.sides.borrow().get(&shortest).cloned();
        let base = match known {
            Some(known) => known,
            None => self.base(set, shortest)?,
        };
        if more == 0 {
            return Some(base);
        }
        let longer = Side::longer(&base, more as u32);
        Some(Rc::new(longer.or_else(|| Some(Side::new(self.kept.graph(set, &key)?)))?))
    }

    /// Returns the side of a stored recording, and notes whether another operation of the set has
    /// the same graph, as for LMS, which has no masks.
    fn base(&self, set: &'static Set, key: Key) -> Option<Rc<Side>> {
        let graph = self.kept.graph(set, &key)?;
        let is_same = |(other, side): &(&Key, &Rc<Side>)| {
            (other.0, other.2, other.3) == (key.0, key.2, key.3) && **side.plan.graph() == graph
        };
        let mut sides = self.sides.borrow_mut();
        let same = sides.iter().find(is_same).map(|(other, side)| (other.1, side.clone()));
        let side = match same {
            Some((operation, side)) => {
                self.same.borrow_mut().insert((key.0, key.1, key.2), operation);
                side
            }
            None => Rc::new(Side::new(graph)),
        };
        sides.insert(key, side.clone());
        Some(side)
    }

    /// Returns the number of compressions of a side; see [`side`](Self::side).
    fn work(&self, set: &'static Set, key: Key) -> Result<u64, Error> {
        match self.kept.work(set, &key) {
            Some(work) => Ok(work),
            None => Ok(self.side(set, key.1, key.2, key.3)?.work()),
        }
    }

    /// Returns the digits of a set's chains, as [`Digits::of`] does.
    #[must_use]
    pub fn digits(&self, set: &'static Set, digits: Digits) -> Steps {
        let mut known = self.digits.borrow_mut();
        known.entry((set.name, digits)).or_insert_with(|| Rc::new(digits.of(set))).clone()
    }
}

/// Returns true if signatures of a set can be sent element by element, because the set has one
/// tree.
#[must_use]
pub fn is_streamable(set: &Set) -> bool {
    matches!(set.scheme, Scheme::Xmss | Scheme::Lms { .. })
}

/// Returns the number of compressions to prepare one index at a level: its share of the tree, and
/// the work that the level adds.
///
/// # Errors
/// As [`Request::record`].
pub fn prepare_work(
    profiles: &Profiles,
    set: &'static Set,
    level: SignerLevel,
    message: usize,
) -> Result<u64, Error> {
    let work =
        |level| profiles.work(set, (set.name, Operation::Sign(level), Digits::LongSign, message));
    if matches!(set.scheme, Scheme::SlhDsa { .. }) {
        return Ok(0);
    }
    let (none, early) = (work(SignerLevel::None)?, work(SignerLevel::EarlyAuth)?);
    let leaf = none.saturating_sub(early);
    // Masks and tables cover every step, and signing with the largest digits takes nearly every
    // step.
    let ready = early.saturating_sub(work(level)?);
    Ok(leaf + ready)
}

/// Returns true if a node reads this input.
fn reads(node: &crate::Node, source: Source) -> bool {
    node.reads.contains(&source)
}

/// The levels at which only work that depends on the message is left.
pub(crate) const READY: (SignerLevel, VerifierLevel) = (SignerLevel::Masks, VerifierLevel::Masks);
