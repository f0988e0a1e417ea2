//! Reasons why an end of a channel cannot start, or stops.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use crate::interface::Interface;

/// Reason why publishing, receiving or reading a recording failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The publisher cannot continue.
    #[error(transparent)]
    Publishing(#[from] hasten_channel::Error),
    /// An error of a file or of the system.
    #[error(transparent)]
    Process(#[from] hasten_process::Error),
    /// The process may not use this core.
    #[error("--cpu: this process may not use core {0}")]
    NoCore(usize),
    /// The interface cannot be used with this address.
    #[error("--interface: {interface} does not go with {address}")]
    Interface {
        /// The interface.
        interface: Interface,
        /// The address to send to, or to receive on.
        address: SocketAddr,
    },
    /// The file is not a recording.
    #[error("{0}: no recording")]
    NotARecording(PathBuf),
    /// The recording has no message with this number.
    #[error("{path}: no message {number}: it holds {has}, counted from 0")]
    NoMessage {
        /// The recording.
        path: PathBuf,
        /// Number of the requested message.
        number: usize,
        /// Number of messages in the recording.
        has: usize,
    },
    /// A recorded message does not verify.
    #[error("{path}: message {number} does not verify")]
    Forged {
        /// The recording.
        path: PathBuf,
        /// Number of the message.
        number: usize,
    },
    /// The file is not a mark, or is damaged.
    #[error("{0}: no mark, or a damaged one")]
    NotAMark(PathBuf),
    /// The mark belongs to another identity.
    #[error("{0}: the mark of another identity")]
    MarkOfOther(PathBuf),
    /// Another subscriber holds the mark.
    #[error("{0}: another subscriber holds this mark")]
    MarkInUse(PathBuf),
}

impl Error {
    /// Returns a system error, with the action that failed.
    pub fn system(doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |cause| Self::Process(hasten_process::Error::System { doing, cause })
    }
}
