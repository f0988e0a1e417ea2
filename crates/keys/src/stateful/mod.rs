//! Stateful keys: a seed, a store of one-time indices, and the trees computed from the seed.
//!
//! A key is a directory of [`hasten_store`] with these additional files:
//!
//! | file | contents |
//! |---|---|
//! | `secret` | the key's identity, set and reservation size; the seed, or the seeds of the sectors in this directory; optionally encrypted with a passphrase ([`Sealed`]) |
//! | `fleet` | the name of the fleet, if a fleet issues the indices |
//! | `service` | the MAC key for the values at a witness or in the state of a fleet |
//! | `progress` | during key generation: the finished nodes; public, bound to the seeds by its digest |
//! | `cache` | the nodes from which signing starts; public, checked against the root when loaded; rewritten whenever a new tree comes into use, before any signature of that tree is released |
//! | `leaves` | for keys that load slowly without it: the leaves next to the next index; public, checked against the secrets and `cache`; rewritten after each session that used it |
//! | `growth` | for keys with several layers: the finished parts of the trees that will be used next; public, bound to the seeds by its digest |
//! | `public.pem` | the public key; written last, so a key without it is unfinished |
//!
//! Each of these files, except `fleet` and `public.pem`, names its key and is refused together with
//! the state of another key (`blob`). The store itself is bound to the public key. Files of the old
//! format lacked these bindings; such a key is upgraded when it is opened (`upgrade`).
//!
//! Every signature takes its index from a durable reservation: [`Stateful::prepare`] consumes a
//! [`StorePermit`], which only [`Stateful::reserve`] and [`Stateful::permit`] provide. Every
//! signature is recorded with the digest of the signed bytes. [`Ready::finish`] does not return a
//! signature without recording it, and [`Stateful::sign`] performs all of these steps.
//! [`Stateful::close`] commits the record.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use hasten_hbs::{Set, SignerLevel};
//! use hasten_kernels::Kernels;
//! use hasten_keys::stateful::{Generation, NewStateful, Note, Sealed, Stateful};
//! use hasten_store::Options;
//!
//! # let place = tempfile::tempdir()?;
//! # let (dir, guard) = (place.path().join("key"), place.path().join("key.guard"));
//! let (kernels, options) = (Kernels::best(), Options::new().guard(&guard));
//! let new = NewStateful { set: Set::named("LMS_SHA256_M24_H5_W8")?, reserve: 1, sectors: 1 };
//! let generation = Generation::begin(&dir, options, new, None)?;
//! generation.run(kernels, 1, &mut |_progress| ControlFlow::Continue(()))?;
//!
//! let seeds = Sealed::of_store(&dir)?.open(None)?;
//! let mut key = Stateful::open(&dir, Options::new(), &seeds, kernels)?;
//! let ready = key.prepare_next(SignerLevel::ChainTable)?; // an index, and the slow part
//! let signature = ready.finish(b"firmware 1.2", Note::message())?; // a microsecond
//! assert_eq!(key.close()?.remaining, 31); // the record is confirmed
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blob;
mod carried;
mod foreign;
mod generate;
mod health;
mod key;
mod means;
mod nodes;
mod note;
mod permit;
mod ready;
mod rebuild;
mod sealed;
mod service;
mod sessions;
mod shard;
mod source;
mod upgrade;

pub use hasten_store::{Identity, is_store};

pub use carried::{OpenShard, SealedShard, export_shard, import_shard};
pub use foreign::Foreign;
pub use generate::{Generation, HandOver, NewStateful};
pub use health::{Ailment, ailments};
pub use key::{Stateful, digest_of, fleet_of, read_public_of, unfinished};
pub use note::{Note, Purpose};
pub use permit::{Reserved, StorePermit};
pub use ready::{Ready, ReleaseError, Unreleased};
pub use rebuild::{Rebuilding, Rebuilt};
pub use sealed::{Kept, Sealed, SectorSeed};
pub use service::{ServiceKey, identity_of, service_key, service_key_of};
pub use sessions::{Sessions, SignedTree, TREE_PREFIX, session_levels, statement};
pub use shard::{Share, give_shard, shares_seed};
