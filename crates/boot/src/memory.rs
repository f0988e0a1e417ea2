//! Upper bounds of the buffer that a verification needs. `tests/boot.c` checks for every set with
//! 64-bit words that no verification touches more. Other machines need less.

use hasten_hbs::Set;
use hasten_hbs::params::Scheme;

/// Bytes for any set: keys, states of hash functions, and the words in front of blocks.
const FIXED: usize = 2048;
/// Bytes for each chain in addition to its value: its span.
const CHAIN: usize = 48;
/// Bytes for each chain of XMSS in addition to eight values, with its keys and masks. RFC 8391
/// needs three hashes to join two nodes.
const CHAIN_OF_XMSS: usize = 160;
/// Bytes for each chain of SLH-DSA in addition to its value.
const CHAIN_OF_SLH_DSA: usize = 56;
/// Bytes for each FORS tree in addition to its node.
const FORS_TREE: usize = 208;

/// Returns the maximum number of bytes needed to verify a signature of `set`.
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
