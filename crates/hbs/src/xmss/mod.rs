//! XMSS: RFC 8391 and SP 800-208.
//!
//! The hashes and the trees of the scheme. Keys, signers and verifiers are written once for every
//! scheme, in `key`, `signer` and `verifier`.

pub(crate) mod address;
mod hashes;
#[cfg(feature = "sign")]
mod secret_tree;
mod tree;

use crate::counted::Arc;
use crate::one_time::OneTime;
#[cfg(feature = "sign")]
use crate::one_time::Trees;
use crate::params::Set;
#[cfg(feature = "sign")]
use crate::secret::Secret;
use crate::tree::Place;
use hasten_kernels::Kernels;

/// Returns the public side of the tree of `set` at `place`.
pub(crate) fn tree<'k>(
    set: &'static Set,
    pub_seed: &[u8],
    place: Place,
    kernels: Kernels<'k>,
) -> Arc<dyn OneTime<'k> + 'k> {
    tree::public(set, place, kernels, pub_seed)
}

/// Returns the trees of `set`, derived from SK_SEED ‖ SK_PRF ‖ PUB_SEED.
#[cfg(feature = "sign")]
pub(crate) fn trees<'k>(set: &'static Set, seed: &[u8], kernels: Kernels<'k>) -> Trees<'k> {
    let seed = Secret::copy(seed);
    Arc::new(move |layer, tree| {
        let (sk_seed, rest) = seed.split_at(set.n);
        let (sk_prf, pub_seed) = rest.split_at(set.n);
        let seeds = secret_tree::Seeds { sk_seed, sk_prf, pub_seed };
        secret_tree::private(set, Place { layer, tree }, kernels, seeds)
    })
}
