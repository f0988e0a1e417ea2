//! What the first steps of a vector unit cost that has rested.

use std::hint::black_box;
use std::time::{Duration, Instant};

use hasten_kernels::Kernels;
use hasten_model::costs::{Cost, What, kernel};

use crate::stats::{Summary, round};
use crate::units::micros;

/// Rest before each run.
const REST: Duration = Duration::from_millis(10);
/// Runs, each rested and at once again.
const RUNS: usize = 40;
/// Steps after which the time is read.
const AT: [usize; 10] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
/// States in a step.
const LANES: usize = 16;

/// What is added to so many steps of SHA-256 in all lanes.
pub fn measure(kernels: Kernels<'_>) -> Vec<Cost> {
    let (mut rested, mut warm) = (vec![Vec::new(); AT.len()], vec![Vec::new(); AT.len()]);
    for _ in 0..RUNS {
        std::thread::sleep(REST);
        steps(kernels, &mut rested);
        steps(kernels, &mut warm);
    }
    let of = || kernel(hasten_kernels::Which::Sha256).to_owned();
    let mut most = 0.0_f64;
    let row = |(count, (rested, warm)): (usize, (Vec<f64>, Vec<f64>))| {
        most = most.max(Summary::of(&rested).p50 - Summary::of(&warm).p50);
        Cost { what: What::Rested, of: of(), n: 32, level: None, count, cost_us: round(most) }
    };
    AT.into_iter().zip(rested.into_iter().zip(warm)).map(row).collect()
}

/// Steps on end; the time since the first after each count of [`AT`].
fn steps(kernels: Kernels<'_>, times: &mut [Vec<f64>]) {
    let (mut states, blocks) = ([[1_u32; 8]; LANES], [[0x5a; 64]; LANES]);
    let (begun, mut done) = (Instant::now(), 0);
    for (count, times) in AT.into_iter().zip(times) {
        for _ in done..count {
            kernels.sha256.compress(&mut states, &blocks);
        }
        done = count;
        times.push(micros(begun.elapsed()));
    }
    black_box(states);
}
