//! A process that handles keys: its files, its end, its memory.
//!
//! [`files`]: results appear whole or not at all, and replace nothing that a key needs.
//! [`interrupt`]: nothing unfinished is left when the process is asked to end. [`memory`]: secrets
//! stay out of core dumps, of debuggers of the same user and of the swap space. [`terminal`]: a
//! secret that is typed is not shown, and what is typed after it is. [`Shown`]: names and foreign
//! texts do not drive a terminal. [`user`]: who runs the process.

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
