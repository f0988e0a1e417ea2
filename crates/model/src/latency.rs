//! Latency from the message to the verdict: signing, sending and verifying, in sequence or
//! overlapped.
//!
//! Symbols: R bits per second, t_p propagation, T_c one compression on one unit, s(P) and v(P)
//! steps of signer and verifier, |M| and |Sig| bytes.

mod stream;

use hasten_hbs::params::Scheme;
use hasten_hbs::{Error, Set, SignerLevel, VerifierLevel};
use serde::Serialize;

use crate::ethernet;
use crate::operation::Operation;
use crate::profile::{Digits, Profiles, READY, Side, is_streamable};
pub use stream::Spans;

/// The link from signer to verifier.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Link {
    /// Rate in bits per second.
    pub bits: f64,
    /// Propagation time, in microseconds.
    pub propagation_us: f64,
    /// Fixed cost of the interface on each side, in microseconds.
    pub io_us: f64,
    /// True if the bytes are sent in Ethernet frames: see [`ethernet`].
    pub framed: bool,
}

impl Link {
    /// Returns a link of this rate without propagation time, fixed cost and framing.
    #[must_use]
    pub const fn bare(bits: f64) -> Self {
        Self { bits, propagation_us: 0.0, io_us: 0.0, framed: false }
    }

    /// Returns the time that `bytes` occupy the link, in microseconds.
    #[must_use]
    pub fn time(&self, bytes: usize) -> f64 {
        let busy = if self.framed { ethernet::busy_bytes(bytes as u64) } else { bytes as u64 };
        8e6 * busy as f64 / self.bits
    }
}

/// The way in which signing, sending and verifying are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Delivery {
    /// Sign, then send, then verify.
    Sequential,
    /// Every element is sent when it is ready, and verified when it arrives.
    Streaming,
    /// Like `Streaming`, with index and authentication path sent before the message.
    PreSend,
    /// Like `PreSend`, with the one-time public key also sent before the message; only the chains
    /// remain after it.
    OtsKey,
}

impl Delivery {
    /// All ways of delivery.
    pub const ALL: [Self; 4] = [Self::Sequential, Self::Streaming, Self::PreSend, Self::OtsKey];

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sequential => "sequential",
            Self::Streaming => "streaming",
            Self::PreSend => "pre-send",
            Self::OtsKey => "ots-key",
        }
    }

    /// Returns the way of delivery with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|delivery| delivery.name() == name)
    }

    /// Returns the number of bytes sent after the message is known, without the message itself.
    #[must_use]
    pub fn bytes(self, set: &Set) -> usize {
        match self {
            Self::Sequential | Self::Streaming => set.signature_bytes(),
            Self::PreSend | Self::OtsKey => set.n + set.ots_bytes(),
        }
    }
}

/// The units of one machine, and the time of a compression on one of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    /// Number of units.
    pub count: usize,
    /// Time of one compression, in microseconds.
    pub each_us: f64,
}

/// A case to be timed.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The parameter set.
    pub set: &'static Set,
    /// Length of the message in bytes.
    pub message: usize,
    /// Level of preparation of the signer.
    pub signer: SignerLevel,
    /// Level of preparation of the verifier.
    pub verifier: VerifierLevel,
    /// Way of delivery.
    pub delivery: Delivery,
    /// Units of the signer.
    pub signing: Units,
    /// Units of the verifier.
    pub verifying: Units,
    /// The link between them.
    pub link: Link,
    /// The digits of the message.
    pub digits: Digits,
    /// Time to make the reservation durable after the message has arrived, in microseconds; 0 if it
    /// was made ahead.
    pub commit_us: f64,
}

/// The times of the parts of a case, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Latency {
    /// Time from the message to the signature, including commit and interface.
    pub sign_us: f64,
    /// Time that message and signature occupy the link, including propagation.
    pub wire_us: f64,
    /// Time from the arrival of all input to the verdict, without overlap.
    pub verify_us: f64,
    /// Time from the message to the verdict.
    pub total_us: f64,
}

/// Lower bounds for any design with this set, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Bounds {
    /// Bound without overlap.
    pub sequential_us: f64,
    /// Bound with overlap, for the way of delivery of the case.
    pub overlapped_us: f64,
}

impl Case {
    /// Returns the times of the case.
    ///
    /// # Errors
    /// As [`Request::record`](crate::Request::record).
    pub fn latency(&self, profiles: &Profiles) -> Result<Latency, Error> {
        let (sign, verify) = self.sides(profiles)?;
        let Units { count, each_us } = self.signing;
        let sign_us = self.commit_us + self.link.io_us + sign.steps(count) as f64 * each_us;
        let v = self.verifying;
        let verify_us = self.link.io_us + verify.steps(v.count) as f64 * v.each_us;
        let wire = self.link.time(self.message + self.delivery.bytes(self.set));
        let wire_us = wire + self.link.propagation_us;
        let whole = sign_us + wire_us + verify_us;
        let total_us =
            if self.streams() { self.streamed(&sign, &verify).min(whole) } else { whole };
        Ok(Latency { sign_us, wire_us, verify_us, total_us })
    }

    fn streams(&self) -> bool {
        self.delivery != Delivery::Sequential && is_streamable(self.set)
    }

    fn sides(&self, profiles: &Profiles) -> Result<(std::rc::Rc<Side>, std::rc::Rc<Side>), Error> {
        let level = match self.delivery {
            Delivery::OtsKey => VerifierLevel::OtsKey,
            _ => self.verifier,
        };
        let side = |op| profiles.side(self.set, op, self.digits, self.message);
        Ok((side(Operation::Sign(self.signer))?, side(Operation::Verify(level))?))
    }

    /// Returns the number of bytes of index and typecodes, which are counted before the randomizer.
    fn index_bytes(&self) -> usize {
        let types = if matches!(self.set.scheme, Scheme::Lms { .. }) { 8 } else { 0 };
        self.set.index_bytes() + types
    }

    /// Returns the lower bounds of the case. They assume any number of units, each as fast as the
    /// faster of both machines' units, full preparation, no fixed cost but propagation, and the
    /// digits of the case. A chain table counts as prepared only if the signer's level has one.
    ///
    /// # Errors
    /// As [`Request::record`](crate::Request::record).
    pub fn bounds(&self, profiles: &Profiles) -> Result<Bounds, Error> {
        let each = self.signing.each_us.min(self.verifying.each_us);
        let link = Link { io_us: 0.0, framed: false, ..self.link };
        let shape = Shape::of(self, profiles)?;
        let late = self.link.propagation_us;
        let one_by_one = (shape.sign_path + shape.verify_path) * each;
        let bytes = self.message + self.delivery.bytes(self.set);
        let sequential = |bytes| link.time(bytes) + late + one_by_one;
        let sequential_us = sequential(self.message + self.set.signature_bytes());
        if !self.streams() {
            let overlapped_us = sequential(bytes).min(sequential_us);
            return Ok(Bounds { sequential_us, overlapped_us });
        }
        let overlapped_us = late + self.overlapped(&shape, each, &link);
        Ok(Bounds { sequential_us: sequential_us.max(overlapped_us), overlapped_us })
    }

    /// Returns the time that no overlap avoids: that of one chain on both sides, of the hash of the
    /// one-time public key, or of the link.
    fn overlapped(&self, shape: &Shape, each: f64, link: &Link) -> f64 {
        let first = (shape.message + shape.chain) * each + link.time(self.set.n);
        let sent = link.time(self.message + self.set.ots_bytes());
        if self.delivery == Delivery::OtsKey {
            return first.max(sent);
        }
        let sent = match self.delivery {
            Delivery::PreSend => sent,
            _ => link.time(self.message + self.set.signature_bytes()),
        };
        let gate = link.time(self.message) + (shape.message + shape.key) * each;
        (first.max(gate) + shape.tail * each).max(sent + shape.last * each)
    }
}

/// Lengths from which the bounds are computed, in sequential compressions.
struct Shape {
    /// Blocks of the message hash from the message on.
    message: f64,
    /// The longest path through one chain, on both sides together.
    chain: f64,
    /// Blocks of the serial hash over the chain ends, if there is one.
    key: f64,
    /// The path from a chain end, or from the hash over all of them, to the root.
    tail: f64,
    /// The path to the root from the chain end that is nearest to it, which may be sent last.
    last: f64,
    /// The critical path of signing with full preparation.
    sign_path: f64,
    /// The critical path of verifying with full preparation.
    verify_path: f64,
}

impl Shape {
    fn of(case: &Case, profiles: &Profiles) -> Result<Self, Error> {
        let set = case.set;
        let side = |op| profiles.side(set, op, case.digits, case.message);
        let stateless = matches!(set.scheme, Scheme::SlhDsa { .. });
        let table = case.signer == SignerLevel::ChainTable;
        let (s, v) = match (stateless, table, case.delivery) {
            (true, ..) => (SignerLevel::None, VerifierLevel::None),
            (_, true, Delivery::OtsKey) => (SignerLevel::ChainTable, VerifierLevel::OtsKey),
            (_, true, _) => (SignerLevel::ChainTable, case.verifier.max(READY.1)),
            (_, _, Delivery::OtsKey) => (READY.0, VerifierLevel::OtsKey),
            _ => (READY.0, case.verifier.max(READY.1)),
        };
        let (sign, verify) = (side(Operation::Sign(s))?, side(Operation::Verify(v))?);
        let (before, message) = verify.hash_blocks();
        let path = |side: &Side| side.critical_path() as f64;
        let sign_path = path(&sign);
        let verify_path = path(&verify) - if stateless { 0.0 } else { before };
        let base =
            Self { message, sign_path, verify_path, chain: 0.0, key: 0.0, tail: 0.0, last: 0.0 };
        Ok(if is_streamable(set) { base.tree(case, table, profiles) } else { base })
    }

    /// Adds the lengths of a tree over one-time keys.
    fn tree(self, case: &Case, table: bool, profiles: &Profiles) -> Self {
        let set = case.set;
        let cached = case.verifier >= VerifierLevel::NodeCache;
        let h = if cached { 0.0 } else { f64::from(set.h) };
        let steps =
            f64::from(if table { longest_left(case, profiles) } else { set.w() as u32 - 1 });
        let chain = steps * chain_steps(set);
        if matches!(set.scheme, Scheme::Lms { .. }) {
            let key = (31 + set.ots_bytes()).div_ceil(64) as f64;
            let tail = 1.0 + 2.0 * h;
            return Self { chain, key, tail, last: tail + 1.0, ..self };
        }
        let (deep, shallow) = depths(set.len());
        let tail = |depth: f64| node_steps(set) * (depth + h);
        Self { chain, tail: tail(deep), last: tail(shallow), ..self }
    }
}

/// Returns the longest chain that is left to the verifier, among the chains at the full depth of
/// the L-tree.
fn longest_left(case: &Case, profiles: &Profiles) -> u32 {
    let digits = profiles.digits(case.set, case.digits);
    let full = digits.len().min(1 << digits.len().ilog2());
    digits[..full].iter().map(|digit| case.set.w() as u32 - 1 - digit).max().unwrap_or(0)
}

/// Returns the largest and the smallest number of nodes between a chain end and the root of the
/// L-tree.
fn depths(len: usize) -> (f64, f64) {
    let depth = |mut index: usize| {
        let (mut width, mut nodes) = (len, 0);
        while width > 1 {
            nodes += u32::from(index + 1 < width || width.is_multiple_of(2));
            (index, width) = (index / 2, width.div_ceil(2));
        }
        f64::from(nodes)
    };
    let all = || (0..len).map(depth);
    (all().fold(0.0, f64::max), all().fold(f64::INFINITY, f64::min))
}

/// Returns the sequential compressions of a chain step whose keys and masks are available.
fn chain_steps(set: &Set) -> f64 {
    let wide = set.n == 64 && matches!(set.hash, hasten_hbs::params::Hash::Shake256);
    if wide { 2.0 } else { 1.0 }
}

/// Returns the sequential compressions of a tree node whose keys and masks are available.
fn node_steps(set: &Set) -> f64 {
    let short = set.n < 64
        && matches!(
            set.hash,
            hasten_hbs::params::Hash::Shake128 | hasten_hbs::params::Hash::Shake256
        );
    if short { 1.0 } else { 2.0 }
}
