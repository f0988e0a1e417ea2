//! The sending side.

mod background;
mod error;
mod identity;
mod permit;
mod preparer;
mod publisher;
mod session_tree;
mod slot;

pub use background::{Background, Sealer};
pub use error::Error;
pub use identity::Identity;
pub use preparer::{Made, Preparer};
pub use publisher::Publisher;
pub use slot::Slot;
