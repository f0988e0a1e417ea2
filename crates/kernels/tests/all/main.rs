//! Tests of every backend of this CPU against models and other implementations.

mod batches;
mod chains;
mod common;
mod counting;
mod digests;
mod grid;
mod vectors;
