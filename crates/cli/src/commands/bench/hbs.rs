//! The whole family: LMS, HSS, XMSS, XMSS^MT and SLH-DSA on portable and on the best backend, and the
//! rate of SHA-256 beside them.

use hasten_hbs::Set;
use hasten_hbs::params::Scheme;
use hasten_kernels::{Kernels, Midstate};
use hasten_report::round;

use super::measure::{Subject, alone};
use super::row::{Row, per_second};
use super::{Args, slhdsa, xmss};
use crate::cpu;
use crate::error::Error;
use crate::interrupt::Interrupt;

/// The sets measured if none is named: one or more of every scheme.
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

/// Bytes of the message whose hash gives the rate.
const LONG: usize = 1 << 16;

/// Measures the sets asked for, or [`SETS`].
pub fn measure(args: &Args, interrupt: &Interrupt, rows: &mut Vec<Row>) -> Result<(), Error> {
    let sets = match args.alg.is_empty() {
        true => SETS.into_iter().map(Set::named).collect::<Result<_, _>>()?,
        false => args.alg.clone(),
    };
    for backend in backends(args)? {
        rows.push(cpu::pinned(|| sha256(backend, args.samples)));
        for set in &sets {
            interrupt.check()?;
            match set.scheme {
                Scheme::SlhDsa { .. } => slhdsa::measure(args, backend, set, interrupt, rows)?,
                _ => xmss::one(args, backend, set, interrupt, rows)?,
            }
        }
    }
    Ok(())
}

/// The backend asked for, or portable and the best.
fn backends(args: &Args) -> Result<Vec<(&'static str, Kernels<'static>)>, Error> {
    let best = args.backend.kernels()?;
    let portable = ("portable", Kernels::portable());
    let both = !args.backend.is_forced() && best.0 != portable.0;
    Ok(if both { vec![portable, best] } else { vec![best] })
}

/// The rate of SHA-256 over one long message.
fn sha256((backend, kernels): (&'static str, Kernels<'static>), windows: usize) -> Row {
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
        megabytes_per_second: Some(round(LONG as f64 / time_us.min)),
        peer: None,
    }
}
