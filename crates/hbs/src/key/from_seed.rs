//! The trees of a key, derived from its seed, for every stateful scheme.

use crate::Error;
use crate::one_time::Trees;
use crate::params::{LMS_ID_BYTES, Scheme, Set};
use crate::{hss, lms, xmss};
use hasten_kernels::Kernels;

/// Returns the secret trees of `seed`, and the public part of `seed`.
pub(crate) fn trees<'k, 's>(
    set: &'static Set,
    seed: &'s [u8],
    kernels: Kernels<'k>,
) -> Result<(Trees<'k>, &'s [u8]), Error> {
    if seed.len() != set.seed_bytes() {
        return Err(Error::BadSeed);
    }
    match set.scheme {
        Scheme::Xmss | Scheme::XmssMt => Ok((xmss::trees(set, seed, kernels), &seed[2 * set.n..])),
        Scheme::Lms { .. } => Ok((lms::trees(set, seed, kernels), &seed[..LMS_ID_BYTES])),
        Scheme::Hss { .. } => Ok((hss::trees(set, seed, kernels), &seed[..LMS_ID_BYTES])),
        Scheme::SlhDsa { .. } => Err(Error::UnknownSet),
    }
}
