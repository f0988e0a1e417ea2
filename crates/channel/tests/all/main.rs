//! The channel from end to end: both sides, hostile datagrams, roll-over, a store underneath.

mod batches;
mod ends;
mod hostile;
mod kills;
mod leaves;
mod memory;
#[path = "../../examples/network/simulation.rs"]
mod simulation;
mod store;
mod trees;
mod xmss;
