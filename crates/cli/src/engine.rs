//! The simulated XMSS engine, `--backend rtl:xmss`: a core that signs and verifies on its own.
//! Everything else is computed by the kernels of the CPU.

use std::time::Duration;

#[cfg(feature = "rtl")]
pub use hasten_rtlsim::engine::Engine;

#[cfg(not(feature = "rtl"))]
pub use self::absent::Engine;
use crate::help;
use crate::units;

/// Name of the engine as a backend.
pub const NAME: &str = "rtl:xmss";

/// How long a clock cycle is, where cycles are told as time.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct Clock {
    /// A clock cycle of rtl:xmss, by which its cycles are told as time.
    #[arg(long, value_name = "TIME", default_value = "10ns", value_parser = units::positive_time, help_heading = help::MEASURING)]
    pub cycle: Duration,
}

impl Clock {
    /// Returns the time of `cycles` clock cycles.
    pub fn time(self, cycles: u32) -> Duration {
        self.cycle * cycles
    }
}

#[cfg(not(feature = "rtl"))]
mod absent {
    use hasten_hbs::Set;

    /// Stand-in for the engine in a build without simulated cores. It has no values.
    pub enum Engine {}

    /// Error of a build without simulated cores.
    pub struct Error;

    impl From<Error> for crate::error::Error {
        fn from(_: Error) -> Self {
            Self::Engine("this build has no simulated cores")
        }
    }

    impl Engine {
        pub fn new(_set: &Set) -> Result<Self, Error> {
            Err(Error)
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

        pub fn sign(&self, _index: u64, _message: &[u8]) -> Result<(Vec<u8>, u32), Error> {
            match *self {}
        }

        pub fn verify(&self, _message: &[u8], _sig: &[u8]) -> Result<Option<u32>, Error> {
            match *self {}
        }
    }
}
