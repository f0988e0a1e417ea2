//! Keys that sign only the public keys of session trees: the identities of channels.
//!
//! A session tree is an LMS tree that exists in the memory of one process. The identity consists of
//! the levels above it: an LMS tree, or several levels of HSS. Its public key is an HSS key whose
//! number of levels includes the session level. Three parts together form one signature of RFC
//! 8554, section 6.2 (Signature Generation): the identity's signature of the session tree's public
//! key, that public key, and a signature by the session tree.
//!
//! An identity of XMSS or XMSS^MT has the public key of its set. It signs the [`statement`] of a
//! session tree's public key: that key after a prefix that is used for nothing else.
//!
//! Such a key never signs messages. If it signed arbitrary bytes, an attacker could obtain a
//! signature of the public key of their own tree.

use std::path::Path;

use hasten_hbs::{self as hbs, Set, SignerLevel, params::Scheme};
use hasten_kernels::Kernels;
use hasten_store::{Options, Status, StoreError};

use super::{
    Kept, Note, Purpose, Rebuilding, Rebuilt, Stateful,
    key::{go_on, unwatched},
};
use crate::{Error, encoding::PublicKey};

/// An open key that signs session trees, with one durable index for each. Dropping it ends the
/// store's session as [`close`](Self::close) does.
pub struct Sessions<'k> {
    /// `None` after it was closed.
    key: Option<Stateful<'k>>,
    session: &'static Set,
}

/// A session tree with a signed public key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedTree {
    /// The index with which the identity signed it.
    pub number: u64,
    /// For an HSS identity: the first part of every signature under this tree, which is Nspk and
    /// the signed public keys, that of the tree last. For XMSS or XMSS^MT: the public key of the
    /// tree, followed by the signature of its [`statement`].
    pub signed_keys: Vec<u8>,
}

/// Prefix of a session tree's public key in the bytes that an identity of XMSS or XMSS^MT signs.
pub const TREE_PREFIX: &[u8; 20] = b"hasten channel tree\x01";

/// Returns the bytes that an identity of XMSS or XMSS^MT signs for the session tree with this
/// encoded public key.
pub fn statement(tree: &[u8]) -> Vec<u8> {
    [TREE_PREFIX, tree].concat()
}

/// Splits the set of a key into the set of its identity and that of its session trees. For LMS and
/// HSS the last level is the session level. For XMSS and XMSS^MT the whole set is the identity, and
/// the session trees use an LMS set with nodes of 24 bytes, or of 32 if the nodes of the identity
/// are longer than 24. Returns `None` if `whole` has only one level.
///
/// # Errors
/// The errors of a set that this build does not support.
pub fn session_levels(
    whole: &'static Set,
) -> Result<Option<(&'static Set, &'static Set)>, hbs::Error> {
    if matches!(whole.scheme, Scheme::Xmss | Scheme::XmssMt) {
        let short = if whole.n <= 24 { "LMS_SHA256_M24_H10_W4" } else { "LMS_SHA256_M32_H10_W4" };
        return Ok(Some((whole, Set::named(short)?)));
    }
    let levels = whole.levels();
    let Some((session, above @ [highest, rest @ ..])) = levels.split_last() else {
        return Ok(None);
    };
    let set = if rest.is_empty() { highest } else { Set::hss(above)? };
    Ok(Some((set, session)))
}

impl<'k> Sessions<'k> {
    /// Opens the key in `dir`, as [`Stateful::open`] opens other keys.
    ///
    /// # Errors
    /// As [`Stateful::open`]; `NotOfSessions` if the key was made to sign messages.
    pub fn open(
        dir: &Path,
        options: Options,
        kept: &Kept,
        kernels: Kernels<'k>,
    ) -> Result<Self, Error> {
        Self::open_watched(dir, options, kept, kernels, unwatched(&mut go_on))
    }

    /// Opens a key like [`open`](Self::open). `how` is informed of the rebuilding of files and may
    /// stop it.
    ///
    /// # Errors
    /// As [`Stateful::open_watched`]; `NotOfSessions`.
    pub fn open_watched(
        dir: &Path,
        options: Options,
        kept: &Kept,
        kernels: Kernels<'k>,
        how: Rebuilding<'_>,
    ) -> Result<Self, Error> {
        let session = Set::named(kept.sessions.as_deref().ok_or(Error::NotOfSessions)?)?;
        Ok(Self { key: Some(Stateful::open_any(dir, options, kept, kernels, how)?), session })
    }

    /// Returns the files that were rebuilt when the key was opened.
    pub fn rebuilt(&self) -> &[Rebuilt] {
        self.key().rebuilt()
    }

    /// Returns the public key: an HSS key whose number of levels includes that of the session
    /// trees, or a key of XMSS or XMSS^MT.
    ///
    /// # Errors
    /// As [`Stateful::public_key`].
    pub fn public_key(&self) -> Result<PublicKey, Error> {
        self.key().public_key()
    }

    /// Returns the set that was chosen for session trees when the key was made. Any other LMS set
    /// works too, because the public key does not name it.
    pub fn session_set(&self) -> &'static Set {
        self.session
    }

    /// Returns the status, counted in session trees.
    pub fn status(&self) -> Status {
        self.key().status()
    }

    /// Acknowledges that few indices are left.
    ///
    /// # Errors
    /// `State`.
    pub fn acknowledge(&mut self) -> Result<(), Error> {
        self.key_mut().acknowledge()
    }

    /// Signs the public key of a session tree with an index that is reserved durably beforehand.
    ///
    /// # Errors
    /// `WrongAlgorithm` if `tree` is not a single LMS tree, `State` if no index is left or the
    /// store refuses.
    pub fn sign_tree(&mut self, tree: &hbs::PublicKey) -> Result<SignedTree, Error> {
        if tree.levels().is_some() || !matches!(tree.set().scheme, Scheme::Lms { .. }) {
            return Err(Error::WrongAlgorithm);
        }
        let key = self.key_mut();
        let ready = key.prepare_next(SignerLevel::None)?;
        let number = ready.index();
        let levels = !is_xmss(key.set());
        let signed = if levels { tree.as_bytes().to_vec() } else { statement(tree.as_bytes()) };
        let signature = ready.finish(&signed, Note::of(Purpose::SessionTree))?;
        let signed_keys = match levels {
            true => with_tree(&signature, tree)?,
            false => [tree.as_bytes(), &signature].concat(),
        };
        Ok(SignedTree { number, signed_keys })
    }

    /// Ends the session and returns the key's status.
    ///
    /// # Errors
    /// As [`Stateful::close`].
    pub fn close(mut self) -> Result<Status, Error> {
        self.key.take().ok_or(StoreError::Closed)?.close()
    }

    fn key(&self) -> &Stateful<'k> {
        self.key.as_ref().expect("it is open until it is dropped")
    }

    fn key_mut(&mut self) -> &mut Stateful<'k> {
        self.key.as_mut().expect("it is open until it is dropped")
    }
}

impl Drop for Sessions<'_> {
    fn drop(&mut self) {
        // No error can be reported here. If the status was not written, the last index counts as
        // lost.
        drop(self.key.take().map(Stateful::close));
    }
}

fn is_xmss(set: &Set) -> bool {
    matches!(set.scheme, Scheme::Xmss | Scheme::XmssMt)
}

/// Returns the bytes that precede a signature by `tree`. `signature` is the signature of its public
/// key, whose Nspk is one less.
fn with_tree(signature: &[u8], tree: &hbs::PublicKey) -> Result<Vec<u8>, Error> {
    let (signed, rest) = signature.split_first_chunk().ok_or(Error::BadSignature)?;
    let signed = u32::from_be_bytes(*signed) + 1;
    Ok([&signed.to_be_bytes(), rest, tree.as_bytes()].concat())
}
