//! Errors of calls, and the `CK_RV` for each of them.

use cryptoki_sys::*;
use hasten_pq::Error;
use hasten_pq::store::StoreError;

/// The key is an old copy, or its guard or witness does not confirm its state. Nothing was signed.
pub const CKR_HASTEN_REFUSED: CK_RV = CKR_VENDOR_DEFINED | 0x4853_0001;
/// Another process has the key and did not release it in time. Nothing was signed.
pub const CKR_HASTEN_BUSY: CK_RV = CKR_VENDOR_DEFINED | 0x4853_0002;
/// An index was reserved, but no signature was returned. The index is lost.
pub const CKR_HASTEN_INDEX_LOST: CK_RV = CKR_VENDOR_DEFINED | 0x4853_0003;
/// The state of the key does not permit the operation for another reason, which is in the log.
pub const CKR_HASTEN_STATE: CK_RV = CKR_VENDOR_DEFINED | 0x4853_0004;

/// The reason why a call fails.
#[derive(Debug)]
pub enum Fault {
    /// An error code of the standard, without a log message.
    Rv(CK_RV),
    /// An error code and a message for the log.
    Told(CK_RV, String),
    /// An error of the key libraries before an index was reserved.
    Key(Error),
    /// An error after this index was reserved.
    Lost(u64, Error),
}

impl<E: Into<Error>> From<E> for Fault {
    fn from(error: E) -> Self {
        Self::Key(error.into())
    }
}

impl Fault {
    /// Returns the error code.
    pub fn rv(&self) -> CK_RV {
        match self {
            Self::Rv(rv) | Self::Told(rv, _) => *rv,
            Self::Key(error) => of(error),
            Self::Lost(..) => CKR_HASTEN_INDEX_LOST,
        }
    }

    /// Returns the message for the log; `None` if the error code is sufficient.
    pub fn sentence(&self) -> Option<String> {
        match self {
            Self::Rv(_) | Self::Key(Error::BadSignature) => None,
            Self::Told(_, text) => Some(text.clone()),
            Self::Key(error) => Some(error.to_string()),
            Self::Lost(index, error) => {
                Some(format!("no signature came out, and index {index} is lost: {error}"))
            }
        }
    }
}

fn of(error: &Error) -> CK_RV {
    match error {
        Error::BadSignature => CKR_SIGNATURE_INVALID,
        Error::State(state) | Error::ShardPlace(state) => of_state(state),
        Error::Passphrase => CKR_PIN_INCORRECT,
        Error::TooLong => CKR_DATA_LEN_RANGE,
        Error::NotBuiltIn | Error::OtherPurpose(_) | Error::WrongAlgorithm => {
            CKR_KEY_TYPE_INCONSISTENT
        }
        Error::Unfinished | Error::UnfinishedImport => CKR_KEY_FUNCTION_NOT_PERMITTED,
        Error::NoSecret | Error::OfFleet | Error::OfSessions => CKR_KEY_FUNCTION_NOT_PERMITTED,
        _ => CKR_DEVICE_ERROR,
    }
}

fn of_state(state: &StoreError) -> CK_RV {
    match state {
        StoreError::Refused(_)
        | StoreError::WitnessMoved
        | StoreError::EpochChanged
        | StoreError::NoWitness
        | StoreError::NotWatched
        | StoreError::MachineUnreadable
        | StoreError::NoMachine => CKR_HASTEN_REFUSED,
        StoreError::Busy { .. } | StoreError::OtherSession { .. } => CKR_HASTEN_BUSY,
        StoreError::Exhausted { .. } => CKR_KEY_EXHAUSTED,
        StoreError::Forked { .. } => CKR_CRYPTOKI_NOT_INITIALIZED,
        StoreError::Io { .. } => CKR_DEVICE_ERROR,
        StoreError::Exists => CKR_DEVICE_MEMORY,
        _ => CKR_HASTEN_STATE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_index_is_said() {
        let lost = Fault::Lost(7, Error::State(StoreError::Poisoned));
        assert_eq!(lost.rv(), CKR_HASTEN_INDEX_LOST);
        assert!(lost.sentence().unwrap().contains("index 7 is lost"));
    }

    #[test]
    fn answers_that_say_it_all_are_not_logged() {
        assert_eq!(Fault::Rv(CKR_ARGUMENTS_BAD).sentence(), None);
        assert_eq!(Fault::Key(Error::BadSignature).sentence(), None);
    }
}
