//! The levels of a verifier, their names, and the memory that each takes.

use crate::params::Set;

/// The data that a verifier prepares before the message. Each level includes the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VerifierLevel {
    /// Nothing.
    None,
    /// The keys and masks for the index that is expected next.
    Masks,
    /// The nodes that earlier signatures have authenticated.
    NodeCache,
    /// The one-time public key and its path, announced and authenticated before the message.
    OtsKey,
}

impl VerifierLevel {
    /// All levels, lowest first.
    pub const ALL: [Self; 4] = [Self::None, Self::Masks, Self::NodeCache, Self::OtsKey];

    /// Returns the level's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Masks => "masks",
            Self::NodeCache => "node-cache",
            Self::OtsKey => "ots-key",
        }
    }

    /// Returns the level with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }

    /// Returns the number of bytes that this level adds: for the expected index (masks), for the
    /// key (node cache), for each pending announcement (one-time key). All of these are public.
    pub const fn adds(self, set: &Set) -> usize {
        let nodes = set.len() - 1 + set.tree_height() as usize;
        match self {
            Self::None => 0,
            Self::Masks => set.chain_row_bytes() + nodes * set.node_row_bytes(),
            Self::NodeCache => 2 * set.path_bytes(),
            Self::OtsKey => set.above_bytes() + set.ots_bytes(),
        }
    }
}
