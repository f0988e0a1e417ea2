//! Stateful keys: a seed, a store of one-time indices, and the tree computed from the seed.
//!
//! A key is a directory of [`hasten_store`], with these files of ours beside the store's own:
//!
//! | file | holds |
//! |---|---|
//! | `secret` | the key's identity, set, reservation size, the seed, or those of the sectors that this directory has; under a passphrase if asked for ([`Sealed`]) |
//! | `fleet` | of a key whose indices come from a fleet: which |
//! | `service` | the key of the MAC of what a witness or a fleet's state holds |
//! | `progress` | while the key is generated: the nodes that are done; public, bound to the seeds by its digest |
//! | `cache` | the nodes from which signing starts; public, checked against the root when loaded; kept anew whenever a tree is put into use, before anything signed with it is given away |
//! | `leaves` | of a key that takes long to load without: the leaves next to the next index; public, checked against the secrets and `cache`; kept anew after a session that used it |
//! | `growth` | of a key of several layers: the trees that follow those in use, as far as they are made; public, bound to the seeds by its digest |
//! | `public.pem` | the public key; written last: a key without it is not finished |
//!
//! Each of ours but `fleet` and `public.pem` names the key it belongs to and is refused beside the
//! state of another one (`blob`); the store itself is bound to the public key. A key of the old
//! form, which had none of that, is brought up when it is opened (`upgrade`).
//!
//! Every signature takes its index from a durable reservation: [`Stateful::prepare`] consumes a
//! [`StorePermit`], which only [`Stateful::reserve`] and [`Stateful::permit`] make. And every
//! signature is recorded with the digest of what it signed: [`Ready::finish`] gives none without,
//! and [`Stateful::sign`] does all of it. [`Stateful::close`] confirms the record.
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
