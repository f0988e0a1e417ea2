//! A registry row, and the builder that the tables use.

use der::oid::ObjectIdentifier;

use crate::Error;
pub use crate::kind::Kind;

/// The algorithm family, regardless of parameter sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Family {
    /// RFC 8032.
    Ed25519,
    /// FIPS 186-5.
    Ecdsa,
    /// RFC 8017.
    Rsa,
    /// Elliptic-curve Diffie-Hellman on a NIST curve, or X25519 (RFC 7748).
    Ecdh,
    /// Diffie-Hellman modulo a prime (RFC 7919).
    FiniteField,
    /// FIPS 203.
    MlKem,
    /// FIPS 204.
    MlDsa,
    /// FIPS 205.
    SlhDsa,
    /// Falcon, round 3 of the NIST competition.
    Falcon,
    /// RFC 8554, one tree.
    Lms,
    /// RFC 8554, one or more levels of trees.
    Hss,
    /// RFC 8391, one tree.
    Xmss,
    /// RFC 8391, several layers.
    XmssMt,
    /// Kyber, round 3: not ML-KEM.
    Kyber,
    /// Dilithium, round 3: not ML-DSA.
    Dilithium,
    /// SPHINCS+, rounds 3 and 3.1: not SLH-DSA.
    SphincsPlus,
    /// A key-exchange group that combines two algorithms.
    Hybrid,
}

/// The origin of an alias.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Naming {
    /// A shorter form of the standard's name.
    Short,
    /// The standard's name without characters that are not allowed in file names.
    FileSafe,
    /// liboqs and oqs-provider.
    Liboqs,
    /// wolfSSL.
    WolfSsl,
    /// OpenSSL.
    OpenSsl,
    /// The submission to the NIST competition.
    Submission,
}

/// The origin and date of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Era {
    /// A published standard or its IANA registration.
    Standard,
    /// An Internet-Draft or a FIPS draft.
    Draft,
    /// Open Quantum Safe up to 2022: round-3 submissions.
    OqsRound3,
    /// Open Quantum Safe, 2023: round 3.1 outputs under new numbers.
    OqsRound31,
    /// Open Quantum Safe, 2024 and later.
    OqsLater,
    /// One product's own number.
    Vendor,
    /// A private-use number of Hasten's own.
    Private,
}

/// Sizes in bytes; 0 if the algorithm has no such item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Raw public key.
    pub public: usize,
    /// Raw private key; if a shorter seed exists, this is the expanded form.
    pub secret: usize,
    /// Seed that replaces the private key, if the standard defines one.
    pub seed: usize,
    /// Signature or ciphertext; the maximum if the size varies.
    pub output: usize,
    /// Shared secret.
    pub shared: usize,
}

/// One algorithm or parameter set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The name in the standard.
    pub name: String,
    /// The algorithm family.
    pub family: Family,
    /// What the algorithm is used for.
    pub kind: Kind,
    /// Other names and their origin.
    pub aliases: Vec<(Naming, String)>,
    /// Object identifiers of its keys (and of its signatures, if they are the same), newest first.
    pub oids: Vec<(Era, ObjectIdentifier)>,
    /// TLS 1.3 group or signature scheme numbers, newest first.
    pub tls: Vec<(Era, u16)>,
    /// Sizes in bytes.
    pub sizes: Sizes,
    /// True if signatures may be shorter than `sizes.output`.
    pub variable: bool,
    /// For an algorithm of the competition: the name of the standard algorithm that replaced it.
    /// The two are never the same.
    pub successor: Option<String>,
}

impl Row {
    /// Creates a row with only a name, family and kind; the tables add the rest.
    pub(super) fn new(name: impl Into<String>, family: Family, kind: Kind) -> Self {
        Self {
            name: name.into(),
            family,
            kind,
            aliases: Vec::new(),
            oids: Vec::new(),
            tls: Vec::new(),
            sizes: Sizes::default(),
            variable: false,
            successor: None,
        }
    }

    pub(super) fn alias(mut self, naming: Naming, name: impl Into<String>) -> Self {
        self.aliases.push((naming, name.into()));
        self
    }

    pub(super) fn oid(mut self, era: Era, oid: &str) -> Self {
        self.oids.push((era, ObjectIdentifier::new_unwrap(oid)));
        self
    }

    pub(super) fn tls(mut self, era: Era, number: u16) -> Self {
        self.tls.push((era, number));
        self
    }

    pub(super) fn signs(mut self, public: usize, secret: usize, output: usize) -> Self {
        self.sizes = Sizes { public, secret, output, ..self.sizes };
        self
    }

    pub(super) fn agrees(mut self, public: usize, secret: usize, shared: usize) -> Self {
        self.sizes = Sizes { public, secret, shared, ..self.sizes };
        self
    }

    pub(super) fn encapsulates(mut self, public: usize, secret: usize, output: usize) -> Self {
        self.sizes = Sizes { public, secret, output, shared: 32, ..self.sizes };
        self
    }

    pub(super) fn seed(mut self, seed: usize) -> Self {
        self.sizes.seed = seed;
        self
    }

    pub(super) fn followed_by(mut self, name: impl Into<String>) -> Self {
        self.successor = Some(name.into());
        self
    }

    pub(super) fn variable(mut self) -> Self {
        self.variable = true;
        self
    }

    /// Returns the current object identifier; `None` if the algorithm has none of its own (curves,
    /// hybrids).
    pub fn oid_now(&self) -> Option<ObjectIdentifier> {
        self.oids.first().map(|&(_, oid)| oid)
    }

    /// Returns the alias of this row from the given origin.
    pub fn alias_of(&self, naming: Naming) -> Option<&str> {
        self.aliases.iter().find(|(n, _)| *n == naming).map(|(_, name)| name.as_str())
    }

    /// Returns the error for an operation that needs a key of one of the `wanted` kinds.
    pub(crate) fn cannot(&self, wanted: &[Kind]) -> Error {
        if wanted.contains(&self.kind) { Error::NotBuiltIn } else { Error::OtherPurpose(self.kind) }
    }
}
