//! Files with a magic word, a SHA-256 and the identity of their key, so that damaged files and
//! files of another key are detected.
//!
//! Files of the old format have another magic word and no identity. They are accepted until the
//! store is bound to its public key, which is the last step of the upgrade
//! ([`upgrade`](super::upgrade)).

use hasten_store::Identity;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::Kept;
use crate::{Error, error::KeyFile};

/// Names of the files in a key's directory.
pub(super) const SECRET: &str = KeyFile::Secret.name();
pub(super) const PROGRESS: &str = KeyFile::Progress.name();
pub(super) const CACHE: &str = KeyFile::Cache.name();
pub(super) const LEAVES: &str = KeyFile::Leaves.name();
pub(super) const GROWTH: &str = KeyFile::Growth.name();
pub(super) const FLEET: &str = KeyFile::Fleet.name();
pub(super) const PUBLIC: &str = KeyFile::Public.name();

const DIGEST: usize = 32;
const KEY_ID: usize = 16;

/// A kind of file: its name in errors, its current magic word, and the magic word of the old
/// format.
pub(super) struct Form {
    pub file: KeyFile,
    pub magic: &'static [u8; 8],
    pub old: &'static [u8; 8],
}

/// The key that a file must belong to.
#[derive(Clone, Copy)]
pub(super) struct Owner {
    pub key_id: [u8; KEY_ID],
    /// True if the store is not bound yet, so that files of the old format are accepted.
    pub old_allowed: bool,
}

impl Owner {
    pub fn of(identity: &Identity) -> Self {
        Self { key_id: identity.key_id, old_allowed: !identity.is_bound() }
    }
}

/// Returns the magic word, the SHA-256 of everything else and of `context`, the `key_id`, and
/// `body`. Without a `key_id` the file has the old format.
pub(super) fn wrap(
    form: &Form,
    key_id: Option<&[u8; KEY_ID]>,
    context: &[u8],
    body: &[u8],
) -> Vec<u8> {
    let (magic, named) = key_id.map_or((form.old, &[][..]), |id| (form.magic, &id[..]));
    let mut out = Vec::with_capacity(magic.len() + DIGEST + KEY_ID + body.len());
    out.extend(magic);
    out.extend(digest(magic, named, context, body));
    out.extend(named);
    out.extend(body);
    out
}

/// The key that a file claims to belong to, and its body. The key is `None` in the old format.
type Said<'b> = (Option<[u8; KEY_ID]>, &'b [u8]);

/// Returns the body of a wrapped file, and the key that it claims to belong to.
///
/// # Errors
/// `DamagedFile` if the magic word or the digest does not match.
pub(super) fn read<'b>(form: &Form, context: &[u8], file: &'b [u8]) -> Result<Said<'b>, Error> {
    let damaged = || Error::DamagedFile(form.file);
    let magic = if file.starts_with(form.old) { form.old } else { form.magic };
    let rest = file.strip_prefix(magic).ok_or_else(damaged)?;
    let (sum, rest) = rest.split_at_checked(DIGEST).ok_or_else(damaged)?;
    let (key_id, body) = match magic == form.old {
        true => (None, rest),
        false => {
            rest.split_first_chunk().map(|(id, body)| (Some(*id), body)).ok_or_else(damaged)?
        }
    };
    let named = key_id.as_ref().map_or(&[][..], |id| &id[..]);
    if digest(magic, named, context, body) == sum { Ok((key_id, body)) } else { Err(damaged()) }
}

/// Returns the body of a file that belongs to `owner`.
///
/// # Errors
/// `DamagedFile`; `ForeignFile` if the file belongs to another key, or has the old format although
/// it is no longer accepted.
pub(super) fn unwrap<'b>(
    form: &Form,
    owner: &Owner,
    context: &[u8],
    file: &'b [u8],
) -> Result<&'b [u8], Error> {
    let (key_id, body) = read(form, context, file)?;
    let ours = key_id.map_or(owner.old_allowed, |id| id == owner.key_id);
    if ours { Ok(body) } else { Err(Error::ForeignFile(form.file)) }
}

/// Files that cannot be verified when they are read: if a tree in such a file were modified, the
/// tree above would sign it. Their digest therefore includes a secret derived from the seeds.
pub(super) struct Bound {
    form: &'static Form,
    owner: Owner,
    now: Zeroizing<Vec<u8>>,
    old: Zeroizing<Vec<u8>>,
}

impl Bound {
    pub fn new(form: &'static Form, kept: &Kept, owner: Owner) -> Self {
        let secret = |magic| Zeroizing::new(seeds_under(magic, kept).to_vec());
        Self { form, owner, now: secret(form.magic), old: secret(form.old) }
    }

    /// Returns the same value after the store was bound: files of the old format are now refused.
    pub fn of_bound(mut self) -> Self {
        self.owner.old_allowed = false;
        self
    }

    pub fn wrap(&self, body: &[u8]) -> Vec<u8> {
        wrap(self.form, Some(&self.owner.key_id), &context(&self.now, body), body)
    }

    /// Returns the body of a file; empty if the file does not match.
    pub fn unwrap<'b>(&self, file: &'b [u8]) -> &'b [u8] {
        let old = file.starts_with(self.form.old);
        let ahead = self.form.magic.len() + DIGEST + if old { 0 } else { KEY_ID };
        let body = file.get(ahead..).unwrap_or_default();
        let context = context(if old { &self.old } else { &self.now }, body);
        unwrap(self.form, &self.owner, &context, file).unwrap_or_default()
    }
}

fn seeds_under(magic: &[u8; 8], kept: &Kept) -> [u8; DIGEST] {
    let mut secret = Sha256::new_with_prefix(magic);
    for (sector, seed) in &kept.seeds {
        secret.update(sector.to_be_bytes());
        secret.update(&**seed);
    }
    secret.finalize().into()
}

/// Returns the secret and the digest of the body. Thus nothing can be appended to the body.
fn context(secret: &[u8], body: &[u8]) -> Zeroizing<Vec<u8>> {
    Zeroizing::new([secret, &Sha256::digest(body)[..]].concat())
}

fn digest(magic: &[u8], key_id: &[u8], context: &[u8], body: &[u8]) -> [u8; DIGEST] {
    let hash = Sha256::new().chain_update(magic).chain_update(key_id).chain_update(context);
    hash.chain_update(body).finalize().into()
}
