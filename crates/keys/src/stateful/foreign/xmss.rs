//! Private keys of XMSS and XMSS^MT of wolfSSL: the next index, SK_SEED, SK_PRF, root and SEED.
//! Unless wolfSSL was built for small memory, nodes follow that speed up signing. They are not
//! read, because they follow from the seeds.
//!
//! The file does not name the set; the public key does. Root and SEED are in both.

use hasten_hbs::Set;

use super::{Found, joined};
use crate::{
    encoding::PublicKey,
    error::ForeignError::{self, OtherPublic, Unknown},
};

/// Size in bytes of the algorithm number at the start of a public key.
const NUMBER: usize = 4;

/// Parses the private key of a public key.
pub(super) fn read(private: &[u8], public: &PublicKey) -> Result<Found, ForeignError> {
    let set = Set::named(&public.row.name).map_err(|_| OtherPublic)?;
    let (index, rest) = private.split_at_checked(set.index_bytes()).ok_or(Unknown)?;
    let (secret, rest) = rest.split_at_checked(2 * set.n).ok_or(Unknown)?;
    let (published, _) = rest.split_at_checked(2 * set.n).ok_or(Unknown)?;
    if public.raw.get(NUMBER..) != Some(published) {
        return Err(OtherPublic);
    }
    let next = index.iter().fold(0, |next, byte| next << 8 | u64::from(*byte));
    Ok(Found { set, seed: joined(&[secret, &published[set.n..]]), next })
}
