//! Compares the simulated core with the portable kernel, and checks its cycles.

use hasten_kernels::{Kernel, Kernels, State1600};
use hasten_rtlsim::{BUILT, Error, RtlKeccak, named};

/// Returns true if there are simulated cores.
fn has_cores() -> bool {
    hasten_report::is_built(BUILT, "simulated cores", &["rtl"])
}

fn core() -> Option<RtlKeccak> {
    if !has_cores() {
        assert_eq!(RtlKeccak::new().unwrap_err(), Error::NotBuilt);
        return None;
    }
    Some(RtlKeccak::new().expect("the models were built"))
}

fn states(count: usize) -> Vec<State1600> {
    let mut seed = 1 + count as u64;
    let mut word = || {
        seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        seed ^ seed >> 29
    };
    (0..count).map(|_| std::array::from_fn(|_| word())).collect()
}

#[test]
fn every_batch_size_agrees_with_portable() {
    let Some(core) = core() else { return };
    for count in [0, 1, 3, 4, 5, 31, 200] {
        let mut ours = states(count);
        let mut theirs = ours.clone();
        Kernel::compress(&core, &mut ours, &vec![(); count]);
        Kernels::portable().keccak.permute(&mut theirs);
        assert_eq!(ours, theirs, "{count} states");
    }
}

#[test]
fn four_blocks_take_48_cycles_again_and_again() {
    let Some(core) = core() else { return };
    let cycles = |count| core.permute_counted(&mut states(count));
    let one = cycles(1);
    assert_eq!(one, 49, "48 cycles, and the one in which the result is taken");
    assert_eq!(cycles(4000) - cycles(40), (4000 - 40) / 4 * 48);
    assert!(core.cycles() > 48_000);
}

#[test]
fn the_bundle_is_found_by_name() {
    assert_eq!(named("rtl:nothing").unwrap_err(), Error::UnknownBackend);
    if core().is_some() {
        let kernels = named("rtl:keccak").expect("the models were built");
        assert_eq!(kernels.keccak.name(), "rtl:keccak");
    }
}
