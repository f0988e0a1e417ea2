//! Fresh keys for measurements. They are discarded at the end of the experiment.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use hasten_hbs::params::SETS;
use hasten_hbs::{KeyGeneration, Progress as Done, Set, Signer};
use hasten_kernels::Kernels;
use zeroize::Zeroizing;

use crate::{Error, Watch};

/// Generates a key of `set` from a random seed, on `threads` threads.
///
/// # Errors
/// [`Error::Stopped`], or the error of the random number generator.
pub fn generate<'k>(
    set: &'static Set,
    kernels: Kernels<'k>,
    threads: usize,
    watch: Watch<'_>,
) -> Result<Signer<'k>, Error> {
    from_seed(set, &seed(set)?, kernels, threads, watch)
}

/// Returns a random seed of `set`.
///
/// # Errors
/// The error of the random number generator.
pub fn seed(set: &Set) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut seed = Zeroizing::new(vec![0; set.seed_bytes()]);
    random(&mut seed)?;
    Ok(seed)
}

/// Generates the key of a seed, on `threads` threads.
///
/// # Errors
/// [`Error::Stopped`], or the error of the scheme.
pub fn from_seed<'k>(
    set: &'static Set,
    seed: &[u8],
    kernels: Kernels<'k>,
    threads: usize,
    watch: Watch<'_>,
) -> Result<Signer<'k>, Error> {
    let step = watch.step(&format!("{} key", set.name), leaves(set), "leaves");
    let mut at = |progress: Done| match step.at(progress.done) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    };
    Ok(KeyGeneration::new(set, seed, kernels)?.run(threads, &mut at)?)
}

/// Returns the number of leaves computed before a key can sign: those of one tree in each layer.
pub fn leaves(set: &Set) -> u64 {
    (0..set.d).map(|layer| 1 << set.layer(layer).tree_height()).sum()
}

/// Estimates the time of key generation: the time for the smallest key with the same scheme and
/// hash, scaled by the number of leaves.
///
/// # Errors
/// [`Error::Stopped`], or the error of the scheme.
pub fn estimate(kernels: Kernels<'static>, set: &Set, watch: Watch<'_>) -> Result<Duration, Error> {
    let alike = SETS
        .iter()
        .filter(|other| (other.scheme, other.hash, other.n) == (set.scheme, set.hash, set.n));
    let Some(low) = alike.min_by_key(|other| leaves(other)) else { return Ok(Duration::ZERO) };
    let began = Instant::now();
    generate(low, kernels, hasten_report::cores(), watch)?;
    Ok(began.elapsed().mul_f64(leaves(set) as f64 / leaves(low) as f64))
}

/// Fills `bytes` with random bytes from the operating system.
///
/// # Errors
/// The error of the operating system.
pub fn random(bytes: &mut [u8]) -> Result<(), Error> {
    let failed = Error::system("asking for random numbers");
    getrandom::fill(bytes).map_err(|error| failed(error.into()))
}
