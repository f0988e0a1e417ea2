//! Kernels for the hash functions that a program does not use. Kernels that compute them would be a
//! third of its code.

use hasten_kernels::chain::{Masked, Rule, Span};
use hasten_kernels::{HashFunction, Kernel, Messages};

/// A kernel that the program's parameter sets never call.
pub struct Absent;

impl<H: HashFunction> Kernel<H> for Absent {
    fn name(&self) -> &'static str {
        "absent"
    }

    fn lanes(&self) -> usize {
        1
    }

    fn compress(&self, _: &mut [H::State], _: &[H::Block]) {
        end()
    }

    fn chains(&self, _: &Rule<'_, H>, _: &[Span], _: &mut [u8]) {
        end()
    }

    fn rows(&self, _: &Masked<'_, H>, _: &[Span], _: &mut [u8]) {
        end()
    }

    fn digests(&self, _: &Messages<'_, H>, _: &mut [u8], _: usize) {
        end()
    }
}

/// Ends the program with an error.
fn end() -> ! {
    panic!("a set of SHA-256 hashes with nothing else")
}
