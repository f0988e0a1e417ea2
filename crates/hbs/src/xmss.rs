//! XMSS: RFC 8391 and SP 800-208.
//!
//! [`KeyGeneration`] makes a [`Signer`] from a seed, [`load`] makes one from its cache. The rest
//! is the same for every scheme: [`Signer`], [`Prepared`](crate::Prepared),
//! [`Verifier`](crate::Verifier).

mod hashes;
#[cfg(feature = "sign")]
mod keys;
#[cfg(feature = "sign")]
mod secret_tree;
mod tree;

#[cfg(feature = "sign")]
pub use keys::{KeyGeneration, generate, load};

use crate::address::Place;
use crate::onetime::OneTime;
use crate::public_key::PublicKey;
use alloc::sync::Arc;
use hasten_kernels::Kernels;

/// The tree of a public key.
pub(crate) fn tree<'k>(key: &PublicKey, kernels: Kernels<'k>) -> Arc<dyn OneTime<'k> + 'k> {
    tree::public(key.set(), Place::default(), kernels, key.seed())
}

#[cfg(doc)]
use crate::Signer;
