//! The ends of a channel over UDP: sockets, ways to wait, and the main loops of a publisher and of
//! a subscriber.
//!
//! `hasten-channel` only seals and opens datagrams. This crate has the two ends as programs use
//! them. A [`publisher::Sender`] reads messages, signs them with keys that are already prepared,
//! and sends them. A [`subscriber::Receiver`] verifies the datagrams that arrive and delivers each
//! message once. A subscriber can keep a [`mark::Mark`], so that it never accepts an earlier
//! session again, and a recording, from which each message can be extracted for other verifiers.

mod error;
pub mod input;
mod interface;
pub mod mark;
pub mod publisher;
pub mod recording;
pub mod socket;
pub mod subscriber;
pub mod wait;
mod window;

pub use error::Error;
