//! Support for programs on the processor of `rtl/asip`: startup, a heap, output to the host, and
//! the measurement of signing and verification in cycles.
//!
//! Each program of `src/bin` is a step of the ladder: the same `hasten-hbs` with other kernels. It
//! prints one line of JSON for each operation. `cargo xtask hw asip` runs them in simulation.
#![cfg_attr(target_os = "none", no_std)]
#![cfg(target_os = "none")]

extern crate alloc;

mod absent;
mod apart;
mod batch;
mod compare;
mod finish;
mod generic;
mod grids;
mod heap;
mod key;
mod known;
mod ladder;
mod machine;
#[cfg(not(feature = "small"))]
mod memory;
mod nodes;
mod reduce;
mod refined;
mod shake;
mod short;
mod stack;
mod state;
mod unit;
mod words;

pub use compare::compare;
pub use generic::Generic;
pub use key::{Key, LMS_192, LMS_192_W8, LMS_256, LMS_256_W8, SHAKE_256, XMSS_192, XMSS_256};
pub use ladder::{Levels, climb};
pub use machine::end;
pub use refined::Refined;
