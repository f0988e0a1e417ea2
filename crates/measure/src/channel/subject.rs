//! An algorithm with its key, and the pair of ends made from it for each row.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hasten_channel::{
    Background, Event, Identity as _, Preparer, Sealer, Subscriber, announced_tree,
};
use hasten_hbs::Set;
use hasten_kernels::Kernels;
use hasten_keys::encoding::PublicKey;
use hasten_keys::{registry, stateless};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::ed25519;
use super::ends::{Ends, Open, Opened, Seal, Send, join, split};
use super::flood::{self, Forge};
use super::identity::Memory;
use super::plan::Alg;
use super::windows::Windows;
use crate::{Error, keygen};

/// Number of messages of a channel that are prepared ahead, as in `hasten publish`.
const POOL: usize = 256;

/// Number of announcements of unknown trees that are verified in each period [`STRETCH`].
const ALLOWED: u32 = 8;
const STRETCH: Duration = Duration::from_millis(10);

/// An algorithm with a key.
pub struct Subject {
    /// The algorithm.
    pub alg: Alg,
    key: Key,
    kernels: Kernels<'static>,
}

enum Key {
    Session(&'static Set, Memory),
    Hmac(Hmac<Sha256>),
    Ed25519(ed25519::Key),
    Stateless(Arc<stateless::Signer<'static>>),
}

impl Subject {
    /// Generates a key.
    ///
    /// # Errors
    /// `NotBuiltIn` of the keys if the algorithm is not in this build; errors of key generation.
    pub fn new(alg: Alg, kernels: Kernels<'static>) -> Result<Self, Error> {
        let key = match alg {
            Alg::Session(set) => Key::Session(set, Memory::new(kernels)?),
            Alg::Hmac => Key::Hmac(hmac()?),
            Alg::Ed25519 => Key::Ed25519(ed25519::Key::new()?),
            Alg::MlDsa44 => {
                let key = stateless::generate(registry::find(alg.name())?, kernels)?;
                Key::Stateless(Arc::new(stateless::Signer::new(&key, kernels)?))
            }
        };
        Ok(Self { alg, key, kernels })
    }

    /// Returns the library that computes the algorithm.
    pub const fn library(&self) -> &'static str {
        match &self.key {
            Key::Session(..) => "hasten",
            Key::Hmac(_) => "hmac, sha2",
            Key::Ed25519(key) => key.library(),
            Key::Stateless(_) => "aws-lc-rs",
        }
    }

    /// Returns the windows whose messages are signed together. Only a channel has them.
    pub fn windows(&self, length: Option<Duration>) -> Windows {
        Windows(length.filter(|_| self.prepares()))
    }

    /// Returns true if another thread prepares, besides those of the two ends.
    pub const fn prepares(&self) -> bool {
        matches!(self.key, Key::Session(..))
    }

    /// Returns the function that makes bogus datagrams of this algorithm; with `verified`, only
    /// those that make the receiver verify a signature.
    pub const fn forge(&self, verified: bool) -> Forge {
        match (self.prepares(), verified) {
            (true, true) => flood::forgeries,
            (true, false) => flood::channel,
            (false, _) => flood::other,
        }
    }

    /// Returns fresh ends. With `batches`, the sending end of a channel signs several messages
    /// together. A channel begins a new session, whose thread starts to prepare.
    ///
    /// # Errors
    /// Errors of the scheme.
    pub fn ends(&self, batches: bool) -> Result<Ends, Error> {
        Ok(match &self.key {
            Key::Session(set, identity) => session(set, identity, (self.kernels, batches))?,
            Key::Hmac(mac) => (Box::new(Shared(mac.clone())), Box::new(Shared(mac.clone()))),
            Key::Ed25519(key) => key.ends()?,
            Key::Stateless(signer) => {
                let (public, kernels) = (signer.public_key().clone(), self.kernels);
                (Box::new(Signs(signer.clone())), Box::new(Verifies { public, kernels }))
            }
        })
    }
}

/// Returns HMAC with a random key.
fn hmac() -> Result<Hmac<Sha256>, Error> {
    let mut key = zeroize::Zeroizing::new([0; 32]);
    keygen::random(&mut *key)?;
    Ok(Hmac::new_from_slice(&*key).expect("HMAC takes keys of every length"))
}

/// Returns the sending and the receiving end of a channel.
fn session(
    set: &'static Set,
    identity: &Memory,
    (kernels, batches): (Kernels<'static>, bool),
) -> Result<Ends, Error> {
    let preparer = Preparer::new(identity.clone(), set, kernels)?;
    let preparer = if batches { preparer.for_batches() } else { preparer };
    let no_sessions = Error::Channel(hasten_channel::Error::NoSessions);
    let subscriber = Subscriber::new(&identity.public_key()?, kernels).ok_or(no_sessions)?;
    let pool = POOL.min(set.capacity() as usize / 4);
    let sealer = Background::start(preparer, pool);
    Ok((
        Box::new(Session { sealer, newest: None }),
        Box::new(Receives { subscriber, stretch: Instant::now() }),
    ))
}

/// The sending end of a channel.
struct Session {
    sealer: Sealer,
    /// The latest tree that was announced.
    newest: Option<u64>,
}

impl Seal for Session {
    fn seal(&mut self, payload: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        Ok(self.sealer.seal(payload, out)?)
    }

    fn seal_batch(&mut self, payloads: &[Vec<u8>], out: &mut Vec<Vec<u8>>) -> Result<(), Error> {
        Ok(self.sealer.seal_batch(payloads, out)?)
    }

    fn announce(&mut self, again: bool, send: &mut Send<'_>) -> Result<(), Error> {
        self.sealer.look_ahead()?;
        if !again && self.sealer.newest_tree() == self.newest {
            return Ok(());
        }
        for announcement in self.sealer.announcements()? {
            send(announcement)?;
            self.newest = self.newest.max(announced_tree(announcement));
        }
        Ok(())
    }

    fn late(&self) -> u64 {
        self.sealer.late()
    }
}

/// The receiving end of a channel. It limits bogus announcements as `hasten subscribe` does.
struct Receives {
    subscriber: Subscriber<'static>,
    stretch: Instant,
}

impl Open for Receives {
    fn open<'d>(&mut self, datagram: &'d [u8]) -> Opened<'d> {
        if self.stretch.elapsed() >= STRETCH {
            self.subscriber.allow(ALLOWED);
            self.stretch = Instant::now();
        }
        match self.subscriber.open(datagram) {
            Ok(Event::Message(message)) => Opened::Message(message.payload),
            Ok(_) => Opened::Beside,
            Err(_) => Opened::Refused,
        }
    }
}

/// HMAC with the secret that both ends share.
struct Shared(Hmac<Sha256>);

impl Seal for Shared {
    fn seal(&mut self, payload: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        let tag = self.0.clone().chain_update(payload).finalize().into_bytes();
        Ok(join(payload, &tag, out))
    }
}

impl Open for Shared {
    fn open<'d>(&mut self, datagram: &'d [u8]) -> Opened<'d> {
        let good = split(datagram, 32).filter(|(payload, tag)| {
            self.0.clone().chain_update(payload).verify_slice(tag).is_ok()
        });
        good.map_or(Opened::Refused, |(payload, _)| Opened::Message(payload))
    }
}

/// The sending end of a stateless algorithm, with its key expanded once.
struct Signs(Arc<stateless::Signer<'static>>);

impl Seal for Signs {
    fn seal(&mut self, payload: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        Ok(join(payload, &self.0.sign(payload)?, out))
    }
}

/// The receiving end of a stateless algorithm, with the public key.
struct Verifies {
    public: PublicKey,
    kernels: Kernels<'static>,
}

impl Open for Verifies {
    fn open<'d>(&mut self, datagram: &'d [u8]) -> Opened<'d> {
        let bytes = self.public.row.sizes.output;
        let good = split(datagram, bytes).filter(|(payload, signature)| {
            stateless::verify(&self.public, payload, signature, self.kernels).is_ok()
        });
        good.map_or(Opened::Refused, |(payload, _)| Opened::Message(payload))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each end accepts what its counterpart made, and nothing else.
    #[test]
    fn each_algorithm_refuses_a_changed_bit() {
        for alg in Alg::usual() {
            let Ok(subject) = Subject::new(alg, Kernels::best()) else {
                assert_eq!(alg, Alg::MlDsa44, "the others are always built in");
                continue;
            };
            let (mut seal, mut open) = subject.ends(false).expect("ends");
            let mut besides = 0;
            seal.announce(true, &mut |datagram| {
                besides += 1;
                assert_eq!(open.open(datagram), Opened::Beside);
                Ok(())
            })
            .expect("announced");
            assert_eq!(besides > 0, subject.prepares());
            let mut out = [0; 4096];
            let bytes = seal.seal(b"a message", &mut out).expect("sealed");
            for at in [0, 4, 9, bytes - 1] {
                let mut bad = out[..bytes].to_vec();
                bad[at] ^= 1;
                assert_eq!(open.open(&bad), Opened::Refused, "{} byte {at}", alg.name());
            }
            assert_eq!(open.open(&out[..bytes - 1]), Opened::Refused);
            assert_eq!(open.open(&[]), Opened::Refused);
            assert_eq!(open.open(&out[..bytes]), Opened::Message(b"a message"));
        }
    }

    /// Messages that are signed together arrive like those signed one by one.
    #[test]
    fn each_algorithm_takes_several_messages_at_once() {
        let payloads: Vec<_> = (0..20u8).map(|number| vec![number; 9]).collect();
        for alg in Alg::usual() {
            let Ok(subject) = Subject::new(alg, Kernels::best()) else { continue };
            let (mut seal, mut open) = subject.ends(true).expect("ends");
            seal.announce(true, &mut |datagram| {
                assert_eq!(open.open(datagram), Opened::Beside);
                Ok(())
            })
            .expect("announced");
            let mut out = Vec::new();
            seal.seal_batch(&payloads, &mut out).expect("sealed");
            assert_eq!(out.len(), payloads.len());
            for (payload, datagram) in payloads.iter().zip(&out) {
                assert_eq!(open.open(datagram), Opened::Message(payload), "{}", alg.name());
            }
        }
    }
}
