//! Conversion of errors to exceptions. The classes, with their hints, are in `hasten/_errors.py`.

use hasten_pq::Error;
use hasten_pq::store::StoreError;
use pyo3::prelude::*;

/// Returns an instance of the package's exception `class` with the message `sentence`.
pub fn raise(py: Python<'_>, class: &str, sentence: &str) -> PyErr {
    let made = || py.import("hasten._errors")?.getattr(class)?.call1((sentence,));
    made().map_or_else(|error| error, PyErr::from_value)
}

/// Returns the name of the exception class for an error.
pub fn class_of(error: &Error) -> &'static str {
    match error {
        Error::BadSignature => "BadSignature",
        Error::State(state) | Error::ShardPlace(state) => class_of_state(state),
        Error::Passphrase => "PassphraseError",
        Error::Io(_) | Error::Randomness => "StorageError",
        Error::NotBuiltIn => "NotBuiltIn",
        Error::UnknownAlgorithm
        | Error::OtherPurpose(_)
        | Error::EarlierRound
        | Error::Ambiguous
        | Error::WrongAlgorithm
        | Error::TooLong
        | Error::Scheme(_)
        | Error::OfFleet
        | Error::OfSessions => "AlgorithmError",
        _ => "NotAKey",
    }
}

fn class_of_state(state: &StoreError) -> &'static str {
    match state {
        StoreError::Refused(_) | StoreError::WitnessMoved | StoreError::EpochChanged => "Refused",
        StoreError::Busy { .. } | StoreError::OtherSession { .. } => "Busy",
        StoreError::Exhausted { .. } | StoreError::Retired => "Exhausted",
        StoreError::NearExhaustion { .. } => "NearExhaustion",
        StoreError::Forked { .. } => "Forked",
        StoreError::Closed => "Closed",
        StoreError::Io { .. } => "StorageError",
        StoreError::NotAStore => "NotAKey",
        _ => "StateError",
    }
}
