//! A key log in the format of NSS, with one line for each secret.

use std::fmt;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use rustls::KeyLog;
use zeroize::Zeroizing;

/// Writes a line for each secret of a connection.
pub struct Lines<W>(Mutex<W>);

impl<W: Write + Send> Lines<W> {
    /// Returns a log that writes to `to`.
    pub fn new(to: W) -> Self {
        Self(Mutex::new(to))
    }
}

impl<W> fmt::Debug for Lines<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").finish_non_exhaustive()
    }
}

impl<W: Write + Send> KeyLog for Lines<W> {
    fn log(&self, label: &str, client_random: &[u8], secret: &[u8]) {
        let secret = Zeroizing::new(hex(secret));
        let line = Zeroizing::new(format!("{label} {} {}\n", hex(client_random), *secret));
        let mut to = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A log that cannot be written must not end the connection.
        let _ = to.write_all(line.as_bytes());
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_each_secret() {
        let log = Lines::new(Vec::new());
        log.log("CLIENT_TRAFFIC_SECRET_0", &[1, 0xab], &[0xff]);
        log.log("EXPORTER_SECRET", &[2], &[3]);
        let text = String::from_utf8(log.0.into_inner().expect("unlocked")).expect("text");
        assert_eq!(text, "CLIENT_TRAFFIC_SECRET_0 01ab ff\nEXPORTER_SECRET 02 03\n");
    }
}
