//! XMSS: RFC 8391 and SP 800-208.
//!
//! [`KeyGeneration`] makes a [`Signer`] from a seed, [`load`] makes one from its cache. The rest
//! is the same for every scheme: [`Signer`], [`Prepared`](crate::Prepared),
//! [`Verifier`](crate::Verifier).

mod hashes;
#[cfg(feature = "sign")]
mod secret_tree;
mod tree;

#[cfg(feature = "sign")]
pub use crate::keys::{KeyGeneration, generate, load};

use crate::address::Place;
use crate::onetime::OneTime;
#[cfg(feature = "sign")]
use crate::onetime::Secrets;
#[cfg(feature = "sign")]
use crate::params::Set;
use crate::public_key::PublicKey;
use alloc::sync::Arc;
use hasten_kernels::Kernels;

/// The tree of a public key.
pub(crate) fn tree<'k>(key: &PublicKey, kernels: Kernels<'k>) -> Arc<dyn OneTime<'k> + 'k> {
    tree::public(key.set(), Place::default(), kernels, key.seed())
}

/// The tree of `set` from SK_SEED ‖ SK_PRF ‖ PUB_SEED.
#[cfg(feature = "sign")]
pub(crate) fn secrets<'k>(
    set: &'static Set,
    seed: &[u8],
    kernels: Kernels<'k>,
) -> Arc<dyn Secrets<'k> + 'k> {
    let (sk_seed, rest) = seed.split_at(set.n);
    let (sk_prf, pub_seed) = rest.split_at(set.n);
    let seeds = secret_tree::Seeds { sk_seed, sk_prf, pub_seed };
    secret_tree::private(set, Place::default(), kernels, seeds)
}

#[cfg(doc)]
use crate::Signer;
