//! The XMSS engine in simulation, `--backend rtl:xmss`: a core that signs and verifies by itself, beside the kernels of the CPU.

use std::time::Duration;

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
    /// The time of so many cycles.
    pub fn time(self, cycles: u32) -> Duration {
        self.cycle * cycles
    }
}

/// What the engine made, and the clock cycles from the command to the answer.
pub struct Made<T> {
    pub value: T,
    pub cycles: u32,
}

pub use imp::Engine;

#[cfg(feature = "rtl")]
mod imp {
    use hasten_hbs::Set;
    use hasten_rtlsim::xmss::{Refusal, SecretKey, Timed, XmssCore};

    use super::Made;
    use crate::error::Error;

    /// The simulated engine, for one key.
    pub struct Engine(XmssCore);

    impl Engine {
        /// An engine for keys of `set`.
        pub fn new(set: &Set) -> Result<Self, Error> {
            let fits = set.name.starts_with("XMSS-SHA2_") && set.n == 32 && set.d == 1;
            if !fits {
                return Err(Error::Engine("it has XMSS-SHA2_10_256, _16_256 and _20_256"));
            }
            let height = u8::try_from(set.h).map_err(|_| Error::Engine("no such height"))?;
            let core = XmssCore::new(height).map_err(|_| Error::Engine("there is no Verilator"))?;
            Ok(Self(core))
        }

        /// Takes the three seeds and the public key, as RFC 8391 writes it; indices below `first` sign nothing.
        pub fn load_key(&self, seed: &[u8], public: &[u8], first: u64) -> Result<(), Error> {
            let first = u32::try_from(first).map_err(|_| refused())?;
            let (sk_seed, rest) = value(seed)?;
            let (sk_prf, rest) = value(rest)?;
            let (pub_seed, _) = value(rest)?;
            let (root, _) = value(public.get(4..).unwrap_or_default())?;
            let key = SecretKey { sk_seed, sk_prf, pub_seed, root };
            self.0.load_key(&key, first).map(drop).map_err(|_| refused())
        }

        /// Takes a public key.
        pub fn load_public(&self, public: &[u8]) -> Result<(), Error> {
            let (root, rest) = value(public.get(4..).unwrap_or_default())?;
            let (pub_seed, _) = value(rest)?;
            self.0.load_public(pub_seed, root).map(drop).map_err(|_| refused())
        }

        /// Prepares the signature of an index, or its verification; the cycles.
        pub fn prepare(&self, index: u64, verification: bool) -> Result<u32, Error> {
            let index = u32::try_from(index).map_err(|_| refused())?;
            let Timed { cycles, .. } =
                self.0.prepare(index, verification).map_err(|_| refused())?;
            Ok(cycles)
        }

        /// The randomizer and the chain values.
        pub fn sign(&self, index: u64, message: &[u8]) -> Result<Made<Vec<u8>>, Error> {
            let index = u32::try_from(index).map_err(|_| refused())?;
            let made = self.0.sign(index, message).map_err(|_| refused())?;
            Ok(Made { value: made.value, cycles: made.cycles })
        }

        /// Whether the signature is good; the cycles of one that is.
        pub fn verify(&self, message: &[u8], signature: &[u8]) -> Result<Option<u32>, Error> {
            match self.0.verify(message, signature) {
                Ok(made) => Ok(Some(made.cycles)),
                Err(Refusal::Refused) if message.len() > usize::from(u16::MAX) => Err(refused()),
                Err(_) => Ok(None),
            }
        }
    }

    fn value(bytes: &[u8]) -> Result<(&[u8; 32], &[u8]), Error> {
        bytes.split_first_chunk().ok_or(Error::Engine("a key of another length"))
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

        pub fn sign(&self, _index: u64, _message: &[u8]) -> Result<Made<Vec<u8>>, Error> {
            match *self {}
        }

        pub fn verify(&self, _message: &[u8], _signature: &[u8]) -> Result<Option<u32>, Error> {
            match *self {}
        }
    }
}
