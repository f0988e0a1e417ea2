//! Stateful keys: a seed, a store of one-time indices, and the tree computed from the seed.
//!
//! A key is a directory of [`hasten_store`], with these files of ours beside the store's own:
//!
//! | file | holds |
//! |---|---|
//! | `secret` | set, reservation size, seed; the seed under a passphrase if asked for ([`Sealed`]) |
//! | `progress` | while the key is generated: the nodes that are done; public |
//! | `cache` | the nodes from which signing starts; public, checked against the root when loaded |
//! | `public.pem` | the public key; written last: a key without it is not finished |
//!
//! Every signature takes its index from a durable reservation: [`Stateful::prepare`] consumes a
//! [`StorePermit`], which only [`Stateful::reserve`] makes.

mod blob;
mod generate;
mod key;
mod permit;
mod sealed;
mod shard;

pub use generate::{Generation, NewStateful};
pub use key::{Ready, Stateful, read_public_of};
pub use permit::{Reserved, StorePermit};
pub use sealed::{Kept, Sealed};
pub use shard::give_shard;
