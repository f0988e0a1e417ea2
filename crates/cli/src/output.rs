//! Results on standard output. A reader that has gone away (`| head`) is no error.

use std::io::{BufRead, ErrorKind, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

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

/// Returns bytes as two digits each.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Remarks that the report is to hold, where it stands on the error stream as JSON.
static KEPT: Mutex<Option<Vec<String>>> = Mutex::new(None);

fn kept() -> MutexGuard<'static, Option<Vec<String>>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps the remarks from now on for the report.
pub fn keep_notes() {
    *kept() = Some(Vec::new());
}

/// Returns the remarks that were kept; later ones are printed.
pub fn kept_notes() -> Vec<String> {
    kept().take().unwrap_or_default()
}

/// Prints a remark on the error stream, in the form of every remark.
pub fn note(text: &str) {
    match &mut *kept() {
        Some(notes) => notes.push(text.to_owned()),
        None => aside(&format!("hasten: {text}")),
    }
}

/// Says `question` on the error stream and reads a line; returns whether it is `yes`.
pub fn is_confirmed(question: &str) -> Result<bool, Error> {
    note(question);
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).map_err(Error::system("reading the answer"))?;
    Ok(answer.trim() == "yes")
}

/// Writes a line to the error stream. Where that is full or gone nobody can be told, and the work
/// goes on.
pub fn aside(text: &str) {
    drop(writeln!(std::io::stderr().lock(), "{text}"));
}
