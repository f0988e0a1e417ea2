//! The rows to measure: pairs of levels with a set and a number of samples.

use std::time::Duration;

use hasten_hbs::{Set, SignerLevel, VerifierLevel};
use hasten_kernels::Kernels;

use super::engine::Device;
use super::warm::Waiter;

/// A pair of levels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// Name of the pair, if it has one.
    pub name: Option<&'static str>,
    /// The signer's level.
    pub signer: SignerLevel,
    /// The verifier's level.
    pub verifier: VerifierLevel,
}

/// The six pairs measured by default, from nothing prepared to everything.
pub const NAMED: [Pair; 6] = [
    named("nothing", SignerLevel::None, VerifierLevel::None),
    named("path", SignerLevel::EarlyAuth, VerifierLevel::None),
    named("secrets", SignerLevel::Secrets, VerifierLevel::Masks),
    named("masks", SignerLevel::Masks, VerifierLevel::Masks),
    named("unannounced", SignerLevel::ChainTable, VerifierLevel::NodeCache),
    named("everything", SignerLevel::ChainTable, VerifierLevel::OtsKey),
];

const fn named(name: &'static str, signer: SignerLevel, verifier: VerifierLevel) -> Pair {
    Pair { name: Some(name), signer, verifier }
}

/// Returns the named pairs, or every combination of the given levels. If only one side has levels,
/// the level of the other side is `none`.
pub fn pairs(signers: &[SignerLevel], verifiers: &[VerifierLevel]) -> Vec<Pair> {
    if signers.is_empty() && verifiers.is_empty() {
        return NAMED.to_vec();
    }
    let signers = if signers.is_empty() { &[SignerLevel::None][..] } else { signers };
    let verifiers = if verifiers.is_empty() { &[VerifierLevel::None][..] } else { verifiers };
    let combined = |signer: &SignerLevel| {
        verifiers.iter().map(|verifier| pair(*signer, *verifier)).collect::<Vec<_>>()
    };
    signers.iter().flat_map(combined).collect()
}

fn pair(signer: SignerLevel, verifier: VerifierLevel) -> Pair {
    let known = NAMED.into_iter().find(|pair| (pair.signer, pair.verifier) == (signer, verifier));
    known.unwrap_or(Pair { name: None, signer, verifier })
}

/// Number of messages before the first counted one, if the key can sign that many more.
const WARM_UP: usize = 16;

/// Returns the pairs that the simulated engine supports: it prepares up to the masks.
pub fn of_engine(pairs: &[Pair]) -> Vec<Pair> {
    let has =
        |pair: &&Pair| pair.signer <= SignerLevel::Masks && pair.verifier <= VerifierLevel::Masks;
    pairs.iter().filter(has).copied().collect()
}

/// One row to measure.
pub struct Plan<'p> {
    /// Parameter set.
    pub set: &'static Set,
    /// Signer's level.
    pub signer: SignerLevel,
    /// Verifier's level.
    pub verifier: VerifierLevel,
    /// Kernels used by both sides.
    pub kernels: Kernels<'static>,
    /// The simulated engine, if it replaces the kernels.
    pub device: Option<&'p Device<'p>>,
    /// Number of messages that count.
    pub samples: usize,
    /// Number of messages before those that count.
    pub warm_up: usize,
    /// Length of a message in bytes.
    pub message: usize,
    /// Rest before every message.
    pub idle: Duration,
    /// True if dummy steps are run while waiting.
    pub keep_warm: bool,
    /// The cores to which the threads are pinned.
    pub cores: &'p [usize],
}

impl Plan<'_> {
    /// Returns the number of all messages.
    pub fn messages(&self) -> usize {
        self.warm_up + self.samples
    }

    /// Returns the waiter of a side of this row.
    pub fn waiter(&self) -> Waiter {
        if self.keep_warm { Waiter::warm(self.kernels, self.set.hash) } else { Waiter::blocked() }
    }
}

/// Returns the number of samples that a key with `capacity` signatures allows, at most `asked`, and
/// the number of warm-up messages that it allows in addition.
pub fn fit(asked: usize, capacity: u64) -> (usize, usize) {
    let samples = usize::try_from(capacity).map_or(asked, |capacity| asked.min(capacity));
    let spare = usize::try_from(capacity - samples as u64).unwrap_or(usize::MAX);
    (samples, WARM_UP.min(spare))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_pairs_unless_levels_are_given() {
        assert_eq!(pairs(&[], &[]), NAMED);
        let two = pairs(&[SignerLevel::EarlyAuth, SignerLevel::Masks], &[]);
        assert_eq!(two.iter().map(|pair| pair.name).collect::<Vec<_>>(), [Some("path"), None]);
        assert_eq!(pairs(&SignerLevel::ALL, &VerifierLevel::ALL).len(), 20);
    }

    #[test]
    fn named_pairs_only_climb() {
        for two in NAMED.windows(2) {
            assert!(two[0].signer <= two[1].signer && two[0].verifier <= two[1].verifier);
        }
    }

    #[test]
    fn samples_fit_the_key() {
        assert_eq!(fit(1000, 1024), (1000, 16));
        assert_eq!(fit(1015, 1024), (1015, 9));
        assert_eq!(fit(5000, 1024), (1024, 0));
        assert_eq!(fit(5000, 1 << 60), (5000, 16));
    }
}
