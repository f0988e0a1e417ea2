//! Ed25519 with the fastest library in this build.

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};

use super::ends::{Ends, Open, Opened, Seal, join, split};
use crate::{Error, keygen};

/// Length of a signature in bytes.
const BYTES: usize = 64;

/// A key pair, from which both ends are made.
pub enum Key {
    /// Key for ed25519-dalek.
    Dalek(SigningKey),
    /// Key for aws-lc, as a seed.
    #[cfg(feature = "tls")]
    Aws(zeroize::Zeroizing<[u8; 32]>),
}

impl Key {
    /// Generates a key for the library that signs and verifies fastest on this machine.
    pub fn new() -> Result<Self, Error> {
        let mut seed = zeroize::Zeroizing::new([0; 32]);
        keygen::random(&mut *seed)?;
        let dalek = Self::Dalek(SigningKey::from_bytes(&seed));
        #[cfg(feature = "tls")]
        {
            let aws = Self::Aws(seed);
            if aws.takes()? < dalek.takes()? {
                return Ok(aws);
            }
        }
        Ok(dalek)
    }

    /// Returns the name of the library.
    pub const fn library(&self) -> &'static str {
        match self {
            Self::Dalek(_) => "ed25519-dalek",
            #[cfg(feature = "tls")]
            Self::Aws(_) => "aws-lc-rs",
        }
    }

    /// Returns the sending and the receiving end.
    pub fn ends(&self) -> Result<Ends, Error> {
        Ok(match self {
            Self::Dalek(key) => (Box::new(key.clone()), Box::new(key.verifying_key())),
            #[cfg(feature = "tls")]
            Self::Aws(seed) => aws::ends(&**seed)?,
        })
    }

    /// Returns the minimum time of signing and verifying a short message.
    #[cfg(feature = "tls")]
    fn takes(&self) -> Result<std::time::Duration, Error> {
        let (mut seal, mut open) = self.ends()?;
        let (payload, mut out) = ([0x5a; 64], [0; 128]);
        let mut least = std::time::Duration::MAX;
        for _ in 0..200 {
            let began = std::time::Instant::now();
            let bytes = seal.seal(&payload, &mut out)?;
            std::hint::black_box(open.open(&out[..bytes]));
            least = least.min(began.elapsed());
        }
        Ok(least)
    }
}

impl Seal for SigningKey {
    fn seal(&mut self, payload: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        Ok(join(payload, &self.sign(payload).to_bytes(), out))
    }
}

impl Open for VerifyingKey {
    fn open<'d>(&mut self, datagram: &'d [u8]) -> Opened<'d> {
        let good = split(datagram, BYTES).filter(|(payload, signature)| {
            let signature = Signature::from_slice(signature);
            signature.is_ok_and(|signature| self.verify_strict(payload, &signature).is_ok())
        });
        good.map_or(Opened::Refused, |(payload, _)| Opened::Message(payload))
    }
}

#[cfg(feature = "tls")]
mod aws {
    use aws_lc_rs::signature::{ED25519, Ed25519KeyPair, KeyPair, ParsedPublicKey};

    use super::{BYTES, Ends, Error, Open, Opened, Seal, join, split};

    /// Returns the sending and the receiving end.
    pub fn ends(seed: &[u8]) -> Result<Ends, Error> {
        let wrong = |_| Error::Key(hasten_keys::Error::NotAKey);
        let pair = Ed25519KeyPair::from_seed_unchecked(seed).map_err(wrong)?;
        let public = ParsedPublicKey::new(&ED25519, pair.public_key().as_ref()).map_err(wrong)?;
        Ok((Box::new(Pair(pair)), Box::new(Public(public))))
    }

    struct Pair(Ed25519KeyPair);

    struct Public(ParsedPublicKey);

    impl Seal for Pair {
        fn seal(&mut self, payload: &[u8], out: &mut [u8]) -> Result<usize, Error> {
            Ok(join(payload, self.0.sign(payload).as_ref(), out))
        }
    }

    impl Open for Public {
        fn open<'d>(&mut self, datagram: &'d [u8]) -> Opened<'d> {
            let good = split(datagram, BYTES)
                .filter(|(payload, signature)| self.0.verify_sig(payload, signature).is_ok());
            good.map_or(Opened::Refused, |(payload, _)| Opened::Message(payload))
        }
    }
}
