//! `hasten serve` and `hasten connect` against each other, and against peers that misbehave.
#![cfg(feature = "aws-lc")]

#[cfg(feature = "legacy")]
mod appendix;
mod connections;
mod place;
