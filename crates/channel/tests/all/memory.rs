//! An identity in memory, and both ends of a channel over it.

use hasten_channel::{Event, Identity, Preparer, Publisher, Refusal, Subscriber, Verified};
use hasten_hbs::hazmat::Throwaway;
use hasten_hbs::params::Scheme;
use hasten_hbs::{PublicKey, Set, Signer, SignerLevel, generate};
use hasten_kernels::Kernels;
use hasten_keys::Error;
use hasten_keys::stateful::{SignedTree, statement};

/// The set above the session trees: 32 trees, each of 32 messages.
pub const ABOVE: &str = "LMS_SHA256_M24_H5_W8";
pub const SESSION: &str = "LMS_SHA256_M24_H5_W4";

/// An identity that exists only as long as the test runs.
pub struct Memory {
    signer: Signer<'static>,
    permits: Throwaway,
}

impl Memory {
    /// Returns an identity whose levels above the session trees are `above`.
    pub fn of(above: &str, seed: u8) -> Self {
        let set = Set::named(above).unwrap();
        let signer = generate(set, &vec![seed; set.seed_bytes()], Kernels::best()).unwrap();
        Self { signer, permits: Throwaway::new() }
    }

    /// Returns the same identity after `used` of its indices were used.
    pub fn used(above: &str, seed: u8, used: u64) -> Self {
        Self { permits: Throwaway::starting_at(used), ..Self::of(above, seed) }
    }
}

impl Identity for Memory {
    fn public_key(&self) -> Result<PublicKey, Error> {
        let key = self.signer.public_key();
        if is_xmss(key) {
            return Ok(key.clone());
        }
        let highest = &key.as_bytes()[if key.levels().is_some() { 4 } else { 0 }..];
        let levels = key.levels().unwrap_or(1) + 1;
        Ok(PublicKey::from_hss_bytes(&[&levels.to_be_bytes(), highest].concat())?)
    }

    fn remaining(&self) -> u64 {
        self.signer.remaining()
    }

    fn sign_tree(&mut self, tree: &PublicKey) -> Result<SignedTree, Error> {
        let ready = self.signer.prepare(self.permits.permit(), SignerLevel::None)?;
        let (number, levels) = (ready.index(), self.signer.public_key().levels());
        if is_xmss(self.signer.public_key()) {
            let signature = ready.finish(&statement(tree.as_bytes()))?;
            let signed_keys = [tree.as_bytes(), signature.as_bytes()].concat();
            return Ok(SignedTree { number, signed_keys });
        }
        let signature = ready.finish(tree.as_bytes())?.into_bytes();
        let rest = if levels.is_some() { &signature[4..] } else { &signature[..] };
        let signed = levels.unwrap_or(1).to_be_bytes();
        Ok(SignedTree { number, signed_keys: [&signed, rest, tree.as_bytes()].concat() })
    }
}

fn is_xmss(key: &PublicKey) -> bool {
    matches!(key.set().scheme, Scheme::Xmss | Scheme::XmssMt)
}

/// Both ends of a channel.
pub struct Ends {
    pub publisher: Publisher<'static>,
    pub subscriber: Subscriber<'static>,
    pub key: PublicKey,
}

impl Ends {
    pub fn new() -> Self {
        Self::over(Memory::of(ABOVE, 7), SESSION)
    }

    pub fn over(identity: Memory, session: &str) -> Self {
        Self::with(identity, session, |preparer| preparer)
    }

    /// Returns both ends of a channel with batches.
    pub fn batching(identity: Memory, session: &str) -> Self {
        Self::with(identity, session, Preparer::for_batches)
    }

    /// Returns both ends of a channel, with a preparer that `how` has configured.
    pub fn with(
        identity: Memory,
        session: &str,
        how: fn(Preparer<'static>) -> Preparer<'static>,
    ) -> Self {
        let key = identity.public_key().unwrap();
        let set = Set::named(session).unwrap();
        let preparer = how(Preparer::new(identity, set, Kernels::best()).unwrap());
        let subscriber = Subscriber::new(&key, Kernels::best()).unwrap();
        Self { publisher: Publisher::new(preparer, 8), subscriber, key }
    }

    pub fn seal(&mut self, payload: &[u8]) -> Vec<u8> {
        let mut out = vec![0; 4096];
        let bytes = self.publisher.seal(payload, &mut out).unwrap();
        out.truncate(bytes);
        out
    }

    pub fn announcements(&self) -> Vec<Vec<u8>> {
        self.publisher.announcements().map(<[u8]>::to_vec).collect()
    }

    /// Passes all announcements to the subscriber.
    pub fn announce(&mut self) {
        for announcement in self.announcements() {
            // The announcement of a tree that was already removed is stale.
            let _ = self.subscriber.open(&announcement);
        }
    }
}

/// Opens a datagram that must be a message.
pub fn message<'d>(
    subscriber: &mut Subscriber<'_>,
    datagram: &'d [u8],
) -> Result<Verified<'d>, Refusal> {
    match subscriber.open(datagram)? {
        Event::Message(message) => Ok(message),
        other => panic!("no message: {other:?}"),
    }
}
