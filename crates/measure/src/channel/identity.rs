//! The identity of a measured channel, which exists only in memory for the time of the experiment.

use std::sync::{Arc, Mutex, PoisonError};

use hasten_channel::Identity;
use hasten_hbs::hazmat::Throwaway;
use hasten_hbs::{PublicKey, Set, Signer, SignerLevel};
use hasten_kernels::Kernels;
use hasten_keys::{Error as KeyError, stateful::SignedTree};

use crate::{Error, Watch, keygen};

/// Set of the upper tree, which signs the session trees: the one in the examples of
/// `hasten keygen`.
const ABOVE: &str = "LMS_SHA256_M24_H15_W4";

/// An identity that several rows share.
#[derive(Clone)]
pub struct Memory(Arc<Mutex<Key>>);

struct Key {
    signer: Signer<'static>,
    permits: Throwaway,
}

impl Memory {
    /// Generates an identity.
    pub fn new(kernels: Kernels<'static>) -> Result<Self, Error> {
        let set = Set::named(ABOVE)?;
        let signer = keygen::generate(set, kernels, hasten_report::cores(), Watch::none())?;
        Ok(Self(Arc::new(Mutex::new(Key { signer, permits: Throwaway::new() }))))
    }

    fn with<R>(&self, work: impl FnOnce(&mut Key) -> R) -> R {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Identity for Memory {
    fn public_key(&self) -> Result<PublicKey, KeyError> {
        let raw = self.with(|key| key.signer.public_key().as_bytes().to_vec());
        Ok(PublicKey::from_hss_bytes(&[&2u32.to_be_bytes(), &raw[..]].concat())?)
    }

    fn remaining(&self) -> u64 {
        self.with(|key| key.signer.remaining())
    }

    fn sign_tree(&mut self, tree: &PublicKey) -> Result<SignedTree, KeyError> {
        self.with(|Key { signer, permits }| {
            let ready = signer.prepare(permits.permit(), SignerLevel::None)?;
            let number = ready.index();
            let signature = ready.finish(tree.as_bytes())?.into_bytes();
            let signed_keys = [&1u32.to_be_bytes(), &signature[..], tree.as_bytes()].concat();
            Ok(SignedTree { number, signed_keys })
        })
    }
}
