//! SLH-DSA: key generation, signing, verifying, and verifying many together. For sets with a
//! signature limit only verification is measured, because key generation and signing take minutes.

use std::time::{Duration, Instant};

use hasten_hbs::Set;
use hasten_hbs::slhdsa::{Claim, Context, SigningKey, VerifyingKey, verify_many};
use hasten_kernels::{Counter, Counting, Kernels};
use hasten_report::{Summary, round};

use crate::kernels::Backend;
use crate::meter::{Clock, Compressions, Meter};
use crate::row::{Row, per_second};
use crate::{Error, Watch, keygen, pin};

/// The message that is signed.
const MESSAGE: [u8; 64] = [0x6d; 64];

/// Number of signatures verified together.
const MANY: usize = 8;

/// Time after which an operation is not repeated again.
const ENOUGH: Duration = Duration::from_secs(1);

/// Minimum number of repetitions.
const FEWEST: usize = 5;

/// Measures one set on one backend.
pub fn measure(
    samples: usize,
    (backend, kernels): Backend,
    set: &'static Set,
    watch: Watch<'_>,
    rows: &mut Vec<Row>,
) -> Result<(), Error> {
    let counter = Counter::new();
    let counting = Counting::new(kernels, &counter);
    let counts = all(set, counting.kernels(), &Compressions(&counter), 1, watch)?;
    let times = pin::pinned(watch, || all(set, kernels, &Clock, samples, watch))?;
    for (time, count) in times.iter().zip(&counts) {
        let time_us = Summary::of(&time.costs);
        rows.push(Row {
            alg: set.name,
            op: time.op,
            level: None,
            backend,
            threads: 1,
            batch: None,
            time_us,
            per_second: per_second(time_us.min),
            compressions: round(count.costs[0]),
            bytes: time.bytes,
            limit: None,
            megabytes_per_second: None,
            peer: None,
        });
    }
    Ok(())
}

/// An operation with its cost each time it was done.
struct Operation {
    op: &'static str,
    bytes: usize,
    costs: Vec<f64>,
}

/// Measures the operations of a set.
fn all(
    set: &'static Set,
    kernels: Kernels<'_>,
    meter: &impl Meter,
    most: usize,
    watch: Watch<'_>,
) -> Result<Vec<Operation>, Error> {
    match set.limit {
        None => Ok(operations(set, kernels, meter, most, watch)?.into()),
        Some(_) => Ok(verifications(set, kernels, meter, most, watch)?.into()),
    }
}

/// Measures verification of a signature of random bytes. It is refused after the same work as for a
/// good signature.
fn verifications(
    set: &'static Set,
    kernels: Kernels<'_>,
    meter: &impl Meter,
    most: usize,
    watch: Watch<'_>,
) -> Result<[Operation; 2], Error> {
    let (mut key, mut signature) =
        (vec![0; set.public_key_bytes()], vec![0; set.signature_bytes()]);
    keygen::random(&mut key)?;
    keygen::random(&mut signature)?;
    let key = VerifyingKey::from_bytes(&kernels, set, &key)?;
    let claim = Claim { context: Context::EMPTY, message: &MESSAGE, signature: &signature };
    let refused = |verdict: Result<(), hasten_hbs::Error>| match verdict {
        Err(hasten_hbs::Error::BadSignature) => Ok(()),
        Err(error) => Err(error.into()),
        Ok(()) => Err(hasten_hbs::Error::BadSignature.into()),
    };
    let one = repeat(meter, most, watch, &mut || {
        refused(key.verify(Context::EMPTY, &MESSAGE, &signature))
    })?;
    let many = repeat(meter, most, watch, &mut || {
        verify_many(&key, &[claim; MANY]).into_iter().try_for_each(refused)
    })?;
    let many = many.into_iter().map(|cost| cost / MANY as f64).collect();
    let bytes = set.signature_bytes();
    Ok([("verify", one), ("verify-many", many)].map(|(op, costs)| Operation { op, bytes, costs }))
}

/// Measures all operations, each `most` times or until enough time has passed.
fn operations(
    set: &'static Set,
    kernels: Kernels<'_>,
    meter: &impl Meter,
    most: usize,
    watch: Watch<'_>,
) -> Result<[Operation; 4], Error> {
    let mut seed = zeroize::Zeroizing::new(vec![0; set.seed_bytes()]);
    keygen::random(&mut seed)?;
    let key = SigningKey::from_seed(&kernels, set, &seed)?;
    let public = key.verifying_key();
    let signature = key.sign(Context::EMPTY, &MESSAGE, None)?.into_bytes();
    let claim = Claim { context: Context::EMPTY, message: &MESSAGE, signature: &signature };
    let time = |op, bytes, share: usize, work: &mut dyn FnMut() -> Result<(), Error>| {
        let costs = repeat(meter, most, watch, work)?;
        let costs = costs.into_iter().map(|cost| cost / share as f64).collect();
        Ok::<_, Error>(Operation { op, bytes, costs })
    };
    Ok([
        time("keygen", set.public_key_bytes(), 1, &mut || {
            Ok(SigningKey::from_seed(&kernels, set, &seed).map(drop)?)
        })?,
        time("sign", set.signature_bytes(), 1, &mut || {
            Ok(key.sign(Context::EMPTY, &MESSAGE, None).map(drop)?)
        })?,
        time("verify", set.signature_bytes(), 1, &mut || {
            Ok(public.verify(Context::EMPTY, &MESSAGE, &signature)?)
        })?,
        time("verify-many", set.signature_bytes(), MANY, &mut || {
            Ok(verify_many(public, &[claim; MANY]).into_iter().collect::<Result<(), _>>()?)
        })?,
    ])
}

fn repeat(
    meter: &impl Meter,
    most: usize,
    watch: Watch<'_>,
    work: &mut dyn FnMut() -> Result<(), Error>,
) -> Result<Vec<f64>, Error> {
    let (began, mut costs) = (Instant::now(), Vec::new());
    while costs.len() < most && (costs.len() < FEWEST || began.elapsed() < ENOUGH) {
        watch.check()?;
        let (outcome, cost) = meter.cost(&mut *work);
        outcome?;
        costs.push(cost);
    }
    Ok(costs)
}
