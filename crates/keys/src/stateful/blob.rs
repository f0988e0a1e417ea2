//! Files with a magic word in front and a SHA-256 behind it, so that damage is noticed.

use sha2::{Digest, Sha256};

use crate::Error;

/// Names of the files in a key's directory.
pub(super) const SECRET: &str = "secret";
pub(super) const PROGRESS: &str = "progress";
pub(super) const CACHE: &str = "cache";
pub(super) const LEAVES: &str = "leaves";
pub(super) const GROWTH: &str = "growth";
pub(super) const FLEET: &str = "fleet";
pub(super) const PUBLIC: &str = "public.pem";

pub(super) const DIGEST: usize = 32;

/// `magic`, SHA-256 of `magic`, `context` and `body`, then `body`.
pub(super) fn wrap(magic: &[u8; 8], context: &[u8], body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(magic.len() + DIGEST + body.len());
    out.extend(magic);
    out.extend(digest(magic, context, body));
    out.extend(body);
    out
}

/// The body of a wrapped file.
///
/// # Errors
/// `Damaged` when the magic word or the digest do not fit.
pub(super) fn unwrap<'b>(
    magic: &[u8; 8],
    context: &[u8],
    file: &'b [u8],
) -> Result<&'b [u8], Error> {
    let rest = file.strip_prefix(magic).ok_or(Error::Damaged)?;
    let (sum, body) = rest.split_at_checked(DIGEST).ok_or(Error::Damaged)?;
    let same = digest(magic, context, body) == sum;
    if same { Ok(body) } else { Err(Error::Damaged) }
}

fn digest(magic: &[u8], context: &[u8], body: &[u8]) -> [u8; DIGEST] {
    let hash = Sha256::new().chain_update(magic).chain_update(context);
    hash.chain_update(body).finalize().into()
}
