//! Sizes of stateful keys and signatures as they are published.

use hasten_hbs::params::{Scheme, Set};

/// The number of signed public keys in front of a signature of one level.
pub(crate) const NO_SIGNED_KEYS: [u8; 4] = [0; 4];

/// Returns the bytes of a public key and of a signature of `set` as they are published.
pub fn published_sizes(set: &Set) -> (usize, usize) {
    let front = if matches!(set.scheme, Scheme::Lms { .. }) { NO_SIGNED_KEYS.len() } else { 0 };
    (front + set.public_key_bytes(), front + set.signature_bytes())
}
