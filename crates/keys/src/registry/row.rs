//! The shape of one registry row, and the small builder its tables are written with.

use der::oid::ObjectIdentifier;

use crate::Error;
pub use crate::kind::Kind;

/// Says what an algorithm is, independent of its size.
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
    /// A key-exchange group of two parts.
    Hybrid,
}

/// Whose name an alias is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Naming {
    /// A shorter form of the standard's name.
    Short,
    /// The standard's name without characters that a file name cannot hold.
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

/// Who gave a number its meaning, and when.
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

/// Sizes in bytes; 0 where the algorithm has no such thing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Raw public key.
    pub public: usize,
    /// Raw private key (the expanded form where there is a shorter seed).
    pub secret: usize,
    /// Seed that stands for the private key, where the standard has one.
    pub seed: usize,
    /// Signature (the largest where it varies) or ciphertext.
    pub output: usize,
    /// Shared secret.
    pub shared: usize,
}

/// One algorithm or parameter set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The standard's own name.
    pub name: String,
    /// Holds what it is.
    pub family: Family,
    /// Holds what one does with it.
    pub kind: Kind,
    /// Other names, and whose.
    pub aliases: Vec<(Naming, String)>,
    /// Object identifiers of its keys (and of its signatures, where they are the same), newest
    /// first.
    pub oids: Vec<(Era, ObjectIdentifier)>,
    /// TLS 1.3 group or signature scheme numbers, newest first.
    pub tls: Vec<(Era, u16)>,
    /// Sizes in bytes.
    pub sizes: Sizes,
    /// Signatures are shorter than `sizes.output` at times.
    pub variable: bool,
    /// For an algorithm of the competition: the name of what has its place today, which is never
    /// the same.
    pub successor: Option<String>,
}

impl Row {
    /// Returns a row with a name only; the tables add the rest.
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

    /// Returns the object identifier to write; `None` for what has none of its own (curves,
    /// hybrids).
    pub fn oid_now(&self) -> Option<ObjectIdentifier> {
        self.oids.first().map(|&(_, oid)| oid)
    }

    /// Returns the number under which `naming` knows this row.
    pub fn alias_of(&self, naming: Naming) -> Option<&str> {
        self.aliases.iter().find(|(n, _)| *n == naming).map(|(_, name)| name.as_str())
    }

    /// Returns why keys of this row cannot do what those of `wanted` kinds do.
    pub(crate) fn cannot(&self, wanted: &[Kind]) -> Error {
        if wanted.contains(&self.kind) { Error::NotBuiltIn } else { Error::OtherPurpose(self.kind) }
    }
}
