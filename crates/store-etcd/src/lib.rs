//! State of one-time signature keys for fleets of signers: the same
//! [`Indices`](hasten_store::Indices) over etcd.
//!
//! Every reservation is one linearizable transaction that moves the shared state on and writes a
//! token of its own. After a timeout the token is read back linearizably; if it cannot be found the
//! interval is lost and never tried again. Each signer keeps a guard file with the cluster's
//! identity, its revision and the next index, and refuses a service that went back.
//!
//! A service restored from a snapshot is noticed by every signer: by the cluster's identity if that
//! changed, by the revision if the signer was active after the snapshot, and by the Raft term and
//! log, which begin anew. The first one to notice stops the whole fleet. A new signer has seen
//! nothing and joins with a token from one that has.

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
