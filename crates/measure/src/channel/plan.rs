//! Tells what is to be measured.

use std::time::Duration;

use hasten_hbs::Set;
use hasten_hbs::params::Scheme;
use hasten_kernels::Kernels;

use super::wait::Wait;

/// Bytes of the shortest message: its number.
pub const SHORTEST: usize = 8;

/// Bytes of the longest message: the longest signature of LMS, or of a peer, still fits.
pub const LONGEST: usize = 40_000;

/// The sets of session trees that are measured when none is asked for: the one that `hasten
/// keygen` names, and one with longer signatures that are verified faster.
const SESSIONS: [&str; 2] = ["LMS_SHA256_M24_H10_W4", "LMS_SHA256_M24_H10_W2"];

/// Something that authenticates messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Alg {
    /// A channel whose session trees are of this set.
    Session(&'static Set),
    /// HMAC-SHA-256: one secret on both sides, so each receiver can sign too.
    Hmac,
    /// Ed25519.
    Ed25519,
    /// ML-DSA-44.
    MlDsa44,
}

impl Alg {
    /// Returns the algorithms that are measured when none is asked for.
    pub fn usual() -> Vec<Self> {
        let sets = SESSIONS.into_iter().filter_map(|name| Set::named(name).ok());
        sets.map(Self::Session).chain([Self::Hmac, Self::Ed25519, Self::MlDsa44]).collect()
    }

    /// Returns the algorithm of this name: a set of LMS, or one of the peers.
    pub fn named(name: &str) -> Option<Self> {
        let peers = [Self::Hmac, Self::Ed25519, Self::MlDsa44];
        let peer = peers.into_iter().find(|peer| peer.name().eq_ignore_ascii_case(name));
        peer.or_else(|| {
            let set = Set::named(name).ok()?;
            matches!(set.scheme, Scheme::Lms { .. }).then_some(Self::Session(set))
        })
    }

    /// Returns its name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Session(set) => set.name,
            Self::Hmac => "HMAC-SHA-256",
            Self::Ed25519 => "Ed25519",
            Self::MlDsa44 => "ML-DSA-44",
        }
    }
}

/// All that is measured: every rate with every size and every way to wait.
pub struct Plan<'p> {
    /// The algorithms.
    pub algs: Vec<Alg>,
    /// Messages a second.
    pub rates: Vec<u32>,
    /// Times that both sides rest before each message, beside the rates.
    pub rests: Vec<Duration>,
    /// Bytes of a message, from [`SHORTEST`] to [`LONGEST`].
    pub sizes: Vec<usize>,
    /// How both sides wait.
    pub waits: Vec<Wait>,
    /// Time of each row.
    pub time: Duration,
    /// Length of the windows whose messages a channel signs at once.
    pub batch: Option<Duration>,
    /// Bits per second of the link.
    pub link_bits: f64,
    /// Bogus datagrams a second beside the messages.
    pub flood: Option<u32>,
    /// True if each of these costs a verification.
    pub forgeries: bool,
    /// The kernels of the hash-based side.
    pub kernels: Kernels<'static>,
    /// The cores of the two sides.
    pub cores: &'p [usize],
}

/// When messages come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// So many a second.
    Rate(u32),
    /// Each after a rest of this time.
    Rest(Duration),
}

impl Pace {
    /// Returns messages a second.
    pub fn rate(self) -> u32 {
        match self {
            Self::Rate(rate) => rate,
            Self::Rest(rest) => (1.0 / rest.as_secs_f64()).round().max(1.0) as u32,
        }
    }

    /// Returns how long it is from the first message until message `number` is due.
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
    /// When messages come.
    pub pace: Pace,
    /// Bytes of a message.
    pub size: usize,
    /// How both sides wait.
    pub wait: Wait,
}

impl Plan<'_> {
    /// Returns the cases, without the algorithms.
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
