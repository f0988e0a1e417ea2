//! A C++ object behind a pointer, freed on drop.

use crate::Error;
use std::ffi::c_void;
use std::sync::{Mutex, PoisonError};

/// A model made by its shim's `new` function.
pub struct Model {
    pointer: Mutex<*mut c_void>,
    free: unsafe extern "C" fn(*mut c_void),
}

// SAFETY: a model holds no thread's own data, and the mutex lets one thread in at a time.
unsafe impl Send for Model {}
// SAFETY: a model holds no thread's own data, and every use goes through the mutex.
unsafe impl Sync for Model {}

impl Model {
    /// Takes ownership of the object that `new` made.
    ///
    /// # Safety
    /// `pointer` is null, or `free` accepts it once and nobody else uses it.
    pub unsafe fn own(
        pointer: *mut c_void,
        free: unsafe extern "C" fn(*mut c_void),
    ) -> Result<Self, Error> {
        if pointer.is_null() {
            Err(Error::NotBuilt)
        } else {
            Ok(Self { pointer: Mutex::new(pointer), free })
        }
    }

    /// Calls `work` with exclusive access to the model.
    pub fn with<T>(&self, work: impl FnOnce(*mut c_void) -> T) -> T {
        work(*self.pointer.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        let pointer = *self.pointer.get_mut().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: `own` was promised that `free` accepts this pointer once, and this is that once.
        unsafe { (self.free)(pointer) }
    }
}
