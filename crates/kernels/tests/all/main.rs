//! Every backend of this CPU against models and other implementations.

mod chains;
mod common;
mod digests;
