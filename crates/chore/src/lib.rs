//! Common parts of a chore: its errors, the location of the checkout, and running programs.

pub mod checkout;
pub mod failure;
pub mod program;
