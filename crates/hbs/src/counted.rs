//! The pointer that counts its users: those of one thread, where the target cannot compare and
//! swap.

#[cfg(not(target_has_atomic = "ptr"))]
pub use alloc::rc::Rc as Arc;
#[cfg(target_has_atomic = "ptr")]
pub use alloc::sync::Arc;
