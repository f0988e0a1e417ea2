//! A socket that is watched: its bytes are counted, and neither end may keep it waiting for ever.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::account::Account;
use rustls::Connection;

/// How long a peer is waited for at the end.
const LINGER: Duration = Duration::from_millis(300);

/// One end of a connection.
pub struct Link {
    stream: TcpStream,
    is_client: bool,
    /// Holds what passed.
    pub account: Account,
    /// Time without a byte.
    idle: Duration,
    /// When what is under way must be done.
    until: Option<Instant>,
}

impl Link {
    /// Returns this end of `stream`.
    pub fn new(stream: TcpStream, is_client: bool, idle: Duration) -> Self {
        // Small messages are not held back; without it they are only slower.
        let _ = stream.set_nodelay(true);
        Self { stream, is_client, account: Account::default(), idle, until: None }
    }

    /// Gives what follows the same time as a whole.
    pub fn deadline(&mut self, time: Option<Duration>) {
        self.until = time.map(|time| Instant::now() + time);
    }

    /// Returns how long the next operation may wait.
    fn patience(&self) -> io::Result<Duration> {
        let left = self.until.map_or(self.idle, |until| {
            until.saturating_duration_since(Instant::now()).min(self.idle)
        });
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
    }

    /// Makes the handshake, within the idle time as a whole.
    pub fn shake(&mut self, connection: &mut Connection) -> io::Result<()> {
        self.deadline(Some(self.idle));
        while connection.is_handshaking() {
            connection.complete_io(self)?;
        }
        while connection.wants_write() {
            connection.write_tls(self)?;
        }
        self.deadline(None);
        Ok(())
    }

    /// Says goodbye; a peer that is gone already is none.
    pub fn close(&mut self, connection: &mut Connection) {
        connection.send_close_notify();
        self.end(connection);
    }

    /// Sends what is left to say, an alert perhaps, and lets the peer read it: a socket closed with
    /// unread bytes in it would take them back.
    pub fn end(&mut self, connection: &mut Connection) {
        self.deadline(Some(LINGER));
        while connection.wants_write() && connection.write_tls(self).is_ok() {}
        let _ = self.stream.shutdown(std::net::Shutdown::Write);
        let (mut rest, mut room) = ([0; 4096], 64);
        while room > 0 && self.read(&mut rest).is_ok_and(|count| count > 0) {
            room -= 1;
        }
    }
}

impl Read for Link {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(self.patience()?))?;
        let count = self.stream.read(into)?;
        self.account.note(!self.is_client, &into[..count]);
        Ok(count)
    }
}

impl Write for Link {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(Some(self.patience()?))?;
        let count = self.stream.write(bytes)?;
        self.account.note(self.is_client, &bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
