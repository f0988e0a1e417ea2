//! LMS: RFC 8554, SP 800-208 and RFC 9858.
//!
//! Holds the hashes and the trees of the scheme. LMS has no keys and masks, so the level `masks`
//! of the preparation ladder is the level `secrets`.

#[cfg(feature = "sign")]
mod secret_tree;
mod tree;

#[cfg(feature = "sign")]
use crate::key::layered_key::Trees;
use crate::one_time::OneTime;
use crate::params::Set;
#[cfg(feature = "sign")]
use crate::secret::Secret;
use alloc::sync::Arc;
use hasten_kernels::Kernels;

/// Bytes of I, the identifier of a tree.
pub(crate) const ID: usize = 16;

/// The tree of `set` with identifier `id`.
pub(crate) fn tree<'k>(
    set: &'static Set,
    id: &[u8],
    kernels: Kernels<'k>,
) -> Arc<dyn OneTime<'k> + 'k> {
    tree::public(set, id, kernels)
}

/// The one tree of `set` from I ‖ SEED.
#[cfg(feature = "sign")]
pub(crate) fn trees<'k>(set: &'static Set, seed: &[u8], kernels: Kernels<'k>) -> Trees<'k> {
    let seed = Secret::copy(seed);
    Arc::new(move |_, _| private(set, &seed, kernels))
}

#[cfg(feature = "sign")]
pub(crate) use secret_tree::private;
