//! Waiting for the time of the next message, and waiting for a datagram.

use std::io::ErrorKind;
use std::net::UdpSocket;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::Error;

/// Time after which a blocked receiver checks whether more messages will follow.
const LOOK: Duration = Duration::from_millis(50);

/// The way in which a side waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Wait {
    /// Polls, which keeps its core busy.
    Spin,
    /// Sleeps.
    Block,
}

impl Wait {
    /// All ways to wait.
    pub const ALL: [Self; 2] = [Self::Spin, Self::Block];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Spin => "spin",
            Self::Block => "block",
        }
    }

    /// Waits until `due`. Returns at once if that time has passed.
    pub fn until(self, due: Instant) {
        match self {
            Self::Block => std::thread::sleep(due.saturating_duration_since(Instant::now())),
            Self::Spin => {
                while Instant::now() < due {
                    std::hint::spin_loop();
                }
            }
        }
    }

    /// Configures a receiving socket.
    pub fn set(self, socket: &UdpSocket) -> Result<(), Error> {
        let set = match self {
            Self::Spin => socket.set_nonblocking(true),
            Self::Block => socket.set_read_timeout(Some(LOOK)),
        };
        set.map_err(Error::system("preparing the socket"))
    }
}

/// Returns the length of the next datagram, or `None` if none has arrived yet.
pub fn receive(socket: &UdpSocket, buffer: &mut [u8]) -> Result<Option<usize>, Error> {
    match socket.recv(buffer) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(cause) => match cause.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => Ok(None),
            _ => Err(Error::System { doing: "receiving", cause }),
        },
    }
}
