//! Fresh keys for measurements, with progress; nothing of them outlives the command.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use hasten_hbs::params::SETS;
use hasten_hbs::{KeyGeneration, Progress as Done, Set, Signer};
use hasten_kernels::Kernels;
use zeroize::Zeroizing;

use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::output::note;
use crate::progress::Progress;
use crate::random;
use crate::table::grouped;

/// Leaves above which key generation is announced before it begins.
const MANY_LEAVES: u64 = 1 << 12;

/// A key of `set` from a random seed, on `threads` threads.
pub fn generate<'k>(
    set: &'static Set,
    kernels: Kernels<'k>,
    threads: usize,
    interrupt: &Interrupt,
) -> Result<Signer<'k>, Error> {
    from_seed(set, &seed(set)?, kernels, threads, interrupt)
}

/// A random seed of `set`.
pub fn seed(set: &Set) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut seed = Zeroizing::new(vec![0; set.seed_bytes()]);
    random::fill(&mut seed)?;
    Ok(seed)
}

/// The key of a seed, on `threads` threads.
pub fn from_seed<'k>(
    set: &'static Set,
    seed: &[u8],
    kernels: Kernels<'k>,
    threads: usize,
    interrupt: &Interrupt,
) -> Result<Signer<'k>, Error> {
    let progress = Progress::new(format!("{} key", set.name), leaves(set), "leaves");
    let mut watch = |at: Done| {
        progress.at(at.done);
        if interrupt.asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    Ok(KeyGeneration::new(set, seed, kernels)?.run(threads, &mut watch)?)
}

/// Leaves computed before a key can sign: one tree in each layer.
pub fn leaves(set: &Set) -> u64 {
    (0..set.d).map(|layer| 1 << set.layer(layer).tree_height()).sum()
}

/// Says how long the keys of tall trees will take, by the time that one of a low tree takes.
pub fn warn_if_slow(
    kernels: Kernels<'static>,
    sets: &[&'static Set],
    keys: usize,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    for set in sets.iter().filter(|set| leaves(set) > MANY_LEAVES) {
        note(&warning(set, keys, estimate(kernels, set, interrupt)?));
    }
    Ok(())
}

fn warning(set: &Set, keys: usize, each: Duration) -> String {
    let (leaves, time) = (grouped(leaves(set)), roughly(each));
    let needed = if keys == 1 { "1 key is".to_owned() } else { format!("{keys} keys are") };
    format!(
        "a key of {} begins with {leaves} leaves and takes about {time}; {needed} needed",
        set.name
    )
}

/// The time of the lowest tree with the same hash, scaled to this one's leaves.
fn estimate(
    kernels: Kernels<'static>,
    set: &Set,
    interrupt: &Interrupt,
) -> Result<Duration, Error> {
    let alike = SETS
        .iter()
        .filter(|other| (other.scheme, other.hash, other.n) == (set.scheme, set.hash, set.n));
    let Some(low) = alike.min_by_key(|other| leaves(other)) else { return Ok(Duration::ZERO) };
    let began = Instant::now();
    generate(low, kernels, hasten_report::cores(), interrupt)?;
    Ok(began.elapsed().mul_f64(leaves(set) as f64 / leaves(low) as f64))
}

/// A time to one significant unit.
fn roughly(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 100.0 => format!("{:.0} s", seconds.max(1.0)),
        seconds => format!("{:.0} min", seconds / 60.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tall_trees_are_announced() {
        let set = Set::named("XMSS-SHA2_20_256").expect("a set");
        assert_eq!(
            warning(set, 6, Duration::from_secs(240)),
            "a key of XMSS-SHA2_20_256 begins with 1,048,576 leaves and takes about 4 min; 6 keys are needed"
        );
    }

    #[test]
    fn rough_times() {
        let cases = [(0.2, "1 s"), (42.3, "42 s"), (99.0, "99 s"), (130.0, "2 min")];
        for (seconds, text) in cases {
            assert_eq!(roughly(Duration::from_secs_f64(seconds)), text);
        }
    }
}
