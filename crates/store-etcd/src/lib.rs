//! State of one-time signature keys for fleets of signers: the same [`Indices`](hasten_store::Indices) over etcd.
//!
//! Every reservation is one linearizable transaction that moves the shared state on and writes a token of its own. After a timeout
//! the token is read back linearizably; if it cannot be found the interval is lost and never tried again. Each signer keeps a guard
//! file with the cluster's identity, its revision and the next index, and refuses a service that went back.
//!
//! A service restored from a snapshot is noticed by every signer that has reserved (or opened) after the snapshot was taken; the
//! first one to notice stops the whole fleet. A signer that was idle since before the snapshot cannot know: restore with a new
//! cluster token, which changes the cluster's identity for all.

mod client;
mod fleet;
mod ledger;
mod session;
mod store;
mod witness;

pub use client::{Answer, Client, Header, Pair, Silent, Transaction};
pub use fleet::Fleet;
pub use store::{EtcdService, EtcdStore};
pub use witness::EtcdWitness;
