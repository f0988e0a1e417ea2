//! The channel from end to end: both sides, hostile datagrams, changes of trees, and identities in
//! a store.

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
