//! Keys that sign the public keys of session trees, and nothing else: identities of a channel.
//!
//! A session tree is an LMS tree that lives in the memory of one process. The identity is the tree,
//! or the levels of HSS, above it; its public key is one of HSS that counts the session level. A
//! signature by the identity of a session tree's public key, that key, and a signature by the
//! session tree are together one signature of RFC 8554, section 6.2 (Signature Generation).
//!
//! An identity of XMSS or XMSS^MT has the public key of its set. It signs [`statement`] of a
//! session tree's public key: that key behind words that stand for nothing else.
//!
//! Such a key signs no message. Whoever could have it sign bytes of their own would have it sign
//! the public key of their own tree.

use std::path::Path;

use hasten_hbs::{self as hbs, Set, SignerLevel, params::Scheme};
use hasten_kernels::Kernels;
use hasten_store::{Options, Status, StoreError};

use super::{
    Kept, Note, Purpose, Rebuilding, Rebuilt, Stateful,
    key::{go_on, unwatched},
};
use crate::{Error, encoding::PublicKey};

/// An open key that signs session trees: one durable index for each. When it is dropped, the
/// session of its store is ended as [`close`](Self::close) does.
pub struct Sessions<'k> {
    /// Nothing once it is closed.
    key: Option<Stateful<'k>>,
    session: &'static Set,
}

/// A session tree whose public key was signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedTree {
    /// The index of the identity that signed it.
    pub number: u64,
    /// Under an identity of HSS the first part of every signature under this tree: Nspk and the
    /// signed public keys, that of the tree last. Under one of XMSS or XMSS^MT the public key of
    /// the tree and the signature of its [`statement`].
    pub signed_keys: Vec<u8>,
}

/// Words before the public key of a session tree in what an identity of XMSS or XMSS^MT signs.
pub const TREE_PREFIX: &[u8; 20] = b"hasten channel tree\x01";

/// Returns what an identity of XMSS or XMSS^MT signs for the session tree with this encoded public
/// key.
pub fn statement(tree: &[u8]) -> Vec<u8> {
    [TREE_PREFIX, tree].concat()
}

/// Returns the set of an identity and that of its session trees, for a key of `whole`: the levels
/// above the last, and the last; under XMSS and XMSS^MT a set of LMS with nodes as long, or of 32
/// bytes at most. Nothing where `whole` has one level alone.
///
/// # Errors
/// Those of a set that this build lacks.
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
    /// Opens the key in `dir` as [`Stateful::open`] opens others.
    ///
    /// # Errors
    /// As there; `NotOfSessions` when the key was made to sign messages.
    pub fn open(
        dir: &Path,
        options: Options,
        kept: &Kept,
        kernels: Kernels<'k>,
    ) -> Result<Self, Error> {
        Self::open_watched(dir, options, kept, kernels, unwatched(&mut go_on))
    }

    /// Opens as [`open`](Self::open) does; `how` hears of files that are made anew, and may stop
    /// that.
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

    /// Returns which files were made anew when the key was opened.
    pub fn rebuilt(&self) -> &[Rebuilt] {
        self.key().rebuilt()
    }

    /// Returns the public key: one of HSS whose number of levels counts that of the session trees,
    /// or one of XMSS or XMSS^MT.
    ///
    /// # Errors
    /// As [`Stateful::public_key`].
    pub fn public_key(&self) -> Result<PublicKey, Error> {
        self.key().public_key()
    }

    /// Returns the set that session trees were meant to have when the key was made. Any other set
    /// of LMS does too: the public key does not name it.
    pub fn session_set(&self) -> &'static Set {
        self.session
    }

    /// Returns the account, counted in session trees.
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

    /// Signs the public key of a session tree with an index that is durably reserved before.
    ///
    /// # Errors
    /// `WrongAlgorithm` when `tree` is no single tree of LMS, `State` when no index is left or the
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

    /// Ends the session and gives the key's account.
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
        // Nobody can be told: an account that was not written counts its last index as lost.
        drop(self.key.take().map(Stateful::close));
    }
}

fn is_xmss(set: &Set) -> bool {
    matches!(set.scheme, Scheme::Xmss | Scheme::XmssMt)
}

/// Returns what stands before a signature by `tree`, from the signature of its public key, which
/// begins with a Nspk that is one less.
fn with_tree(signature: &[u8], tree: &hbs::PublicKey) -> Result<Vec<u8>, Error> {
    let (signed, rest) = signature.split_first_chunk().ok_or(Error::BadSignature)?;
    let signed = u32::from_be_bytes(*signed) + 1;
    Ok([&signed.to_be_bytes(), rest, tree.as_bytes()].concat())
}
