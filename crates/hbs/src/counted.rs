//! The reference-counted pointer of this crate: `Arc`, or `Rc` on targets without compare-and-swap,
//! where it works in one thread only.

#[cfg(not(target_has_atomic = "ptr"))]
pub use alloc::rc::Rc as Arc;
#[cfg(target_has_atomic = "ptr")]
pub use alloc::sync::Arc;
