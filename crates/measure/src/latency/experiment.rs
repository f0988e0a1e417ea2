//! The whole experiment: every pair of levels on every set, with a fresh key for each row.

use std::time::Duration;

use hasten_hbs::Set;
use hasten_kernels::Kernels;
use hasten_model::ethernet;

use super::{Device, Link, Pair, Plan, Row, fit, measure, simulated};
use crate::{Error, Watch, keygen, pin};

/// Sets measured by default.
const SETS: [&str; 2] = ["XMSS-SHA2_10_256", "XMSS-SHA2_10_192"];

/// Returns the sets measured by default. For the simulated engine only one, because each takes
/// long.
pub fn usual(is_engine: bool) -> Vec<&'static Set> {
    let sets = if is_engine { &SETS[..1] } else { &SETS[..] };
    sets.iter().filter_map(|name| Set::named(name).ok()).collect()
}

/// Parameters of the experiment.
pub struct Experiment<'e> {
    /// The sets.
    pub sets: &'e [&'static Set],
    /// The pairs of levels.
    pub pairs: &'e [Pair],
    /// Kernels used by both sides.
    pub kernels: Kernels<'static>,
    /// Length of a clock cycle of the simulated engine, if the engine replaces the kernels.
    pub cycle: Option<Duration>,
    /// Messages of each row; limited to the number that a key can sign.
    pub samples: usize,
    /// Length of a message in bytes.
    pub message: usize,
    /// Rest before every message.
    pub idle: Duration,
    /// True if dummy steps are run while waiting.
    pub keep_warm: bool,
    /// Rate of the link, in bits per second.
    pub link_bits: f64,
    /// Maximum time from message to verdict.
    pub budget: Duration,
}

impl Experiment<'_> {
    /// Measures row after row, and calls `each` with a row as soon as it is finished.
    ///
    /// # Errors
    /// As [`measure`], and the errors of `each`.
    pub fn run<E: From<Error>>(
        &self,
        watch: Watch<'_>,
        each: &mut dyn FnMut(Row) -> Result<(), E>,
    ) -> Result<(), E> {
        let cores = pin::allowed();
        for set in self.sets {
            for pair in self.pairs {
                each(self.row(set, pair, &cores, watch)?)?;
            }
        }
        Ok(())
    }

    /// Measures one row with a fresh key.
    fn row(
        &self,
        set: &'static Set,
        pair: &Pair,
        cores: &[usize],
        watch: Watch<'_>,
    ) -> Result<Row, Error> {
        let (samples, warm_up) = fit(self.samples, set.capacity());
        let seed = keygen::seed(set)?;
        let make = || simulated(set);
        let device = self.cycle.map(|cycle| Device { make: &make, seed: &seed, cycle });
        let plan = Plan {
            set,
            signer: pair.signer,
            verifier: pair.verifier,
            kernels: self.kernels,
            device: device.as_ref(),
            samples,
            warm_up,
            message: self.message,
            idle: self.idle,
            keep_warm: self.keep_warm,
            cores,
        };
        let signer = keygen::from_seed(set, &seed, self.kernels, hasten_report::cores(), watch)?;
        let payload = (self.message + set.signature_bytes()) as u64;
        let bits = self.link_bits;
        let link = Link { bits, wire_us: ethernet::busy_us(payload, bits) };
        measure(&plan, pair, signer, (&link, self.budget), watch)
    }
}
