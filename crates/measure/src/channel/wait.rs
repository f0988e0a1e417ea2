//! The two ways to wait: for the time of the next message, and for a datagram.

use std::io::ErrorKind;
use std::net::UdpSocket;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::Error;

/// How long a blocked receiver waits before it looks whether there will be more.
const LOOK: Duration = Duration::from_millis(50);

/// How a side waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Wait {
    /// Asks again and again; its core is busy.
    Spin,
    /// Sleeps.
    Block,
}

impl Wait {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Spin, Self::Block];

    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Spin => "spin",
            Self::Block => "block",
        }
    }

    /// Waits until `due`. Returns at once if that has passed.
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

    /// Prepares a socket that receives.
    pub fn set(self, socket: &UdpSocket) -> Result<(), Error> {
        let set = match self {
            Self::Spin => socket.set_nonblocking(true),
            Self::Block => socket.set_read_timeout(Some(LOOK)),
        };
        set.map_err(Error::system("preparing the socket"))
    }
}

/// Returns the bytes of the next datagram; nothing if none is there yet.
pub fn receive(socket: &UdpSocket, buffer: &mut [u8]) -> Result<Option<usize>, Error> {
    match socket.recv(buffer) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(cause) => match cause.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => Ok(None),
            _ => Err(Error::System { doing: "receiving", cause }),
        },
    }
}
