//! Reasons for refusing a state, with the numbers that were compared.

use serde::Serialize;
use std::fmt;

/// Reason for refusing a state.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The store is older than its guard: a restored copy.
    OldCopy,
    /// A log file is damaged, and not only at its end: the newest state cannot be read.
    DamagedLog,
    /// The guard is older than the store: the guard was restored.
    OldGuard,
    /// Store and guard have the same generation but different content: two copies were used
    /// separately.
    OtherHistory,
    /// There is no guard file where the store expects it.
    NoGuard,
    /// The guard file cannot be read.
    DamagedGuard,
    /// The guard belongs to another store.
    ForeignGuard,
    /// The store is older than its witness, or has another history: a copy of the whole machine.
    Witness,
    /// The witness is empty, although this store has used it.
    WitnessEmpty,
    /// The session's guard was changed by somebody else while it ran.
    Overtaken,
    /// This is not the expected key: its public key differs.
    OtherKey,
    /// The service behind the store lost writes it had confirmed: it was restored or replaced.
    Service,
    /// The guard is not the file that was written here: it was restored from a copy, or moved.
    GuardReplaced,
    /// The guard is the file that was written here, but its content, mode, owner or name was
    /// changed by somebody else since then. A copy may have been written over it.
    GuardTouched,
    /// A log file is not the file that was written here.
    LogReplaced,
}

impl Reason {
    /// Returns true if the files are not those that were written here, or were changed by somebody
    /// else. The guard is then no evidence of later signatures.
    /// [`Options::accept_moved`](crate::Options::accept_moved) lifts the refusal.
    pub fn is_moved(self) -> bool {
        matches!(self, Reason::GuardReplaced | Reason::GuardTouched | Reason::LogReplaced)
    }
}

/// Returns the refusal to report. The refusal by the guard has priority over the refusal by the
/// files, except for an old copy of the store whose guard was restored too. Such a guard is no
/// evidence of later signatures, but the message "an old copy" would suggest that it is.
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
    /// Reason of the refusal.
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
