//! The time that rest adds to an operation: its vector unit is slow at first, and its data is no
//! longer in the nearest cache.

use std::time::Duration;

use hasten_hbs::Set;
use hasten_kernels::Kernels;
use hasten_model::costs::{Cost, What};
use hasten_report::{Summary, round};

use super::rounds;
use crate::meter::{Clock, Meter};
use crate::schemes::rungs::Rung;
use crate::{Error, Watch, keygen, pin};

/// Length of the rest before each operation.
const REST: Duration = Duration::from_millis(10);
/// Number of operations of each level.
const EACH: usize = 20;

/// Wall-clock time of an operation after rest.
struct Rested;

impl Meter for Rested {
    fn cost<R>(&self, work: impl FnOnce() -> R) -> (R, f64) {
        std::thread::sleep(REST);
        Clock.cost(work)
    }
}

/// Returns the time that rest adds to each operation of `set`, with the time without rest from
/// `warm`.
pub fn measure(
    set: &'static Set,
    kernels: Kernels<'static>,
    warm: &[Rung],
    watch: Watch<'_>,
) -> Result<Vec<Cost>, Error> {
    let signer = keygen::generate(set, kernels, hasten_report::cores(), watch)?;
    let climb = || rounds::climb(signer, kernels, &Rested, EACH, watch, &mut || ());
    let rested = pin::pinned(watch, climb)?;
    let row = |(warm, rested): (&Rung, &Rung)| {
        let [warm_us, rested_us] = [warm, rested].map(|rung| Summary::of(&rung.costs).p50);
        Cost {
            what: What::Rested,
            of: warm.op.to_owned(),
            n: 0,
            level: Some(warm.level.to_owned()),
            count: (warm_us * 1e3).round() as usize,
            cost_us: round((rested_us - warm_us).max(0.0)),
        }
    };
    Ok(warm.iter().zip(&rested).map(row).collect())
}
