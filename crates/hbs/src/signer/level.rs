//! The levels of a signer, their names, and the memory that each takes.

use crate::params::{Hash, Set};

/// The part of a signature that is prepared before the message. Each level includes the ones before
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SignerLevel {
    /// Nothing. The authentication path is computed while signing.
    None,
    /// The authentication path.
    EarlyAuth,
    /// The randomizer, the message hash up to the message, the secret elements of the chains.
    Secrets,
    /// The keys and masks of every chain step; they are public.
    Masks,
    /// Every value of every chain: signing only looks up values.
    ChainTable,
}

impl SignerLevel {
    /// All levels, lowest first.
    pub const ALL: [Self; 5] =
        [Self::None, Self::EarlyAuth, Self::Secrets, Self::Masks, Self::ChainTable];

    /// Returns the level's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::EarlyAuth => "early-auth",
            Self::Secrets => "secrets",
            Self::Masks => "masks",
            Self::ChainTable => "chain-table",
        }
    }

    /// Returns the level with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }

    /// Returns the number of bytes that this level adds to each prepared index.
    pub const fn adds(self, set: &Set) -> usize {
        match self {
            Self::None => 0,
            Self::EarlyAuth => set.above_bytes(),
            Self::Secrets => set.n + state_bytes(set) + set.ots_bytes(),
            Self::Masks => set.chain_row_bytes(),
            Self::ChainTable => set.ots_bytes() * set.w(),
        }
    }

    /// Returns the memory in bytes that an index prepared at this level takes. A chain table
    /// replaces the secret elements and the masks.
    pub const fn holds(self, set: &Set) -> usize {
        let path = Self::EarlyAuth.adds(set);
        let secrets = path + Self::Secrets.adds(set);
        match self {
            Self::None => 0,
            Self::EarlyAuth => path,
            Self::Secrets => secrets,
            Self::Masks => secrets + Self::Masks.adds(set),
            Self::ChainTable => secrets - set.ots_bytes() + Self::ChainTable.adds(set),
        }
    }
}

/// Returns the size in bytes of the hash state after the absorbed part of a message.
const fn state_bytes(set: &Set) -> usize {
    match set.hash {
        Hash::Sha256 => 32,
        Hash::Sha512 => 64,
        Hash::Shake128 | Hash::Shake256 => 200,
    }
}
