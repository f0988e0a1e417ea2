//! The plan of an experiment.

use std::time::Duration;

use hasten_hbs::Set;
use hasten_hbs::params::Scheme;
use hasten_kernels::Kernels;

use super::wait::Wait;

/// Length of the shortest message in bytes: a message contains its number.
pub const SHORTEST: usize = 8;

/// Length of the longest message in bytes. It leaves room for the longest signature of LMS or a
/// peer.
pub const LONGEST: usize = 40_000;

/// Default sets of session trees: the one in the examples of `hasten keygen`, and one with longer
/// signatures that are verified faster.
const SESSIONS: [&str; 2] = ["LMS_SHA256_M24_H10_W4", "LMS_SHA256_M24_H10_W2"];

/// A way to authenticate messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Alg {
    /// A channel with session trees of this set.
    Session(&'static Set),
    /// HMAC-SHA-256. Both sides share one secret, so each receiver can sign too.
    Hmac,
    /// Ed25519.
    Ed25519,
    /// ML-DSA-44.
    MlDsa44,
}

impl Alg {
    /// Returns the algorithms that are measured by default.
    pub fn usual() -> Vec<Self> {
        let sets = SESSIONS.into_iter().filter_map(|name| Set::named(name).ok());
        sets.map(Self::Session).chain([Self::Hmac, Self::Ed25519, Self::MlDsa44]).collect()
    }

    /// Returns the algorithm with this name: an LMS set, or one of the peers.
    pub fn named(name: &str) -> Option<Self> {
        let peers = [Self::Hmac, Self::Ed25519, Self::MlDsa44];
        let peer = peers.into_iter().find(|peer| peer.name().eq_ignore_ascii_case(name));
        peer.or_else(|| {
            let set = Set::named(name).ok()?;
            matches!(set.scheme, Scheme::Lms { .. }).then_some(Self::Session(set))
        })
    }

    /// Returns the name of the algorithm.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Session(set) => set.name,
            Self::Hmac => "HMAC-SHA-256",
            Self::Ed25519 => "Ed25519",
            Self::MlDsa44 => "ML-DSA-44",
        }
    }
}

/// All cases to measure: every rate or rest with every size and every way to wait.
pub struct Plan<'p> {
    /// The algorithms.
    pub algs: Vec<Alg>,
    /// Messages per second.
    pub rates: Vec<u32>,
    /// Times that both sides rest before each message, measured in addition to the rates.
    pub rests: Vec<Duration>,
    /// Lengths of a message in bytes, from [`SHORTEST`] to [`LONGEST`].
    pub sizes: Vec<usize>,
    /// Ways in which both sides wait.
    pub waits: Vec<Wait>,
    /// Duration of each row.
    pub time: Duration,
    /// Length of the windows whose messages a channel signs together.
    pub batch: Option<Duration>,
    /// Bits per second of the link.
    pub link_bits: f64,
    /// Bogus datagrams per second, sent along with the messages.
    pub flood: Option<u32>,
    /// True if each bogus datagram makes the receiver verify a signature.
    pub forgeries: bool,
    /// The kernels used by the hash-based schemes.
    pub kernels: Kernels<'static>,
    /// The cores of the two sides.
    pub cores: &'p [usize],
}

/// The times at which messages arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// A number of messages per second.
    Rate(u32),
    /// Each message after a rest of this length.
    Rest(Duration),
}

impl Pace {
    /// Returns the rate in messages per second.
    pub fn rate(self) -> u32 {
        match self {
            Self::Rate(rate) => rate,
            Self::Rest(rest) => (1.0 / rest.as_secs_f64()).round().max(1.0) as u32,
        }
    }

    /// Returns the time from the first message until message `number` is due.
    pub fn due(self, number: usize) -> Duration {
        match self {
            Self::Rate(rate) => Duration::from_secs_f64(number as f64 / f64::from(rate)),
            Self::Rest(rest) => rest.mul_f64(number as f64),
        }
    }
}

/// One row of the plan.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The times at which messages arrive.
    pub pace: Pace,
    /// Length of a message in bytes.
    pub size: usize,
    /// The way in which both sides wait.
    pub wait: Wait,
}

impl Plan<'_> {
    /// Returns the cases, which are the same for every algorithm.
    pub fn cases(&self) -> Vec<Case> {
        let mut cases = Vec::new();
        let rates = self.rates.iter().copied().map(Pace::Rate);
        for pace in rates.chain(self.rests.iter().copied().map(Pace::Rest)) {
            for size in &self.sizes {
                let of = |wait: &Wait| Case { pace, size: *size, wait: *wait };
                cases.extend(self.waits.iter().map(of));
            }
        }
        cases
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_sets_of_lms_and_of_the_peers() {
        assert_eq!(Alg::usual().len(), 5);
        for alg in Alg::usual() {
            assert_eq!(Alg::named(alg.name()), Some(alg));
        }
        for name in ["XMSS-SHA2_10_256", "ML-DSA-65", ""] {
            assert_eq!(Alg::named(name), None, "{name}");
        }
    }
}
