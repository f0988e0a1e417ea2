//! XMSS and other stateful schemes: key generation, and signing and verifying at every level, in
//! time and in compressions.

use std::time::{Duration, Instant};

use hasten_hbs::params::{SETS, Scheme};
use hasten_hbs::{Set, Signer};
use hasten_kernels::{Counter, Counting, Kernels};
use hasten_report::{Summary, round};

use super::rungs::{self, Rung};
use crate::kernels::Backend;
use crate::meter::{Clock, Compressions, Meter};
use crate::row::{Row, per_second};
use crate::{Error, Watch, keygen, pin};

/// Maximum number of keys generated for one figure, if that takes only seconds.
const KEYS: usize = 5;

/// Time after which no further key is generated for a figure.
const ENOUGH: Duration = Duration::from_secs(1);

/// Number of signatures of each level whose compressions are counted.
const COUNTED: usize = 64;

/// Returns the sets whose levels are measured by default: those of XMSS with height 10.
pub fn usual_levels() -> Vec<&'static Set> {
    SETS.iter().filter(|set| set.scheme == Scheme::Xmss && set.h == 10).collect()
}

/// Returns the minimum number of keys that the measurement of one set generates.
pub fn keys() -> usize {
    1 + thread_counts().len()
}

/// Measures key generation, and every level of signing and verifying, of each set.
///
/// # Errors
/// [`Error::Stopped`], or the error of a scheme; the finished rows remain in `rows`.
pub fn levels(
    sets: &[&'static Set],
    backend: Backend,
    samples: usize,
    watch: Watch<'_>,
    rows: &mut Vec<Row>,
) -> Result<(), Error> {
    sets.iter().try_for_each(|set| one(samples, backend, set, watch, rows))
}

/// Measures one set of a stateful scheme on one backend.
pub fn one(
    samples: usize,
    (backend, kernels): Backend,
    set: &'static Set,
    watch: Watch<'_>,
    rows: &mut Vec<Row>,
) -> Result<(), Error> {
    let bench = Bench { set, backend, kernels, watch, samples };
    rows.extend(bench.run()?);
    Ok(())
}

struct Bench<'b> {
    set: &'static Set,
    backend: &'static str,
    kernels: Kernels<'static>,
    watch: Watch<'b>,
    samples: usize,
}

impl Bench<'_> {
    fn run(&self) -> Result<Vec<Row>, Error> {
        let counter = Counter::new();
        let counting = Counting::new(self.kernels, &counter);
        let (meter, threads) = (Compressions(&counter), hasten_report::cores());
        let (counted, compressions) =
            meter.cost(|| keygen::generate(self.set, counting.kernels(), threads, self.watch));
        let (mut rows, timed) = self.keygen(compressions)?;
        let most = self.set.capacity() as usize / rungs::SIGNING_LEVELS;
        let (each, few) = (self.samples.min(most), COUNTED.min(most));
        let times = pin::pinned(self.watch, || {
            rungs::climb(timed, self.kernels, &Clock, each, self.watch)
        })?;
        let counts = rungs::climb(counted?, counting.kernels(), &meter, few, self.watch)?;
        rows.extend(times.iter().zip(&counts).map(|(time, count)| self.rung(time, count)));
        Ok(rows)
    }

    /// Measures key generation on one thread and on all cores; also returns the last key.
    fn keygen(&self, compressions: f64) -> Result<(Vec<Row>, Signer<'static>), Error> {
        let keys = KEYS.min(self.samples);
        let (mut rows, mut last) = (Vec::new(), None);
        for threads in thread_counts() {
            let (mut times, began) = (Vec::new(), Instant::now());
            while times.is_empty() || times.len() < keys && began.elapsed() < ENOUGH {
                let make = || keygen::generate(self.set, self.kernels, threads, self.watch);
                let (signer, time) = Clock.cost(make);
                last = Some(signer?);
                times.push(time);
            }
            let bytes = self.set.public_key_bytes();
            let row = self.row(("keygen", None), bytes, &times, compressions);
            rows.push(Row { threads, ..row });
        }
        Ok((rows, last.expect("one thread is always measured, with one key at least")))
    }

    fn rung(&self, time: &Rung, count: &Rung) -> Row {
        let mean = count.costs.iter().sum::<f64>() / count.costs.len().max(1) as f64;
        self.row((time.op, Some(time.level)), time.bytes, &time.costs, mean)
    }

    fn row(
        &self,
        (op, level): (&'static str, Option<&'static str>),
        bytes: usize,
        times: &[f64],
        compressions: f64,
    ) -> Row {
        let time_us = Summary::of(times);
        Row {
            alg: self.set.name,
            op,
            level,
            backend: self.backend,
            threads: 1,
            batch: None,
            time_us,
            per_second: per_second(time_us.min),
            compressions: round(compressions),
            bytes,
            limit: None,
            megabytes_per_second: None,
            peer: None,
        }
    }
}

/// Returns the thread counts that are measured: one, and the number of cores if there are several.
fn thread_counts() -> Vec<usize> {
    let mut counts = vec![1, hasten_report::cores()];
    counts.dedup();
    counts
}
