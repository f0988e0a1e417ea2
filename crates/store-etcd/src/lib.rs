//! State of one-time signature keys for fleets of signers: the same
//! [`Indices`](hasten_store::Indices) over etcd.
//!
//! Every reservation is one linearizable transaction, which advances the shared state and writes a
//! token of its own. After a timeout the token is read back linearizably. If it cannot be found,
//! the interval is lost and never tried again. Each signer keeps a guard file with the cluster's
//! identity, its revision and the next index, and refuses a service that was rolled back.
//!
//! Every signer detects a service that was restored from a snapshot: by the cluster's identity if
//! that changed, by the revision if the signer was active after the snapshot, and by the Raft term
//! and log, which restart. The first signer that detects it stops the whole fleet. A new signer has
//! no history of its own, so it joins with a token from a signer that has.

mod access;
mod client;
mod fleet;
mod join;
mod ledger;
mod name;
mod raft;
mod session;
mod store;
mod witness;

pub use access::{Access, BadAccess};
pub use client::{Answer, Client, Header, Pair, Silent, Transaction};
pub use fleet::Fleet;
pub use name::{BadName, Name};
pub use store::{EtcdService, EtcdStore};
pub use witness::EtcdCell;
