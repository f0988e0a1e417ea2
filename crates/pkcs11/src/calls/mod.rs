//! The functions of the standard, with one file for each of its chapters.

mod general;
mod keys;
mod objects;
mod sessions;
mod signatures;
mod slots;

pub use general::*;
pub use keys::*;
pub use objects::*;
pub use sessions::*;
pub use signatures::*;
pub use slots::*;
