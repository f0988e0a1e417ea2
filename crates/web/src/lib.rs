//! The computing part of the page: the same crates as the tool, compiled to WebAssembly.
//!
//! A question is one line of JSON, with files behind it: [`answer`]. The page writes it where
//! `hasten_input` says, calls `hasten_answer`, and reads what `hasten_output` points to. Nothing is
//! read or sent besides.

mod answer;
mod explore;
mod exports;
mod ladder;
mod operation;
mod store;
mod verify;

pub use answer::answer;
pub use explore::State;
