//! A socket with a byte count and time limits, so that neither end can keep it waiting forever.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::account::Account;
use rustls::Connection;

/// Time to wait for the peer at the end.
const LINGER: Duration = Duration::from_millis(300);

/// One end of a connection.
pub struct Link {
    stream: TcpStream,
    is_client: bool,
    /// The bytes that were sent and received.
    pub account: Account,
    /// Time limit for a pause without a byte.
    idle: Duration,
    /// Time at which the current operations must be finished.
    until: Option<Instant>,
}

impl Link {
    /// Returns this end of `stream`.
    pub fn new(stream: TcpStream, is_client: bool, idle: Duration) -> Self {
        // Sends small messages without delay. Without this option they are only slower.
        let _ = stream.set_nodelay(true);
        Self { stream, is_client, account: Account::default(), idle, until: None }
    }

    /// Sets a time limit for all following operations together.
    pub fn deadline(&mut self, time: Option<Duration>) {
        self.until = time.map(|time| Instant::now() + time);
    }

    /// Returns the time that the next operation may wait.
    fn patience(&self) -> io::Result<Duration> {
        let left = self.until.map_or(self.idle, |until| {
            until.saturating_duration_since(Instant::now()).min(self.idle)
        });
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
    }

    /// Performs the handshake, with the idle time as a limit for all of it.
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

    /// Closes the connection. It does not matter if the peer is already gone.
    pub fn close(&mut self, connection: &mut Connection) {
        connection.send_close_notify();
        self.end(connection);
    }

    /// Sends what is left, possibly an alert, and gives the peer time to read it. A socket that is
    /// closed with unread bytes would discard what was sent.
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
