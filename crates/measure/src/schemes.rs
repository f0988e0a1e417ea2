//! All schemes: LMS, HSS, XMSS, XMSS^MT and SLH-DSA on the given backends, and the rate of SHA-256.

pub mod rungs;
mod slhdsa;
mod xmss;

use hasten_hbs::Set;
use hasten_hbs::params::Scheme;
use hasten_kernels::Midstate;
use hasten_report::round;

use crate::kernels::Backend;
use crate::row::{Row, per_second};
use crate::windows::{Subject, alone};
use crate::{Error, Watch, pin};

pub use self::xmss::{keys, levels, usual_levels};

/// Sets measured by default: one or more of every scheme.
const SETS: [&str; 20] = [
    "LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W1",
    "LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W2",
    "LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W4",
    "LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W8",
    "L2_H10_W2",
    "L2_H10_W4",
    "L3_H5_W4",
    "L3_H5_W8",
    "L3_H10_W4",
    "L4_H5_W8",
    "XMSS-SHA2_10_256",
    "XMSS-SHAKE_10_256",
    "XMSSMT-SHA2_20/2_256",
    "XMSSMT-SHA2_20/4_256",
    "XMSSMT-SHA2_40/8_256",
    "XMSSMT-SHA2_60/12_256",
    "SLH-DSA-SHA2-128s",
    "SLH-DSA-SHA2-128f",
    "SLH-DSA-SHAKE-128s",
    "SLH-DSA-SHAKE-128f",
];

/// Length of the message hashed to measure the rate, in bytes.
const LONG: usize = 1 << 16;

/// Returns the sets measured by default.
pub fn usual() -> Vec<&'static Set> {
    SETS.into_iter().filter_map(|name| Set::named(name).ok()).collect()
}

/// Measures each set on each backend, in `samples` windows or operations.
///
/// # Errors
/// [`Error::Stopped`], or the error of a scheme; the finished rows remain in `rows`.
pub fn measure(
    sets: &[&'static Set],
    backends: &[Backend],
    samples: usize,
    watch: Watch<'_>,
    rows: &mut Vec<Row>,
) -> Result<(), Error> {
    for backend in backends {
        rows.push(pin::pinned(watch, || sha256(*backend, samples)));
        for set in sets {
            watch.check()?;
            match set.scheme {
                Scheme::SlhDsa { .. } => slhdsa::measure(samples, *backend, set, watch, rows)?,
                _ => xmss::one(samples, *backend, set, watch, rows)?,
            }
        }
    }
    Ok(())
}

/// Measures the rate of SHA-256 over one long message.
fn sha256((backend, kernels): Backend, windows: usize) -> Row {
    let message = vec![0x5a; LONG];
    let mut digest = [0; 32];
    let mut hash = || Midstate::sha256().finish(kernels.sha256, &message, &mut digest);
    let time_us = alone(windows, Subject::new(1, &mut hash)).summary();
    Row {
        alg: "SHA-256",
        op: "hash",
        level: None,
        backend,
        threads: 1,
        batch: None,
        time_us,
        per_second: per_second(time_us.min),
        compressions: (LONG / 64 + 1) as f64,
        bytes: LONG,
        limit: None,
        megabytes_per_second: Some(round(LONG as f64 / time_us.min)),
        peer: None,
    }
}
