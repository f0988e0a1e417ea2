//! The decision whether a state may be used: pure functions of the content of log, guard and
//! witness. The model of the protocol uses them too.

use crate::error::{Reason, Refusal};
use crate::identity::Identity;
use crate::log::Found;
use crate::record::Tag;
use crate::state::State;
use crate::witness::Mark;

/// Content of a guard: the newest commit that it has seen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GuardMark {
    /// Id of the store that it guards.
    pub store_id: [u8; 16],
    /// Identity of the key; all zero in a mark of version 1.
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
    /// Identity of the machine at that commit; all zero if none was given.
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

/// Result of comparing a log with its guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Log and guard agree.
    Fits,
    /// The log is one commit ahead, because of a crash between the writes of log and guard. That
    /// commit never returned; its indices are lost.
    LogAhead,
    /// The newest commit is damaged in the log, but the guard knows it. The key continues at the
    /// guard's next index.
    Repair,
    /// The state must not be used.
    Refuse(Refusal),
}

/// Compares a log with its guard. `damaged` is true if invalid bytes follow the last record.
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

/// Compares the content of a log with its guard. If a log file is damaged, a log that ends too
/// early is reported as damaged and not as an old copy.
pub(crate) fn judge_found(found: &Found, guard: &GuardMark) -> Verdict {
    match judge(&found.state, guard, found.damaged) {
        Verdict::Refuse(refusal)
            if refusal.reason == Reason::OldCopy && (found.damaged || found.unreadable) =>
        {
            Verdict::Refuse(Refusal { reason: Reason::DamagedLog, ..refusal })
        }
        verdict => verdict,
    }
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

/// Compares a log with its witness. They must agree, or the log must be one commit ahead.
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

/// Returns a refusal with the numbers of log and guard.
pub fn refusal(reason: Reason, log: &State, guard: &GuardMark) -> Refusal {
    Refusal {
        reason,
        found: log.generation,
        expected: guard.generation,
        next_found: log.next,
        next_expected: guard.next,
    }
}

/// Returns a refusal for which only the log's numbers are known.
pub(crate) fn no_guard(reason: Reason, state: &State) -> Refusal {
    let guard = GuardMark { next: state.next, ..GuardMark::of(state, [0; 16]) };
    refusal(reason, state, &guard)
}
