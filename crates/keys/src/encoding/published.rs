//! Sizes of stateful keys and signatures in their published encoding.

use hasten_hbs::params::{Scheme, Set};

/// The number of signed public keys that precedes a signature of HSS with one level.
pub(crate) const NO_SIGNED_KEYS: [u8; 4] = [0; 4];

/// Returns the sizes in bytes of a published public key and a published signature of `set`.
pub fn published_sizes(set: &Set) -> (usize, usize) {
    let front = if matches!(set.scheme, Scheme::Lms { .. }) { NO_SIGNED_KEYS.len() } else { 0 };
    (front + set.public_key_bytes(), front + set.signature_bytes())
}
