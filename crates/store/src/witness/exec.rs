//! A cell that is kept by another program, the helper. Each request and each answer is one line.
//!
//! The helper is started at the first request and runs until its standard input ends. Each side
//! first sends `hasten-witness 1`. Then:
//!
//! | the tool asks | the helper answers |
//! |---|---|
//! | `read` | `value WORD`, `empty`, or `error TEXT` |
//! | `swap OLD NEW`, OLD being `-` for none | `done`, `differs`, or `error TEXT` |
//!
//! Any other answer, and an answer that is late, too long, unrequested or missing, counts as
//! silence: nothing is handed out, and the helper and its process group are killed. A malicious
//! helper can refuse, or report success falsely (then there is no witness), but nothing else.

use super::cell::{Cell, LONGEST};
use crate::error::{Errno, StoreError};
use crate::visible::is_hidden;
use rustix::process::{Pid, Signal, kill_process_group};
use std::ffi::OsString;
use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const HELLO: &str = "hasten-witness 1";
/// Largest length of a line, in bytes.
const LINE: usize = 1024;
/// Time that a helper has to end by itself after its input has ended.
const GRACE: Duration = Duration::from_secs(1);

/// Reason why a helper counts as silent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trouble {
    /// It could not be started.
    NotStarted(Errno),
    /// It did not answer within this time.
    Silent(Duration),
    /// It ended, or closed its output.
    Ended,
    /// It answered with something that is not in the protocol.
    Garbled,
    /// It reported an error: the text after `error`, in printable characters.
    Said(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted(errno) => {
                let os = std::io::Error::from_raw_os_error(errno.0);
                write!(f, "the witness helper could not be started: {os}")
            }
            Self::Silent(time) => write!(f, "the witness helper did not answer within {time:?}"),
            Self::Ended => f.write_str("the witness helper ended without an answer"),
            Self::Garbled => {
                f.write_str("the witness helper answered something that is not in the protocol")
            }
            Self::Said(text) => write!(f, "the witness helper says: {text}"),
        }
    }
}

/// Function that receives the trouble of a helper.
type Hear = Box<dyn Fn(&Trouble) + Send + Sync>;

/// A cell that is kept by a helper program.
pub struct ExecCell {
    words: Vec<OsString>,
    patience: Duration,
    helper: Mutex<Option<Helper>>,
    hear: Hear,
}

impl ExecCell {
    /// Creates a cell from the helper's program and arguments, which do not pass through a shell,
    /// and the time that one answer may take.
    pub fn new(words: impl IntoIterator<Item = OsString>, patience: Duration) -> ExecCell {
        let words = words.into_iter().collect();
        ExecCell { words, patience, helper: Mutex::new(None), hear: Box::new(|_| ()) }
    }

    /// Sets a function that is told why the helper counts as silent.
    pub fn hear(mut self, hear: impl Fn(&Trouble) + Send + Sync + 'static) -> ExecCell {
        self.hear = Box::new(hear);
        self
    }

    /// Sends one request. After any trouble the helper is killed, and the next request starts a new
    /// one.
    fn ask<T>(
        &self,
        request: &str,
        understand: impl Fn(&str) -> Option<T>,
    ) -> Result<T, StoreError> {
        let mut helper = self.helper.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = self.try_ask(&mut helper, request);
        answer.and_then(|answer| understand(&answer).ok_or(Trouble::Garbled)).map_err(|trouble| {
            helper.take().iter_mut().for_each(Helper::kill);
            (self.hear)(&trouble);
            StoreError::WitnessUnreachable
        })
    }

    fn try_ask(&self, helper: &mut Option<Helper>, request: &str) -> Result<String, Trouble> {
        let end = Instant::now() + self.patience;
        let late = |trouble| match trouble {
            Trouble::Silent(_) => Trouble::Silent(self.patience),
            other => other,
        };
        if helper.is_none() {
            let started = helper.insert(Helper::start(&self.words)?);
            if started.ask(HELLO, end).map_err(late)? != HELLO {
                return Err(Trouble::Garbled);
            }
        }
        let answer = helper.as_mut().ok_or(Trouble::Ended)?.ask(request, end).map_err(late)?;
        match answer.strip_prefix("error ") {
            Some(text) => Err(Trouble::Said(text.to_owned())),
            None => Ok(answer),
        }
    }
}

impl Cell for ExecCell {
    fn read(&self) -> Result<Option<String>, StoreError> {
        self.ask("read", |answer| match answer.split_once(' ') {
            None => (answer == "empty").then_some(None),
            Some(("value", word)) if is_word(word) => Some(Some(word.to_owned())),
            Some(_) => None,
        })
    }

    fn swap(&self, from: Option<&str>, to: &str) -> Result<bool, StoreError> {
        self.ask(&format!("swap {} {to}", from.unwrap_or("-")), |answer| match answer {
            "done" => Some(true),
            "differs" => Some(false),
            _ => None,
        })
    }
}

fn is_word(word: &str) -> bool {
    let plain = |c: u8| c.is_ascii_alphanumeric() || c == b'.';
    (1..=LONGEST).contains(&word.len()) && word.bytes().all(plain)
}

/// A running helper.
struct Helper {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Helper {
    /// Starts the helper in its own process group, so that Ctrl-C at the terminal does not reach it
    /// in the middle of a swap.
    fn start(words: &[OsString]) -> Result<Helper, Trouble> {
        let failed = |error: std::io::Error| {
            Trouble::NotStarted(Errno(error.raw_os_error().unwrap_or(Errno::IO.0)))
        };
        let (program, arguments) =
            words.split_first().ok_or(Trouble::NotStarted(Errno::NOT_FOUND))?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
        let mut child = command.spawn().map_err(failed)?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (sender, lines) = sync_channel(1);
        let reader = std::thread::Builder::new().stack_size(64 << 10);
        let mut helper = Helper { child, input, lines };
        let output = output.ok_or(Trouble::Ended)?;
        if let Err(error) = reader.spawn(move || pass_on(output, &sender)) {
            helper.kill();
            return Err(failed(error));
        }
        Ok(helper)
    }

    /// Sends one line and waits for the answer until `end`.
    fn ask(&mut self, line: &str, end: Instant) -> Result<String, Trouble> {
        match self.lines.try_recv() {
            Err(TryRecvError::Empty) => {}
            Err(TryRecvError::Disconnected) => return Err(Trouble::Ended),
            Ok(_) => return Err(Trouble::Garbled),
        }
        let input = self.input.as_mut().ok_or(Trouble::Ended)?;
        input.write_all(format!("{line}\n").as_bytes()).map_err(|_| Trouble::Ended)?;
        let left = end.saturating_duration_since(Instant::now());
        self.lines.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => Trouble::Silent(left),
            RecvTimeoutError::Disconnected => Trouble::Ended,
        })
    }

    /// Kills the helper and its process group.
    fn kill(&mut self) {
        let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let Some(group) = group {
            // The helper may have ended already.
            let _ = kill_process_group(group, Signal::KILL);
        }
        drop(self.child.wait());
    }

    fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Helper {
    /// Closes the helper's input, and kills the helper if it does not end.
    fn drop(&mut self) {
        self.input = None;
        let end = Instant::now() + GRACE;
        while !self.has_ended() {
            if Instant::now() > end {
                return self.kill();
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Passes complete lines on, one at a time. A helper that writes endlessly has to wait, and an
/// endless line is its last.
fn pass_on(output: ChildStdout, lines: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    let mut next = || {
        let mut line = Vec::new();
        output.by_ref().take(LINE as u64).read_until(b'\n', &mut line).ok()?;
        let line = line.strip_suffix(b"\n")?;
        let printable = |c: char| if is_hidden(c) { '?' } else { c };
        Some(String::from_utf8_lossy(line).chars().map(printable).collect::<String>())
    };
    while let Some(line) = next() {
        if lines.send(line).is_err() {
            return;
        }
    }
}
