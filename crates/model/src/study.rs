//! A study: the parameters of a search in a TOML file, with defaults for missing ones.
//!
//! Values are text in the form that people write; [`Asked`] has the parsed values.

mod address;
mod asked;

use hasten_hbs::params::Scheme;
use hasten_hbs::{Set, SignerLevel, VerifierLevel};
use serde::Deserialize;

use crate::explore::Schedules;
use crate::{Delivery, Rate};

pub use asked::{Asked, Study, Wrong};

/// A study as stored in a file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct File {
    /// Requirements.
    pub workload: Workload,
    /// Names of machines.
    pub machines: Vec<String>,
    /// The links.
    pub links: Links,
    /// Levels of preparation and ways of delivery.
    pub schedules: Named,
}

/// The requirements of a study.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Workload {
    /// Names of sets.
    pub alg: Vec<String>,
    /// Length of a message in bytes.
    pub message: Option<usize>,
    /// Messages per second.
    pub rate: Option<usize>,
    /// Number of messages that may arrive at once.
    pub burst: Option<usize>,
    /// Maximum time from message to verdict.
    pub budget: Option<String>,
    /// Time to make a reservation durable.
    pub commit: Option<String>,
}

/// The links.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Links {
    /// Rates, or ranges of rates in decades.
    pub rates: Vec<String>,
    /// Propagation time.
    pub propagation: Option<String>,
    /// True if only the payload is counted, without Ethernet frames.
    pub bare: bool,
}

/// Schedules, by the names of their parts.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Named {
    /// Levels of the signer.
    pub signer: Vec<String>,
    /// Levels of the verifier.
    pub verifier: Vec<String>,
    /// Ways of delivery.
    pub delivery: Vec<String>,
    /// See [`Schedules`].
    pub commit_on_path: bool,
    /// See [`Schedules`].
    pub rested: bool,
}

/// A single rate, or a range of rates in decades.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// The lowest rate.
    pub low: Rate,
    /// The highest rate.
    pub high: Rate,
}

impl Rates {
    /// The default rates of a study.
    pub const USUAL: Self = Self { low: Rate::per_second(1e8), high: Rate::per_second(1e10) };

    /// Parses one rate, or two with `..` between them. Returns `None` for other text, or if the
    /// first rate is higher.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (low, high) = text.split_once("..").unwrap_or((text, text));
        let (low, high) = (Rate::read(low)?, Rate::read(high)?);
        (low.bits() <= high.bits()).then_some(Self { low, high })
    }

    /// Returns the rates in bits per second: the lowest, ten times as much, and so on, up to the
    /// highest.
    #[must_use]
    pub fn decades(self) -> Vec<f64> {
        let below = |bits: &f64| *bits < self.high.bits() * 0.999;
        let tens = std::iter::successors(Some(self.low.bits()), |bits| Some(bits * 10.0));
        tens.take_while(below).chain([self.high.bits()]).collect()
    }
}

/// Completes the schedules of a study over `sets`. Missing levels and ways of delivery get their
/// defaults. If there are stateless sets, the level `none` is added, which is the only one they
/// have.
#[must_use]
pub fn complete(sets: &[&Set], named: Schedules) -> Schedules {
    let Schedules { mut signer, mut verifier, mut delivery, .. } = named;
    if signer.is_empty() {
        signer = vec![SignerLevel::EarlyAuth, SignerLevel::Masks, SignerLevel::ChainTable];
    }
    if verifier.is_empty() {
        verifier = vec![VerifierLevel::None, VerifierLevel::Masks, VerifierLevel::OtsKey];
    }
    if delivery.is_empty() {
        delivery = Delivery::ALL.into();
    }
    if sets.iter().any(|set| matches!(set.scheme, Scheme::SlhDsa { .. })) {
        signer.insert(0, SignerLevel::None);
        signer.dedup();
        if !verifier.contains(&VerifierLevel::None) {
            verifier.insert(0, VerifierLevel::None);
        }
    }
    Schedules { signer, verifier, delivery, ..named }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decades_end_at_the_highest() {
        let of = |low, high| {
            Rates { low: Rate::per_second(low), high: Rate::per_second(high) }.decades()
        };
        assert_eq!(Rates::USUAL.decades(), [1e8, 1e9, 1e10]);
        assert_eq!(of(1e9, 1e9), [1e9]);
        assert_eq!(of(1e8, 2.5e9), [1e8, 1e9, 2.5e9]);
    }

    #[test]
    fn a_set_without_a_state_is_searched_without_levels() {
        let none = Schedules {
            signer: vec![],
            verifier: vec![VerifierLevel::Masks],
            delivery: vec![],
            commit_on_path: false,
            rested: true,
        };
        let set = |name| Set::named(name).expect("a set");
        let with = complete(&[set("SLH-DSA-SHA2-128s")], none.clone());
        assert_eq!(with.signer[0], SignerLevel::None);
        assert_eq!(with.verifier, [VerifierLevel::None, VerifierLevel::Masks]);
        assert!(with.rested && with.delivery == Delivery::ALL);
        let without = complete(&[set("XMSS-SHA2_10_256")], none);
        assert_eq!((without.signer.len(), without.verifier.len()), (3, 1));
    }
}
