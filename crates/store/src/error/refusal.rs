//! Why a state was refused, with the numbers of both sides.

use serde::Serialize;
use std::fmt;

/// Why a state was refused.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The store is older than its guard: a restored copy.
    OldCopy,
    /// The guard is older than the store: the guard was restored.
    OldGuard,
    /// Same age, other content: two copies went on separately.
    OtherHistory,
    /// There is no guard file where the store expects it.
    NoGuard,
    /// The guard file cannot be read.
    DamagedGuard,
    /// The guard belongs to another store.
    ForeignGuard,
    /// The store is older than its witness, or went on separately: a copy of the whole machine.
    Witness,
    /// The witness holds nothing, and this store has used it.
    WitnessEmpty,
    /// The session's guard was changed by somebody else while it ran.
    Overtaken,
    /// This is not the key that was expected: its public key is another one.
    OtherKey,
    /// The service behind the store lost writes it had confirmed: it was restored or replaced.
    Service,
}

/// A refusal, with the numbers that led to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// Why.
    pub reason: Reason,
    /// Generation found.
    pub found: u64,
    /// Generation expected.
    pub expected: u64,
    /// Next index found.
    pub next_found: u64,
    /// Next index expected.
    pub next_expected: u64,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.reason {
            Reason::OldCopy => "this store is an old copy",
            Reason::OldGuard => "the guard is an old copy",
            Reason::OtherHistory => "store and guard come from copies that went on separately",
            Reason::NoGuard => "the guard file is missing",
            Reason::DamagedGuard => "the guard file is damaged",
            Reason::ForeignGuard => "the guard file belongs to another store",
            Reason::Witness => "the witness knows a newer or another state: this is a copy",
            Reason::WitnessEmpty => {
                "the witness holds nothing, though this key has used it: it was emptied, or is another one"
            }
            Reason::Overtaken => "another process changed the guard while this session ran",
            Reason::OtherKey => {
                "this is the state of another key: its public key is not the one expected"
            }
            Reason::Service => {
                "the service lost what it had confirmed: it was restored or replaced"
            }
        };
        if matches!(self.reason, Reason::NoGuard | Reason::DamagedGuard) {
            return write!(
                f,
                "REFUSED: {why}. The log is at generation {}, its next index is {}",
                self.found, self.next_found
            );
        }
        write!(
            f,
            "REFUSED: {why}. Generation found {}, expected {}; next index found {}, expected {}. \
             Use the newest copy; or, if it is gone for good, open with an override that burns a stated number of indices",
            self.found, self.expected, self.next_found, self.next_expected
        )
    }
}
