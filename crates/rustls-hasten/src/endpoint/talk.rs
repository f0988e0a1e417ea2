//! Reading and writing through a connection and its link.

use std::io::{self, Read, Write};

use rustls::Connection;

use super::link::Link;

/// Number of bytes that are sent before their echo is read.
const PART: usize = 1 << 14;

/// Access to the plaintext of a connection.
pub struct Talk<'t> {
    /// The TLS state.
    pub connection: &'t mut Connection,
    /// The socket.
    pub link: &'t mut Link,
}

impl Talk<'_> {
    fn send(&mut self) -> io::Result<()> {
        while self.connection.wants_write() {
            self.connection.write_tls(self.link)?;
        }
        Ok(())
    }

    /// Sends a message to a server that echoes everything, and writes the bytes that come back to
    /// `out` as they arrive.
    ///
    /// # Errors
    /// The error of the connection, of `message` or of `out`; `UnexpectedEof` if less comes back
    /// than was sent.
    pub fn exchange(&mut self, message: &mut impl Read, out: &mut impl Write) -> io::Result<()> {
        // Sends in parts, so that neither side waits for the other to read.
        let mut part = vec![0; PART];
        loop {
            let count = match message.read(&mut part) {
                Ok(0) => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            self.write_all(&part[..count])?;
            self.read_exact(&mut part[..count])?;
            out.write_all(&part[..count])?;
        }
    }

    /// Processes bytes from the peer. Returns false if there are no more.
    fn receive(&mut self) -> io::Result<bool> {
        let count = self.connection.read_tls(self.link)?;
        let state = self.connection.process_new_packets();
        let sent = self.send();
        state.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        sent.map(|()| count > 0)
    }
}

impl Read for Talk<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.connection.reader().read(into) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                done => return done,
            }
            if !self.receive()? {
                return self.connection.reader().read(into);
            }
        }
    }
}

impl Write for Talk<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.connection.writer().write(bytes)?;
        self.send()?;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.send()
    }
}
