//! The ends of a channel over UDP: sockets, ways to wait, and the lives of a publisher and of a
//! subscriber.
//!
//! `hasten-channel` seals and opens datagrams and does nothing else. Here are its ends as programs
//! have them: a [`publisher::Sender`] reads messages, signs them with keys that are prepared
//! already, and sends them; a [`subscriber::Receiver`] verifies what comes and hands each message
//! on once. A subscriber can keep a [`mark::Mark`], so that it never believes an earlier session
//! again, and a recording, from which each message can be taken out for other verifiers.

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
