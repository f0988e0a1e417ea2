//! `hbs_verify_axi` as the [`Bus`] of its driver. The driver runs on the simulated core as on a
//! board.

use crate::Error;
use crate::model::Model;
use crate::registers::hbs_verify_driver::Bus;
use std::ffi::c_void;
use std::fmt;

/// The simulated core on its bus.
pub struct RtlHbsVerify {
    model: Model,
}

/// An access that the core refuses, or a word that it does not take within a million cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refused;

impl RtlHbsVerify {
    /// Returns a new core, just reset.
    ///
    /// # Errors
    /// [`Error::NotBuilt`].
    pub fn new() -> Result<Self, Error> {
        let (new, free) = (shim::hasten_hbs_verify_new, shim::hasten_hbs_verify_free);
        // SAFETY: the shim's `new` gives null or a core that its `free` accepts once; nobody else
        // has it.
        let model = unsafe { Model::own(new(), free) }?;
        Ok(Self { model })
    }

    fn access(&self, work: impl FnOnce(*mut c_void) -> bool) -> Result<(), Refused> {
        self.model.with(work).then_some(()).ok_or(Refused)
    }
}

impl Bus for RtlHbsVerify {
    type Error = Refused;

    fn read(&mut self, address: usize) -> Result<u32, Refused> {
        let mut value = 0;
        let address = u32::try_from(address).map_err(|_| Refused)?;
        // SAFETY: the model is used alone, and `value` outlives the call.
        self.access(|core| unsafe { shim::hasten_hbs_verify_read(core, address, &mut value) })?;
        Ok(value)
    }

    fn write(&mut self, address: usize, value: u32) -> Result<(), Refused> {
        let address = u32::try_from(address).map_err(|_| Refused)?;
        // SAFETY: the model is used alone.
        self.access(|core| unsafe { shim::hasten_hbs_verify_write(core, address, value) })
    }

    fn send(&mut self, word: [u8; 4], last: bool) -> Result<(), Refused> {
        let word = u32::from_le_bytes(word);
        // SAFETY: the model is used alone.
        self.access(|core| unsafe { shim::hasten_hbs_verify_send(core, word, last) })
    }
}

impl fmt::Debug for RtlHbsVerify {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RtlHbsVerify").finish_non_exhaustive()
    }
}

#[cfg(verilated)]
mod shim {
    use std::ffi::c_void;

    unsafe extern "C" {
        pub fn hasten_hbs_verify_new() -> *mut c_void;
        pub fn hasten_hbs_verify_free(core: *mut c_void);
        pub fn hasten_hbs_verify_read(core: *mut c_void, address: u32, value: *mut u32) -> bool;
        pub fn hasten_hbs_verify_write(core: *mut c_void, address: u32, value: u32) -> bool;
        pub fn hasten_hbs_verify_send(core: *mut c_void, word: u32, last: bool) -> bool;
    }
}

/// Stubs for a build without models: no core is ever made.
#[cfg(not(verilated))]
mod shim {
    use std::ffi::c_void;

    pub unsafe fn hasten_hbs_verify_new() -> *mut c_void {
        std::ptr::null_mut()
    }
    pub unsafe extern "C" fn hasten_hbs_verify_free(_core: *mut c_void) {}
    pub unsafe fn hasten_hbs_verify_read(_: *mut c_void, _: u32, _: *mut u32) -> bool {
        false
    }
    pub unsafe fn hasten_hbs_verify_write(_: *mut c_void, _: u32, _: u32) -> bool {
        false
    }
    pub unsafe fn hasten_hbs_verify_send(_: *mut c_void, _: u32, _: bool) -> bool {
        false
    }
}
