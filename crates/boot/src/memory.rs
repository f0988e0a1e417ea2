//! How much of the caller's buffer a verification takes, at most. `tests/boot.c` holds these
//! bounds against what is touched, for every set, where words have 64 bits; others take less.

use hasten_hbs::Set;
use hasten_hbs::params::Scheme;

/// Bytes whatever the set: keys, states of hash functions, and the words in front of blocks.
const FIXED: usize = 2048;
/// Bytes for each chain beside its value: its span.
const CHAIN: usize = 48;
/// The same for XMSS, with its keys and masks beside eight values: RFC 8391 takes three hashes to
/// join two nodes.
const CHAIN_OF_XMSS: usize = 160;
/// The same for SLH-DSA.
const CHAIN_OF_SLH_DSA: usize = 56;
/// Bytes for each FORS tree beside its node.
const FORS_TREE: usize = 208;

/// Returns the bytes for a signature of `set`.
pub fn of_set(set: &Set) -> usize {
    let chains = |beside: usize, values: usize| set.len() * (beside + values * set.n);
    FIXED
        + match set.scheme {
            Scheme::Xmss | Scheme::XmssMt => chains(CHAIN_OF_XMSS, 8),
            Scheme::SlhDsa { k, .. } => {
                chains(CHAIN_OF_SLH_DSA, 1) + k as usize * (FORS_TREE + set.n)
            }
            _ => chains(CHAIN, 1),
        }
}
