//! Files with a magic word in front and a SHA-256 behind it, so that damage is noticed.

use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::Kept;
use crate::Error;

/// Names of the files in a key's directory.
pub(super) const SECRET: &str = "secret";
pub(super) const PROGRESS: &str = "progress";
pub(super) const CACHE: &str = "cache";
pub(super) const LEAVES: &str = "leaves";
pub(super) const GROWTH: &str = "growth";
pub(super) const FLEET: &str = "fleet";
pub(super) const PUBLIC: &str = "public.pem";

const DIGEST: usize = 32;

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

/// Files that cannot be checked when they are read: a tree in one that was changed would be signed by
/// the tree above it. Their digest takes in a secret made from the seeds.
pub(super) struct Bound {
    magic: &'static [u8; 8],
    secret: Zeroizing<Vec<u8>>,
}

impl Bound {
    pub fn new(magic: &'static [u8; 8], kept: &Kept) -> Self {
        let mut secret = Sha256::new_with_prefix(magic);
        for (sector, seed) in &kept.seeds {
            secret.update(sector.to_be_bytes());
            secret.update(&**seed);
        }
        Self { magic, secret: Zeroizing::new(secret.finalize().to_vec()) }
    }

    pub fn wrap(&self, body: &[u8]) -> Vec<u8> {
        wrap(self.magic, &self.context(body), body)
    }

    /// The body of a file; nothing of one that does not fit.
    pub fn unwrap<'b>(&self, file: &'b [u8]) -> &'b [u8] {
        let body = file.get(self.magic.len() + DIGEST..).unwrap_or_default();
        unwrap(self.magic, &self.context(body), file).unwrap_or_default()
    }

    /// The secret, and the body's digest: behind that nothing can be added to a file.
    fn context(&self, body: &[u8]) -> Zeroizing<Vec<u8>> {
        Zeroizing::new([&self.secret, &Sha256::digest(body)[..]].concat())
    }
}

fn digest(magic: &[u8], context: &[u8], body: &[u8]) -> [u8; DIGEST] {
    let hash = Sha256::new().chain_update(magic).chain_update(context);
    hash.chain_update(body).finalize().into()
}
