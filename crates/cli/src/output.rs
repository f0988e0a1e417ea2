//! Results on standard output. A reader that has gone away (`| head`) is not an error. In names and
//! foreign texts, characters that could control the reader's terminal are escaped on both streams.

use std::io::{BufRead, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hasten_process::Shown;

use crate::error::Error;

/// Prints a text and a line end.
pub fn print(text: &str) -> Result<(), Error> {
    print_by(|to| writeln!(to, "{text}"))
}

/// Prints what `write` writes. Hidden characters are escaped, except for line ends and tabs.
pub fn print_by(write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), Error> {
    let mut out = shown(BufWriter::new(std::io::stdout().lock()));
    match write(&mut out).and_then(|()| out.flush()) {
        Err(cause) if cause.kind() != ErrorKind::BrokenPipe => {
            Err(Error::System { doing: "writing the result", cause })
        }
        _ => Ok(()),
    }
}

/// Returns standard output for foreign bytes. On a terminal, hidden characters are escaped;
/// otherwise the bytes are unchanged.
pub fn foreign() -> Box<dyn Write> {
    let out = std::io::stdout();
    match out.is_terminal() {
        true => Box::new(shown(out)),
        false => Box::new(out),
    }
}

/// Returns true if the command line requests JSON, even if it is wrong otherwise.
pub fn is_json_asked_for() -> bool {
    let mut words = std::env::args_os().skip(1).take_while(|word| word != "--");
    words.any(|word| word == "--json")
}

fn shown<W: Write>(to: W) -> Shown<W> {
    Shown::new(to, is_json_asked_for())
}

/// Returns a path as text. Hidden characters are escaped, because they could control the reader's
/// terminal.
pub fn visible(path: &Path) -> String {
    hasten_store::visible(&path.to_string_lossy()).into_owned()
}

/// Returns bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Remarks for the report, if that goes to the error stream as JSON.
static KEPT: Mutex<Option<Vec<String>>> = Mutex::new(None);

fn kept() -> MutexGuard<'static, Option<Vec<String>>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Collects all further remarks for the report.
pub fn keep_notes() {
    *kept() = Some(Vec::new());
}

/// Returns the collected remarks. Later ones are printed.
pub fn kept_notes() -> Vec<String> {
    kept().take().unwrap_or_default()
}

/// Prints a remark on the error stream, as one line in the form of all remarks. If remarks are
/// being collected, adds it to them.
pub fn note(text: &str) {
    match &mut *kept() {
        Some(notes) => notes.push(text.to_owned()),
        None => aside(&format!("hasten: {text}")),
    }
}

/// Asks for confirmation on the terminal. Any answer except `yes` is an error. Without a terminal
/// the error is `unasked`.
pub fn confirm(question: &str, unasked: Error) -> Result<(), Error> {
    if !std::io::stdin().is_terminal() {
        return Err(unasked);
    }
    note(question);
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).map_err(Error::system("reading the answer"))?;
    if answer.trim() == "yes" { Ok(()) } else { Err(Error::Declined) }
}

/// Writes one line to the error stream, with hidden characters escaped. If that fails nobody can be
/// told, and the work continues.
pub fn aside(text: &str) {
    drop(writeln!(std::io::stderr().lock(), "{}", hasten_store::visible(text)));
}

/// Writes a report to the error stream, as [`print()`] does to standard output.
pub fn aside_report(text: &str) {
    let mut out = shown(std::io::stderr().lock());
    drop(writeln!(out, "{text}").and_then(|()| out.flush()));
}
