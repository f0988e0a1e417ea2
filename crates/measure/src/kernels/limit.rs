//! The limit set by the vector ports: the time that independent operations of the same number take.

use crate::row::Limit;

/// Number of vector operations of one compression or permutation in AVX-512, and the number of
/// lanes that share them. They are counted in docs/kernels.md.
#[cfg(target_arch = "x86_64")]
fn operations(alg: &str) -> (f64, f64) {
    match alg {
        "SHA-256" => (1624.0, 16.0),
        "SHA-512" => (2072.0, 8.0),
        _ => (2160.0, 8.0),
    }
}

/// Returns the limit of a kernel that took `micros` microseconds. Only the backend `avx512` has
/// one, for batches that fill its lanes.
#[cfg(target_arch = "x86_64")]
pub fn of(alg: &str, backend: &str, batch: usize, windows: usize, micros: f64) -> Option<Limit> {
    use crate::windows::{Subject, alone};
    use hasten_kernels::Avx512;

    const TURNS: usize = 100;
    let vectors = Avx512::detect().filter(|_| backend == "avx512" && batch >= 16)?;
    let mut turns = || vectors.fill_ports(TURNS);
    let subject = Subject::new(TURNS * Avx512::TURN, &mut turns);
    let (operations, lanes) = operations(alg);
    let least = alone(windows, subject).least() * operations / lanes;
    let [time_us, ratio] = [least * 1e4, micros / least * 1e2].map(f64::round);
    Some(Limit { time_us: time_us / 1e4, ratio: ratio / 1e2 })
}

/// Returns `None`, because there is no AVX-512.
#[cfg(not(target_arch = "x86_64"))]
pub fn of(_: &str, _: &str, _: usize, _: usize, _: f64) -> Option<Limit> {
    None
}
