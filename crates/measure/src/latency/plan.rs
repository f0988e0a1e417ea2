//! Tells what is to be measured: which pairs of levels, with which set, how often.

use std::time::Duration;

use hasten_hbs::{Set, SignerLevel, VerifierLevel};
use hasten_kernels::Kernels;

use super::engine::Device;
use super::warm::Waiter;

/// Two levels, and the name of the pair where it has one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// Its name.
    pub name: Option<&'static str>,
    /// The signer's level.
    pub signer: SignerLevel,
    /// The verifier's level.
    pub verifier: VerifierLevel,
}

/// The six pairs measured when no level is asked for, from nothing prepared to everything.
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

/// Returns the named pairs, or every combination of the levels asked for; a side not asked for is
/// `none`.
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

/// Messages before the first one counted, where the key can sign that many more.
const WARM_UP: usize = 16;

/// Returns the named pairs that the simulated engine has: it prepares up to the masks.
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
    /// Kernels of both sides.
    pub kernels: Kernels<'static>,
    /// The simulated engine instead of them, where it is asked for.
    pub device: Option<&'p Device<'p>>,
    /// Messages that count.
    pub samples: usize,
    /// Messages before them that do not.
    pub warm_up: usize,
    /// Bytes of a message.
    pub message: usize,
    /// Rest before every message.
    pub idle: Duration,
    /// True if waiting is interrupted by dummy steps.
    pub keep_warm: bool,
    /// The cores to pin to.
    pub cores: &'p [usize],
}

impl Plan<'_> {
    /// Returns all messages.
    pub fn messages(&self) -> usize {
        self.warm_up + self.samples
    }

    /// Returns how a side of this row waits.
    pub fn waiter(&self) -> Waiter {
        if self.keep_warm { Waiter::warm(self.kernels, self.set.hash) } else { Waiter::blocked() }
    }
}

/// Returns how many of the `asked` samples a key that signs `capacity` messages allows, and how
/// many warm-up messages beside them.
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
