//! The rule for the status of everything that verifies. Status 1 is said of a signature that was
//! looked at by a key that it fits, and is not good; or of an index that was used twice. Whatever
//! keeps a signature from being looked at is status 2, with its name.

use std::process::ExitCode;

use hasten_keys::Error as KeyError;
use hasten_keys::dual::DualError;

use crate::error::USAGE;

/// The answer of a verification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The signature is good.
    Good,
    /// No signature was looked at.
    #[default]
    Unanswered,
    /// The signature was looked at and is not good, or its index was used twice.
    Bad,
}

impl Verdict {
    /// Returns the verdict that the end of a verification stands for.
    pub fn of(done: Result<(), &KeyError>) -> Self {
        match done {
            Ok(()) => Self::Good,
            Err(error) if is_answer(error) => Self::Bad,
            Err(_) => Self::Unanswered,
        }
    }

    /// Returns the verdict on several signatures: the worst of theirs. On none there is no answer.
    pub fn of_all(each: impl IntoIterator<Item = Self>) -> Self {
        each.into_iter().max().unwrap_or(Self::Unanswered)
    }

    /// Returns the status with which a command that verifies ends.
    pub fn status(self) -> ExitCode {
        match self {
            Self::Good => ExitCode::SUCCESS,
            Self::Bad => ExitCode::FAILURE,
            Self::Unanswered => ExitCode::from(USAGE),
        }
    }
}

/// Returns true if an error says of a signature that it is not good.
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
