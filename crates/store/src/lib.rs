//! State of one-time signature keys: keeps track of the unused indices, so that no index is used
//! twice.
//!
//! The crate does not depend on a signature scheme: an index is a number. [`Store::reserve`]
//! returns only after the reservation is durable. Each reserved index comes as a [`Permit`], which
//! is checked again at the moment of use and then consumed. No crash, full disk, second process,
//! fork or restored copy makes an index available twice. Indices that are lost in such an event are
//! counted. A clone of the whole machine cannot be detected without a witness: see the chapter on
//! state, `docs/state.md`.
//!
//! ```
//! use hasten_store::{NewKey, Options};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let place = std::env::temp_dir().join(format!("hasten-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&place)?;
//! let (dir, guard) = (place.join("fw"), place.join("fw.guard"));
//! let mut store = Options::new().guard(&guard).create(&dir, &NewKey::new(1024))?;
//! for permit in store.reserve(3)? {
//!     let index = permit.index(); // prepare whatever needs the index
//!     permit.check()?; //            right before the signature is made
//!     assert!(index < 1024);
//!     permit.record()?; //           the signature is out
//! }
//! let status = store.close()?;
//! assert_eq!((status.used, status.lost, status.remaining), (3, 0, 1021));
//! # std::fs::remove_dir_all(&place)?;
//! # Ok(())
//! # }
//! ```

mod ahead;
mod binding;
mod blob;
mod calendar;
mod carrier;
mod config;
mod create;
mod env;
mod error;
mod files;
mod filesystem;
mod guard;
mod home;
mod identity;
mod indices;
mod judge;
mod kind;
mod lock;
mod log;
// On Unix this is compiled only to test its refusals.
#[cfg(all(test, unix))]
mod no_os;
mod open;
mod options;
// On other systems no locks and durable writes are known to be reliable, so a store is refused.
#[cfg_attr(not(unix), path = "no_os.rs")]
mod os;
mod owner;
mod peek;
mod permit;
mod place;
mod record;
mod recovery;
mod remote;
mod repair;
mod shard;
mod state;
mod status;
mod store;
mod visible;
mod witness;

pub use ahead::{Ahead, Keeper, Policy, Tap, low_mark};
pub use carrier::{CarriedService, Carrier};
pub use create::NewKey;
pub use env::{Env, File, Stat};
pub use error::{Argument, Break, Call, Errno, FileKind, Holder, Reason, Refusal, StoreError};
pub use files::is_store;
pub use filesystem::FileSystem;
pub use guard::Guard;
pub use home::UserFolder;
pub use identity::{FileIdentity, Identity};
pub use indices::Indices;
pub use judge::{GuardMark, Verdict, judge, judge_witness};
pub use log::{Detail, Entry, Gap, Gaps, Signed};
pub use options::Options;
pub use os::Os;
pub use permit::{Interval, Permit, Recorder};
pub use record::{Kind, RECORD, Record, TAG, Tag};
pub use recovery::{Evidence, Recovery};
pub use remote::{Remote, Service, Used};
pub use repair::Repair;
pub use shard::{Carried, Grant, Offer, ShardFile, ShardPlace, Unfinished};
pub use state::State;
pub use status::Status;
pub use store::{SetAside, Store};
pub use visible::{is_hidden, visible};
pub use witness::{Cell, CellWitness, IdentityFile, MacKey, Machine, Mark, Witness, is_word};
#[cfg(unix)]
pub use witness::{ExecCell, FileCell, Trouble};

/// The chapter on state. Its example is tested here.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/state.md")]
pub struct Chapter;
