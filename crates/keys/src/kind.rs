//! The four things that one does with an algorithm.

/// Says what one does with the algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Signature without state.
    Signature,
    /// Signature whose private key changes with each use, or counts them.
    StatefulSignature,
    /// Key encapsulation.
    Kem,
    /// Key agreement, alone or with a KEM, as a TLS group.
    Agreement,
}
