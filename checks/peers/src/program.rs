//! A library run as a program that answers words on its input. `programs/peer.hpp` lists the words.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;

use hasten_hbs::Set;

use crate::side::{Indices, Peer, Side, Work};
use crate::{OPERATIONS, exchange, indices};

/// A running program. It ends when its input is closed.
struct Program {
    name: String,
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Program {
    fn start(mut command: Command) -> Result<Self, String> {
        let name = command.get_program().to_string_lossy().into_owned();
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = piped.spawn().map_err(|error| format!("{name}: {error}"))?;
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("it is piped"));
        Ok(Self { name, child, input, output: BufReader::new(output) })
    }

    /// Returns the next line.
    fn line(&mut self) -> Result<String, String> {
        let mut line = String::new();
        match self.output.read_line(&mut line) {
            Ok(bytes) if bytes > 0 => Ok(line.trim_end().to_owned()),
            Ok(_) => Err(format!("{} ended", self.name)),
            Err(error) => Err(format!("{}: {error}", self.name)),
        }
    }

    /// Returns the rest of the next line, which must begin with `word`.
    fn told(&mut self, word: &str) -> Result<String, String> {
        let line = self.line()?;
        after(&line, word).map(str::to_owned).map_err(|fault| format!("{}: {fault}", self.name))
    }

    fn ask(&mut self, word: &str) -> Result<(), String> {
        let input = self.input.as_mut().expect("it is open until this is dropped");
        writeln!(input, "{word}").map_err(|error| format!("{}: {error}", self.name))
    }

    /// Requests a window of an operation. Returns the microseconds of one operation.
    fn window(&mut self, op: &str) -> Result<f64, String> {
        self.ask(op)?;
        let told = self.told("us")?;
        let [us] = times(&told)?[..] else { return Err(format!("{op}: {told} is not one time")) };
        Ok(us)
    }

    /// Returns the microseconds of each signature of a new key.
    fn indices(&mut self) -> Result<Vec<f64>, String> {
        self.ask("indices")?;
        times(&self.told("times")?)
    }

    /// Returns a public key and a signature made with its private key.
    fn show(&mut self) -> Result<[Vec<u8>; 2], String> {
        self.ask("show")?;
        Ok([hex(&self.told("key")?)?, hex(&self.told("signature")?)?])
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}

/// What is known about a library before its program is started.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Compiler flags in the build instructions of docs/peers.md.
    pub flags: &'static str,
    pub remark: Option<&'static str>,
    /// Whether it rebuilds its trees for each signature. Then not all its indices are measured.
    pub rebuilds: bool,
}

/// Starts a program for a set and verifies a signature of it with Hasten. Returns `None` if the
/// library does not support the set.
///
/// # Errors
/// A message, if the program does not behave as expected.
pub fn side(command: Command, set: &'static Set, known: Known) -> Result<Option<Side>, String> {
    let mut program = Program::start(command)?;
    let first = program.line()?;
    if first == "lacks" {
        return Ok(None);
    }
    let name = after(&first, "library")?.to_owned();
    let (built, uses) = (program.told("built")?, program.told("uses")?);
    program.told("ready")?;
    let [key, signature] = program.show()?;
    exchange::check(set, &key, &signature).map_err(|fault| format!("{name}: {fault}"))?;
    let built = format!("{built} {}", known.flags).trim_end().to_owned();
    let Known { remark, rebuilds, .. } = known;
    let program = Rc::new(RefCell::new(program));
    let work = OPERATIONS.map(|op| {
        let program = Rc::clone(&program);
        Work::Asked(Box::new(move || program.borrow_mut().window(op)))
    });
    let all = (indices::fit(set) && !rebuilds)
        .then(|| -> Indices { Box::new(move || program.borrow_mut().indices()) });
    Ok(Some(Side { peer: Peer { name, built, uses, remark, rebuilds }, work, indices: all }))
}

/// Returns the rest of a line after its first word, which must be `word`.
fn after<'l>(line: &'l str, word: &str) -> Result<&'l str, String> {
    let rest = line.strip_prefix(word).filter(|rest| rest.is_empty() || rest.starts_with(' '));
    rest.map(str::trim).ok_or_else(|| format!("{word} was expected, not {line:?}"))
}

/// Parses times, which must be above 0.
fn times(text: &str) -> Result<Vec<f64>, String> {
    let time = |word: &str| {
        let time = word.parse::<f64>().ok().filter(|time| time.is_finite() && *time > 0.0);
        time.ok_or_else(|| format!("{word:?} is no time"))
    };
    text.split_whitespace().map(time).collect()
}

fn hex(text: &str) -> Result<Vec<u8>, String> {
    let wrong = || format!("{} digits are not hexadecimal bytes", text.len());
    let digits = text.bytes().all(|digit| digit.is_ascii_hexdigit());
    if text.is_empty() || !digits || !text.len().is_multiple_of(2) {
        return Err(wrong());
    }
    let byte = |at| u8::from_str_radix(&text[at..at + 2], 16).map_err(|_| wrong());
    (0..text.len()).step_by(2).map(byte).collect()
}

#[cfg(test)]
#[path = "program/tests.rs"]
mod tests;
