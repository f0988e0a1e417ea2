//! Faults at a call, and what a power cut loses.

/// What happens at the chosen call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The machine dies before the call has any effect.
    CrashBefore,
    /// The machine dies right after the call's effect.
    CrashAfter,
    /// The process is killed before the call. Its earlier writes stay visible.
    KillBefore,
    /// The process is killed after the call.
    KillAfter,
    /// `EIO`, no effect.
    Fails,
    /// `ENOSPC`, no effect. A call that needs no space fails with `EIO` instead.
    NoSpace,
    /// A write does half its work and reports this. Every other call succeeds.
    Short,
    /// A write does half its work, then fails. A sync fails, and the data it should have written is
    /// lost, though still shown.
    FailsHalfway,
}

impl Outcome {
    /// All outcomes.
    pub const ALL: [Outcome; 8] = [
        Outcome::CrashBefore,
        Outcome::CrashAfter,
        Outcome::KillBefore,
        Outcome::KillAfter,
        Outcome::Fails,
        Outcome::NoSpace,
        Outcome::Short,
        Outcome::FailsHalfway,
    ];

    /// Returns true if the machine dies.
    pub fn crashes(self) -> bool {
        matches!(self, Outcome::CrashBefore | Outcome::CrashAfter)
    }

    /// Returns true if the process is killed.
    pub fn kills(self) -> bool {
        matches!(self, Outcome::KillBefore | Outcome::KillAfter)
    }

    /// Returns true if the disk breaks its promise. The next opening may then rightly be refused.
    pub fn breaks_promise(self) -> bool {
        self == Outcome::FailsHalfway
    }
}

/// A fault: an outcome at the `at`-th call from now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Number of calls before the fault.
    pub at: u64,
    /// The outcome at that call.
    pub outcome: Outcome,
}

/// The fate of unsynced writes when the machine dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// All are lost.
    All,
    /// None is lost.
    Nothing,
    /// Each is lost, kept, torn or turned into garbage, independently and in any order.
    Random,
}

impl Loss {
    /// All losses.
    pub const ALL: [Loss; 3] = [Loss::All, Loss::Nothing, Loss::Random];
}

/// A deliberately broken machine or file system. The tests must detect it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mutation {
    /// Not broken.
    #[default]
    Honest,
    /// Syncs of the log do nothing.
    NoLogSync,
    /// Syncs of the guard do nothing.
    NoGuardSync,
    /// No sync of a file does anything, as with a store that returns before it syncs.
    NoSync,
    /// A sync happens some calls later, as with a store that syncs after it returns.
    LateSync,
    /// Syncs of directories do nothing.
    NoDirSync,
    /// Locks are always granted.
    NoLock,
    /// Locks are always granted, on a file system known to do so.
    WeakLock,
    /// Every process has the same id, so a fork is not noticed.
    SamePid,
}
