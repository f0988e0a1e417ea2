//! The four kinds of algorithms.

/// What an algorithm is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Signature without a state.
    Signature,
    /// Signature whose private key has a state: a one-time index or a count of signatures.
    StatefulSignature,
    /// Key encapsulation.
    Kem,
    /// Key agreement, alone or with a KEM, as a TLS group.
    Agreement,
}
