//! Exit statuses of all commands that verify. Status 1 means that a signature fits its key and is
//! bad, or that an index was used twice. Anything that prevents the verification of a signature is
//! status 2, and the error names it.

use std::process::ExitCode;

use hasten_keys::Error as KeyError;
use hasten_keys::dual::DualError;

use crate::error::USAGE;

/// Result of a verification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The signature is good.
    Good,
    /// No signature could be verified.
    #[default]
    Unanswered,
    /// The signature is bad, or its index was used twice.
    Bad,
}

impl Verdict {
    /// Returns the verdict for the result of a verification.
    pub fn of(done: Result<(), &KeyError>) -> Self {
        match done {
            Ok(()) => Self::Good,
            Err(error) if is_answer(error) => Self::Bad,
            Err(_) => Self::Unanswered,
        }
    }

    /// Returns the verdict on several signatures: the worst of theirs. Without any, it is
    /// `Unanswered`.
    pub fn of_all(each: impl IntoIterator<Item = Self>) -> Self {
        each.into_iter().max().unwrap_or(Self::Unanswered)
    }

    /// Returns the exit status of a command that verifies.
    pub fn status(self) -> ExitCode {
        match self {
            Self::Good => ExitCode::SUCCESS,
            Self::Bad => ExitCode::FAILURE,
            Self::Unanswered => ExitCode::from(USAGE),
        }
    }
}

/// Returns true if an error means that a signature is bad.
fn is_answer(error: &KeyError) -> bool {
    match error {
        KeyError::BadSignature | KeyError::NotThisSigner | KeyError::Reused { .. } => true,
        KeyError::Path(why) => why.is_answer(),
        KeyError::Dual(why) => matches!(
            why,
            DualError::OtherKeys
                | DualError::Swapped
                | DualError::BadFirst
                | DualError::BadSecond
                | DualError::BadBoth
        ),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_verdict_is_that_of_all() {
        use Verdict::{Bad, Good, Unanswered};
        assert_eq!(Verdict::of_all([]), Unanswered);
        assert_eq!(Verdict::of_all([Good, Unanswered, Good]), Unanswered);
        assert_eq!(Verdict::of_all([Unanswered, Bad, Good]), Bad);
    }

    #[test]
    fn errors_that_are_no_answers() {
        for error in [KeyError::NotBuiltIn, KeyError::TooLong, KeyError::NotCms] {
            assert_eq!(Verdict::of(Err(&error)), Verdict::Unanswered, "{error}");
        }
        assert_eq!(Verdict::of(Err(&KeyError::BadSignature)), Verdict::Bad);
    }
}
