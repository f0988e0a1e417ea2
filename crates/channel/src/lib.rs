//! An authenticated channel of datagrams, signed with one-time keys that are prepared before the
//! message exists.
//!
//! [`Publisher::seal`] makes a datagram out of a payload; [`Subscriber::open`] gives the payload
//! back, once, if the holder of the identity has signed it. Nothing here opens a socket, reads a
//! clock or, but for [`Background`], starts a thread.
//!
//! - The **identity** is a stateful key of LMS, HSS, XMSS or XMSS^MT in a store. It signs the
//!   public keys of **session trees** and nothing else.
//! - A **session tree** is an LMS tree out of the system's generator. It lives in memory only and
//!   signs the messages. A message takes no disk write; a tree takes one.
//! - A message's signature behind the signed key of its tree is one signature of RFC 8554, HSS, of
//!   header and payload: [`export`](export()) gives it to any verifier of HSS. An identity of XMSS
//!   or XMSS^MT signs the tree by a framing of our own, so `export` gives two signatures.
//!
//! `docs/channel.md` of the repository has the format byte by byte, and the argument why no key is
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

/// The first page, whose example is tested here.
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
