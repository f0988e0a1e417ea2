//! A study: what a search is over, in a file of TOML, and what is usual where nothing is said.
//!
//! Values are text, as a person writes them: [`Asked`] is what they say.

mod address;
mod asked;

use hasten_hbs::params::Scheme;
use hasten_hbs::{Set, SignerLevel, VerifierLevel};
use serde::Deserialize;

use crate::explore::Schedules;
use crate::{Delivery, Rate};

pub use asked::{Asked, Study, Wrong};

/// A study as a file has it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct File {
    /// Holds what is asked for.
    pub workload: Workload,
    /// Names of machines.
    pub machines: Vec<String>,
    /// The links.
    pub links: Links,
    /// Holds what may be prepared, and sent how.
    pub schedules: Named,
}

/// Holds what is asked for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Workload {
    /// Names of sets.
    pub alg: Vec<String>,
    /// Bytes of a message.
    pub message: Option<usize>,
    /// Messages a second.
    pub rate: Option<usize>,
    /// Messages that may come at once.
    pub burst: Option<usize>,
    /// Time allowed from message to verdict.
    pub budget: Option<String>,
    /// Time of making a reservation durable.
    pub commit: Option<String>,
}

/// The links.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Links {
    /// Rates, or decades of them.
    pub rates: Vec<String>,
    /// Time of propagation.
    pub propagation: Option<String>,
    /// True if payload alone is counted.
    pub bare: bool,
}

/// Schedules by their names.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Named {
    /// Levels of the signer.
    pub signer: Vec<String>,
    /// Levels of the verifier.
    pub verifier: Vec<String>,
    /// Ways of delivery.
    pub delivery: Vec<String>,
    /// As in [`Schedules`].
    pub commit_on_path: bool,
    /// As in [`Schedules`].
    pub rested: bool,
}

/// One rate, or the decades from one to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// The lowest.
    pub low: Rate,
    /// The highest.
    pub high: Rate,
}

impl Rates {
    /// The rates of a study that names none.
    pub const USUAL: Self = Self { low: Rate::per_second(1e8), high: Rate::per_second(1e10) };

    /// Reads one rate, or two with `..` between them; `None` also where the first is higher.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (low, high) = text.split_once("..").unwrap_or((text, text));
        let (low, high) = (Rate::read(low)?, Rate::read(high)?);
        (low.bits() <= high.bits()).then_some(Self { low, high })
    }

    /// Returns each rate, in bits per second: the lowest, ten times as much, and so on.
    #[must_use]
    pub fn decades(self) -> Vec<f64> {
        let below = |bits: &f64| *bits < self.high.bits() * 0.999;
        let tens = std::iter::successors(Some(self.low.bits()), |bits| Some(bits * 10.0));
        tens.take_while(below).chain([self.high.bits()]).collect()
    }
}

/// Completes the schedules of a study over `sets`: where no levels and no ways are named they are
/// the usual ones, and sets without a state have no level beside them but `none`.
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
