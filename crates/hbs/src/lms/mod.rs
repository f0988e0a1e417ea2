//! LMS: RFC 8554, SP 800-208 and RFC 9858.
//!
//! The hashes and the trees of the scheme. The hashes of LMS have no keys and masks, so the level
//! `masks` of the preparation ladder equals the level `secrets`.

#[cfg(feature = "sign")]
mod secret_tree;
mod tree;

use crate::counted::Arc;
use crate::one_time::OneTime;
#[cfg(feature = "sign")]
use crate::one_time::Trees;
#[cfg(feature = "sign")]
use crate::params::Scheme;
use crate::params::Set;
#[cfg(feature = "sign")]
use crate::secret::Secret;
#[cfg(feature = "sign")]
use alloc::vec::Vec;
use hasten_kernels::Kernels;

/// Returns the tree of `set` with identifier `id`.
pub(crate) fn tree<'k>(
    set: &'static Set,
    id: &[u8],
    kernels: Kernels<'k>,
) -> Arc<dyn OneTime<'k> + 'k> {
    tree::public(set, id, kernels)
}

/// Returns the only tree of `set`, derived from I ‖ SEED.
#[cfg(feature = "sign")]
pub(crate) fn trees<'k>(set: &'static Set, seed: &[u8], kernels: Kernels<'k>) -> Trees<'k> {
    let seed = Secret::copy(seed);
    Arc::new(move |_, _| private(set, &seed, kernels))
}

/// Returns the public key of RFC 8554, section 5.3 (LMS Public Key):
/// u32str(type) ‖ u32str(otstype) ‖ I ‖ T\[1\].
#[cfg(feature = "sign")]
pub(crate) fn encoded_key(set: &Set, id: &[u8], root: &[u8]) -> Vec<u8> {
    let Scheme::Lms { ots } = set.scheme else { unreachable!("a tree of LMS") };
    [&set.number.get().to_be_bytes(), &ots.to_be_bytes()[..], id, root].concat()
}

#[cfg(feature = "sign")]
pub(crate) use secret_tree::private;
