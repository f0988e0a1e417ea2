//! A process that handles keys: its files, its termination, its memory.
//!
//! [`files`]: results appear completely or not at all, and replace nothing that a key needs.
//! [`interrupt`]: no unfinished file remains when the process is asked to end. [`memory`]: secrets
//! stay out of core dumps, of debuggers of the same user and of the swap space. [`terminal`]: a
//! secret is not shown while it is typed, and later input is shown again. [`Shown`]: names and
//! foreign texts cannot control a terminal. [`user`]: the user who runs the process.

#[cfg(not(unix))]
compile_error!("it is for Linux and macOS: its files need a Unix");

mod error;
pub mod files;
pub mod interrupt;
pub mod memory;
mod shown;
pub mod terminal;
pub mod user;

pub use error::{Error, NoOutput};
pub use shown::Shown;
