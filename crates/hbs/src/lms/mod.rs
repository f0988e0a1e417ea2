//! LMS: RFC 8554, SP 800-208 and RFC 9858.
//!
//! [`generate`] makes a [`Signer`] from a seed, [`KeyGeneration`] does so with progress, [`load`]
//! makes one from its cache. The rest is the same for every scheme: [`Signer`],
//! [`Prepared`](crate::Prepared), [`Verifier`](crate::Verifier). LMS has no keys and masks, so the
//! ladder's level `masks` is the level `secrets`.

#[cfg(feature = "sign")]
mod secret_tree;
mod tree;

#[cfg(feature = "sign")]
pub use crate::key::generation::{KeyGeneration, generate, load, load_sectors};

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

#[cfg(doc)]
use crate::Signer;
