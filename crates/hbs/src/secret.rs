//! Bytes that are overwritten when they are dropped.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Deref, DerefMut};

/// A buffer of fixed length for secrets. It is not `Clone`, and `Debug` shows no content.
#[derive(Default)]
pub(crate) struct Secret(Vec<u8>);

impl Secret {
    /// Returns `len` zero bytes.
    pub fn zero(len: usize) -> Self {
        Self(vec![0; len])
    }

    /// Returns a copy of `bytes`.
    pub fn copy(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }

    /// Returns the bytes, which are no longer secret.
    pub fn publish(mut self) -> Vec<u8> {
        core::mem::take(&mut self.0)
    }
}

impl Deref for Secret {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Secret {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// A plain fill followed by an optimisation barrier. A chain table has 34 kB; overwriting it byte
/// by byte would take longer than signing with it.
impl Drop for Secret {
    fn drop(&mut self) {
        self.0.fill(0);
        zeroize::optimization_barrier(self.0.as_slice());
    }
}
