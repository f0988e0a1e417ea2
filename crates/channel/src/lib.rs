//! An authenticated channel of datagrams, signed with one-time keys that are prepared before the
//! message exists.
//!
//! [`Publisher::seal`] turns a payload into a datagram. [`Subscriber::open`] returns the payload,
//! once, if the holder of the identity has signed it. This crate opens no socket, reads no clock
//! and, apart from [`Background`], starts no thread.
//!
//! - The **identity** is a stateful key of LMS, HSS, XMSS or XMSS^MT in a store. It signs the
//!   public keys of **session trees** and nothing else.
//! - A **session tree** is an LMS tree with a seed from the system's generator. It exists only in
//!   memory and signs the messages. A message needs no disk write; a tree needs one.
//! - The signed key of its tree followed by a message's signature is one HSS signature of RFC 8554
//!   over header and payload: [`export`](export()) returns it for any verifier of HSS. An identity
//!   of XMSS or XMSS^MT signs the tree in a framing of our own, so `export` returns two signatures.
//!
//! `docs/channel.md` of the repository describes the format byte by byte and explains why no key is
//! used twice.
#![cfg_attr(not(feature = "publish"), no_std)]

extern crate alloc;

mod batch;
mod export;
mod format;
#[cfg(feature = "publish")]
mod publish;
mod refusal;
mod signed_keys;
mod subscriber;
mod trees;
mod window;

/// The README, whose example is tested here.
#[cfg(all(doctest, feature = "publish"))]
#[doc = include_str!("../README.md")]
pub struct Readme;

pub use batch::MOST_BATCH;
pub use export::{Exported, ExportedBatched, ExportedTree, export};
pub use format::{HEADER_BYTES, MOST_BYTES, announced_tree, message_tree};
#[cfg(feature = "publish")]
pub use publish::{Background, Error, Identity, Made, Preparer, Publisher, Sealer, Slot};
pub use refusal::Refusal;
pub use subscriber::{Event, Subscriber, Verified};
pub use trees::MOST_TREES;
pub use window::WINDOW;
