//! Results on standard output. A reader that has gone away (`| head`) is no error.

use std::io::{ErrorKind, Write};

use crate::error::Error;

/// Prints a text and a line end.
pub fn print(text: &str) -> Result<(), Error> {
    match writeln!(std::io::stdout().lock(), "{text}") {
        Err(cause) if cause.kind() != ErrorKind::BrokenPipe => {
            Err(Error::System { doing: "writing the result", cause })
        }
        _ => Ok(()),
    }
}

/// A remark on the error stream, in the form of every remark.
pub fn note(text: &str) {
    eprintln!("hasten: {text}");
}
