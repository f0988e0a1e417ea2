//! May this state be used? A pure function of what log, guard and witness say; the model of the
//! protocol uses it too.

use crate::identity::Identity;
use crate::record::Tag;
use crate::state::State;
use crate::status::Status;
use crate::witness::Mark;
use serde::Serialize;
use std::fmt;

/// The content of a guard: the newest commit it has seen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GuardMark {
    /// Which store it guards.
    pub store_id: [u8; 16],
    /// Which key that is; all zero in a mark of version 1.
    pub identity: Identity,
    /// Newest generation seen.
    pub generation: u64,
    /// Next index at that commit.
    pub next: u64,
    /// End of the range at that commit.
    pub end: u64,
    /// Tag of that commit.
    pub tag: Tag,
    /// Tag of the commit before.
    pub previous_tag: Tag,
    /// Session that wrote it.
    pub session: u64,
    /// The machine's identity then (zero: not asked).
    pub machine: [u8; 16],
}

impl GuardMark {
    /// Returns the mark of a state.
    pub fn of(state: &State, machine: [u8; 16]) -> GuardMark {
        GuardMark {
            store_id: state.store_id,
            identity: state.identity(),
            generation: state.generation,
            next: state.next,
            end: state.end,
            tag: state.commit_tag,
            previous_tag: state.previous_tag,
            session: state.session,
            machine,
        }
    }
}

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

impl Refusal {
    /// Returns a refusal for which the account alone is known.
    pub fn of_status(reason: Reason, status: &Status) -> Refusal {
        let (found, next_found) = (status.generation, status.next);
        Refusal { reason, found, expected: found, next_found, next_expected: next_found }
    }
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

/// The judgement on a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Log and guard agree.
    Fits,
    /// The log is one commit ahead: a crash between log and guard. That commit never returned; its
    /// indices are lost.
    LogAhead,
    /// The newest commit is damaged in the log and known to the guard: go on behind the guard's
    /// next index.
    Repair,
    /// No.
    Refuse(Refusal),
}

/// Judges a log against its guard. `damaged`: bytes that are no record lie behind the last record.
pub fn judge(log: &State, guard: &GuardMark, damaged: bool) -> Verdict {
    let refuse = |reason| Verdict::Refuse(refusal(reason, log, guard));
    if guard.store_id != log.store_id {
        return refuse(Reason::ForeignGuard);
    }
    if log.identity().contradicts(&guard.identity.public) {
        return refuse(Reason::OtherKey);
    }
    if log.generation == guard.generation {
        let same = log.commit_tag == guard.tag;
        return if same { Verdict::Fits } else { refuse(Reason::OtherHistory) };
    }
    if log.generation > guard.generation {
        return judge_ahead(log, guard).unwrap_or_else(refuse);
    }
    let one_behind = guard.generation.checked_sub(1) == Some(log.generation)
        && log.commit_tag == guard.previous_tag;
    if one_behind && damaged { Verdict::Repair } else { refuse(Reason::OldCopy) }
}

fn judge_ahead(log: &State, guard: &GuardMark) -> Result<Verdict, Reason> {
    if log.previous_generation != guard.generation {
        return Err(Reason::OldGuard);
    }
    if log.previous_tag != guard.tag {
        return Err(Reason::OtherHistory);
    }
    Ok(Verdict::LogAhead)
}

/// Judges a log against its witness: they agree, or the log is one commit ahead.
pub fn judge_witness(log: &State, mark: &Mark) -> Result<(), Refusal> {
    let same = mark.generation == log.generation && mark.tag == log.commit_tag;
    let ahead = mark.generation == log.previous_generation && mark.tag == log.previous_tag;
    if same || (ahead && log.generation > mark.generation) {
        return Ok(());
    }
    Err(Refusal {
        reason: Reason::Witness,
        found: log.generation,
        expected: mark.generation,
        next_found: log.next,
        next_expected: log.next,
    })
}

/// Returns a refusal with the numbers of both sides.
pub fn refusal(reason: Reason, log: &State, guard: &GuardMark) -> Refusal {
    Refusal {
        reason,
        found: log.generation,
        expected: guard.generation,
        next_found: log.next,
        next_expected: guard.next,
    }
}
