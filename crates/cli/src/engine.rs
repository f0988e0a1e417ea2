//! The XMSS engine in simulation, `--backend rtl:xmss`: a core that signs and verifies by itself,
//! beside the kernels of the CPU.

use std::time::Duration;

#[cfg(feature = "measure")]
use hasten_hbs::Set;
#[cfg(feature = "measure")]
use hasten_measure::latency;

#[cfg(feature = "measure")]
use crate::error::Error;
use crate::units;

/// Its name as a backend.
pub const NAME: &str = "rtl:xmss";

/// How long a clock cycle is, where cycles are told as time.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct Clock {
    /// A clock cycle of rtl:xmss, by which its cycles are told as time.
    #[arg(long, value_name = "TIME", default_value = "10ns", value_parser = units::positive_time)]
    pub cycle: Duration,
}

impl Clock {
    /// Returns the time of so many cycles.
    pub fn time(self, cycles: u32) -> Duration {
        self.cycle * cycles
    }
}

/// Holds what the engine made, and the clock cycles from the command to the answer.
pub struct Made<T> {
    pub value: T,
    pub cycles: u32,
}

pub use imp::Engine;

/// Makes the engine for an experiment.
#[cfg(feature = "measure")]
pub fn boxed(set: &Set) -> Result<Box<dyn latency::Engine>, hasten_measure::Error> {
    Ok(Box::new(Engine::new(set).map_err(refusal)?))
}

/// Returns an error of the engine as one of the experiment.
#[cfg(feature = "measure")]
fn refusal(error: Error) -> hasten_measure::Error {
    match error {
        Error::Engine(why) => hasten_measure::Error::Engine(why),
        other => {
            let cause = std::io::Error::other(other.to_string());
            hasten_measure::Error::System { doing: "simulating the engine", cause }
        }
    }
}

#[cfg(feature = "measure")]
impl latency::Engine for Engine {
    fn load_key(
        &self,
        seed: &[u8],
        public: &[u8],
        first: u64,
    ) -> Result<(), hasten_measure::Error> {
        self.load_key(seed, public, first).map_err(refusal)
    }

    fn load_public(&self, public: &[u8]) -> Result<(), hasten_measure::Error> {
        self.load_public(public).map_err(refusal)
    }

    fn prepare(&self, index: u64, verification: bool) -> Result<u32, hasten_measure::Error> {
        self.prepare(index, verification).map_err(refusal)
    }

    fn prepare_table(&self, index: u64) -> Result<u32, hasten_measure::Error> {
        self.prepare_table(index).map_err(refusal)
    }

    fn sign(&self, index: u64, message: &[u8]) -> Result<(Vec<u8>, u32), hasten_measure::Error> {
        let made = self.sign(index, message).map_err(refusal)?;
        Ok((made.value, made.cycles))
    }

    fn verify(
        &self,
        message: &[u8],
        signature: &[u8],
    ) -> Result<Option<u32>, hasten_measure::Error> {
        self.verify(message, signature).map_err(refusal)
    }
}

#[cfg(feature = "rtl")]
mod imp {
    use hasten_hbs::Set;
    use hasten_hbs::params;
    use hasten_rtlsim::xmss::{Hash, Kind, Refusal, Scheme, SecretKey, Timed, XmssCore};

    use super::Made;
    use crate::error::Error;

    /// The simulated engine, for one key.
    pub struct Engine(XmssCore, Kind);

    impl Engine {
        /// Returns an engine for keys of `set`.
        pub fn new(set: &Set) -> Result<Self, Error> {
            let kind = kind(set).ok_or(Error::Engine(
                "it has XMSS-SHA2, XMSS-SHAKE and LMS_SHA256 with n = 32 and 24, of LMS w = 4 and 8, up to height 20",
            ))?;
            let core = XmssCore::of(kind).map_err(|_| Error::Engine("there is no Verilator"))?;
            Ok(Self(core, kind))
        }

        /// Takes a seed and a public key as `hasten-hbs` has them; indices below `first` sign
        /// nothing.
        pub fn load_key(&self, seed: &[u8], public: &[u8], first: u64) -> Result<(), Error> {
            let first = u32::try_from(first).map_err(|_| refused())?;
            let (pub_seed, root) = self.public(public)?;
            let (sk_seed, sk_prf) = match self.1.scheme {
                Scheme::Xmss => seed.split_at_checked(self.1.n).unwrap_or_default(),
                _ => (seed.get(16..).unwrap_or_default(), &[][..]),
            };
            let sk_prf = sk_prf.get(..sk_prf.len() / 2).unwrap_or_default();
            let key = SecretKey { sk_seed, sk_prf, pub_seed, root };
            self.0.load_key(&key, first).map(drop).map_err(|_| refused())
        }

        /// Takes a public key.
        pub fn load_public(&self, public: &[u8]) -> Result<(), Error> {
            let (pub_seed, root) = self.public(public)?;
            self.0.load_public(pub_seed, root).map(drop).map_err(|_| refused())
        }

        /// Returns a signature of LMS without the number of levels above, which HSS writes before
        /// it: none.
        fn lowest<'s>(&self, signature: &'s [u8]) -> &'s [u8] {
            let Kind { scheme, n, height, .. } = self.1;
            let alone = 12 + n * (1 + self.1.chains() + usize::from(height));
            match signature.strip_prefix(&[0; 4]) {
                Some(rest) if scheme != Scheme::Xmss && rest.len() == alone => rest,
                _ => signature,
            }
        }

        /// Returns PUB_SEED and root of a key of XMSS, I and T[1] of one of LMS, alone or as HSS of
        /// one level.
        fn public<'p>(&self, public: &'p [u8]) -> Result<(&'p [u8], &'p [u8]), Error> {
            let n = self.1.n;
            let (first, last) = match self.1.scheme {
                Scheme::Xmss => (n, n),
                _ => (16, n),
            };
            let begins = public.len().checked_sub(first + last).ok_or_else(refused)?;
            let (first, last) = public[begins..].split_at(first);
            Ok(if self.1.scheme == Scheme::Xmss { (last, first) } else { (first, last) })
        }

        /// Prepares the signature of an index, or its verification; the cycles.
        pub fn prepare(&self, index: u64, verification: bool) -> Result<u32, Error> {
            let index = u32::try_from(index).map_err(|_| refused())?;
            let Timed { cycles, .. } =
                self.0.prepare(index, verification).map_err(|_| refused())?;
            Ok(cycles)
        }

        /// Prepares the signature of an index by a table of all chain values; the cycles. LMS with
        /// w = 8 has no table in the engine: there it prepares what it can.
        pub fn prepare_table(&self, index: u64) -> Result<u32, Error> {
            if self.1.scheme == Scheme::LmsW8 {
                return self.prepare(index, false);
            }
            let index = u32::try_from(index).map_err(|_| refused())?;
            self.0.prepare_table(index).map(|made| made.cycles).map_err(|_| refused())
        }

        /// Returns the randomizer and the chain values.
        pub fn sign(&self, index: u64, message: &[u8]) -> Result<Made<Vec<u8>>, Error> {
            let index = u32::try_from(index).map_err(|_| refused())?;
            let made = self.0.sign(index, message).map_err(|_| refused())?;
            Ok(Made { value: made.value, cycles: made.cycles })
        }

        /// Returns whether the signature is good; the cycles of one that is.
        pub fn verify(&self, message: &[u8], signature: &[u8]) -> Result<Option<u32>, Error> {
            let signature = self.lowest(signature);
            match self.0.verify(message, signature) {
                Ok(made) => Ok(Some(made.cycles)),
                Err(Refusal::Refused) if message.len() > usize::from(u16::MAX) => Err(refused()),
                Err(_) => Ok(None),
            }
        }
    }

    fn kind(set: &Set) -> Option<Kind> {
        let hash = match set.hash {
            params::Hash::Sha256 => Hash::Sha256,
            params::Hash::Shake128 => Hash::Shake128,
            params::Hash::Shake256 => Hash::Shake256,
            _ => return None,
        };
        let scheme = match (set.scheme, set.w()) {
            (params::Scheme::Xmss, _) => Scheme::Xmss,
            (params::Scheme::Lms { .. }, 16) if hash == Hash::Sha256 => Scheme::LmsW4,
            (params::Scheme::Lms { .. }, 256) if hash == Hash::Sha256 => Scheme::LmsW8,
            _ => return None,
        };
        let height = u8::try_from(set.h).ok().filter(|height| *height <= 20)?;
        [24, 32].contains(&set.n).then_some(Kind { scheme, hash, n: set.n, height })
    }

    fn refused() -> Error {
        Error::Engine("it takes messages up to 65,535 bytes, and each index once")
    }
}

#[cfg(not(feature = "rtl"))]
mod imp {
    use hasten_hbs::Set;

    use super::Made;
    use crate::error::Error;

    /// Nothing: this build has no simulated cores.
    pub enum Engine {}

    impl Engine {
        pub fn new(_set: &Set) -> Result<Self, Error> {
            Err(Error::Engine("this build has no simulated cores"))
        }

        pub fn load_key(&self, _seed: &[u8], _public: &[u8], _first: u64) -> Result<(), Error> {
            match *self {}
        }

        pub fn load_public(&self, _public: &[u8]) -> Result<(), Error> {
            match *self {}
        }

        pub fn prepare(&self, _index: u64, _verification: bool) -> Result<u32, Error> {
            match *self {}
        }

        pub fn prepare_table(&self, _index: u64) -> Result<u32, Error> {
            match *self {}
        }

        pub fn sign(&self, _index: u64, _message: &[u8]) -> Result<Made<Vec<u8>>, Error> {
            match *self {}
        }

        pub fn verify(&self, _message: &[u8], _signature: &[u8]) -> Result<Option<u32>, Error> {
            match *self {}
        }
    }
}
