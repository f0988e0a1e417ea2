//! `keccak_core` (UNROLL 2, inner and output registers) as a backend: four states in flight, 48
//! cycles each.

use crate::Error;
use crate::model::Model;
use hasten_kernels::{Keccak, Kernel, State1600};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// The simulated Keccak core.
pub struct RtlKeccak {
    model: Model,
    cycles: AtomicU64,
}

impl RtlKeccak {
    /// Returns a new core, just reset.
    ///
    /// # Errors
    /// [`Error::NotBuilt`].
    pub fn new() -> Result<Self, Error> {
        // SAFETY: the shim's `new` gives null or a core that its `free` accepts once; nobody else
        // has it.
        let model = unsafe { Model::own(shim::hasten_keccak_new(), shim::hasten_keccak_free) }?;
        Ok(Self { model, cycles: AtomicU64::new(0) })
    }

    /// Permutes every state. Returns the clock cycles from the first entry to the last result.
    pub fn permute_counted(&self, states: &mut [State1600]) -> u64 {
        let (pointer, count) = (states.as_mut_ptr().cast::<u64>(), states.len());
        // SAFETY: the pointer is to `count` states of 25 words, nobody else sees them, and the
        // model is used alone.
        let cycles =
            self.model.with(|core| unsafe { shim::hasten_keccak_permute(core, pointer, count) });
        self.cycles.fetch_add(cycles, Ordering::Relaxed);
        cycles
    }

    /// Returns the clock cycles of all permutations so far.
    pub fn cycles(&self) -> u64 {
        self.cycles.load(Ordering::Relaxed)
    }
}

impl Kernel<Keccak> for RtlKeccak {
    fn name(&self) -> &'static str {
        crate::KECCAK
    }

    fn lanes(&self) -> usize {
        4
    }

    fn compress(&self, states: &mut [State1600], _blocks: &[()]) {
        self.permute_counted(states);
    }
}

impl fmt::Debug for RtlKeccak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RtlKeccak").field("cycles", &self.cycles()).finish_non_exhaustive()
    }
}

#[cfg(verilated)]
mod shim {
    use std::ffi::c_void;

    unsafe extern "C" {
        pub fn hasten_keccak_new() -> *mut c_void;
        pub fn hasten_keccak_free(core: *mut c_void);
        pub fn hasten_keccak_permute(core: *mut c_void, states: *mut u64, count: usize) -> u64;
    }
}

/// Stubs for a build without models: no core is ever made.
#[cfg(not(verilated))]
mod shim {
    use std::ffi::c_void;

    pub unsafe fn hasten_keccak_new() -> *mut c_void {
        std::ptr::null_mut()
    }
    pub unsafe extern "C" fn hasten_keccak_free(_core: *mut c_void) {}
    pub unsafe fn hasten_keccak_permute(
        _core: *mut c_void,
        _states: *mut u64,
        _count: usize,
    ) -> u64 {
        0
    }
}
