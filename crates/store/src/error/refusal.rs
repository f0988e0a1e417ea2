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
    /// A log file is damaged, not at its end alone: the newest state cannot be read.
    DamagedLog,
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
    /// The guard is another file than the one that was written here: put back from a copy, or
    /// moved.
    GuardReplaced,
    /// The guard is the file that was written here, and somebody else changed its content, mode,
    /// owner or name since: a copy may have been put back over it.
    GuardTouched,
    /// A file of the log is another one than the one that was written here.
    LogReplaced,
}

impl Reason {
    /// Returns whether the files are others than those that were written here, or were changed by
    /// somebody else. The guard's word is then no evidence of what was signed since, and
    /// [`Options::accept_moved`](crate::Options::accept_moved) lifts the refusal.
    pub fn is_moved(self) -> bool {
        matches!(self, Reason::GuardReplaced | Reason::GuardTouched | Reason::LogReplaced)
    }
}

/// Returns which refusal is told: the guard's before that of the files, but for an old copy beside
/// a guard that was put back too. The word of such a guard is no evidence of what was signed since,
/// and whoever reads "an old copy" would take it for that.
pub(crate) fn first_of(by_guard: Option<Refusal>, by_files: Option<Refusal>) -> Option<Refusal> {
    let reason = |refusal: &Option<Refusal>| refusal.map(|refusal| refusal.reason);
    match (reason(&by_guard), reason(&by_files)) {
        (Some(Reason::OldCopy), Some(Reason::GuardReplaced | Reason::GuardTouched)) => by_files,
        _ => by_guard.or(by_files),
    }
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
            Reason::DamagedLog => "a log file is damaged in the middle, or absent",
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
            Reason::GuardReplaced => {
                "the guard is another file than the one that was written here: it was put back from a copy, or moved"
            }
            Reason::GuardTouched => {
                "something else changed the guard since it was written here: a copy was put back over it, or its name, mode or owner was changed"
            }
            Reason::LogReplaced => {
                "the log is another file than the one that was written here: the key was put back from a copy, or moved to another file system"
            }
        };
        let log_alone = matches!(self.reason, Reason::NoGuard | Reason::DamagedGuard);
        if log_alone || self.reason.is_moved() {
            return write!(
                f,
                "REFUSED: {why}. The log is at generation {}, its next index is {}",
                self.found, self.next_found
            );
        }
        let Self { found, expected, next_found, next_expected, .. } = self;
        write!(f, "REFUSED: {why}. ")?;
        match next_found < next_expected {
            true => write!(
                f,
                "It would sign with index {next_found}, and the next free one is {next_expected}"
            ),
            false => write!(f, "Its next index is {next_found}, expected {next_expected}"),
        }?;
        write!(
            f,
            " (generation {found}, expected {expected}). Put the newest copy back; if there is none, give up the indices that may be used"
        )
    }
}
