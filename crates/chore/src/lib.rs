//! The frame of a chore: why it failed, where the checkout is, and the programs that it runs.

pub mod checkout;
pub mod failure;
pub mod program;
