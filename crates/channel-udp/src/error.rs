//! Reasons for which an end of a channel does not come about, or stops.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use crate::interface::Interface;

/// Says why nothing is published, received or read from a recording.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The publisher cannot go on.
    #[error(transparent)]
    Publishing(#[from] hasten_channel::Error),
    /// A file, or the system.
    #[error(transparent)]
    Process(#[from] hasten_process::Error),
    /// The process may not use this core.
    #[error("--cpu: this process may not use core {0}")]
    NoCore(usize),
    /// An interface that cannot be used with this address.
    #[error("--interface: {interface} does not go with {address}")]
    Interface {
        /// The interface.
        interface: Interface,
        /// The address to send to, or to receive on.
        address: SocketAddr,
    },
    /// The file is no recording.
    #[error("{0}: no recording")]
    NotARecording(PathBuf),
    /// The recording has no message of this number.
    #[error("{path}: no message {number}: it holds {has}, counted from 0")]
    NoMessage {
        /// The recording.
        path: PathBuf,
        /// The message that was asked for.
        number: usize,
        /// The messages that it has.
        has: usize,
    },
    /// A recorded message does not verify.
    #[error("{path}: message {number} does not verify")]
    Forged {
        /// The recording.
        path: PathBuf,
        /// The message.
        number: usize,
    },
    /// The file is no mark, or is damaged.
    #[error("{0}: no mark, or a damaged one")]
    NotAMark(PathBuf),
    /// The mark is of another identity.
    #[error("{0}: the mark of another identity")]
    MarkOfOther(PathBuf),
    /// Another subscriber holds the mark.
    #[error("{0}: another subscriber holds this mark")]
    MarkInUse(PathBuf),
}

impl Error {
    /// Returns a system error, with what was being done.
    pub fn system(doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |cause| Self::Process(hasten_process::Error::System { doing, cause })
    }
}
