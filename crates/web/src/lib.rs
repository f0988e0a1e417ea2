//! The computing part of the page: the crates of the tool, compiled to WebAssembly.
//!
//! A question is one line of JSON, followed by files: [`answer`]. The page writes it to the address
//! returned by `hasten_input`, calls `hasten_answer`, and reads the answer at the address returned
//! by `hasten_output`. There is no other input or output.

mod answer;
mod explore;
mod exports;
mod ladder;
mod operation;
mod store;
mod verify;

pub use answer::answer;
pub use explore::State;
