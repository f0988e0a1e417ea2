//! Messages to publish, which are read by a separate thread.

use std::io::{self, BufRead, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use hasten_channel::MOST_BYTES;

use crate::Error;
use crate::wait::{Wait, spin};

/// Number of messages that are read ahead.
const AHEAD: usize = 512;

/// A message, or the error that ends the input.
pub type Message = Result<Vec<u8>, Error>;

/// Starts a thread that reads messages from the input that `open` returns: lines, or frames that
/// each follow four bytes of length. The thread ends with the input.
///
/// # Errors
/// The system's error, if it cannot start a thread.
pub fn begin<R: BufRead>(
    open: impl FnOnce() -> R + Send + 'static,
    frames: bool,
) -> Result<Receiver<Message>, Error> {
    let (send, messages) = sync_channel(AHEAD);
    let read = move || {
        let mut from = open();
        while let Some(message) = if frames { frame(&mut from) } else { line(&mut from) } {
            if send_on(&send, message).is_none() {
                return;
            }
        }
    };
    let started = thread::Builder::new().name("input".to_owned()).spawn(read);
    started.map_err(Error::system("reading the input"))?;
    Ok(messages)
}

/// Returns the next message. Waits at most for `most`.
pub(crate) fn next(
    input: &Receiver<Message>,
    wait: Wait,
    most: Duration,
) -> Result<Message, RecvTimeoutError> {
    if wait == Wait::Block {
        return input.recv_timeout(most);
    }
    let came = spin(Instant::now() + most, || match input.try_recv() {
        Err(TryRecvError::Empty) => None,
        other => Some(other),
    });
    match came {
        Some(came) => came.map_err(|_| RecvTimeoutError::Disconnected),
        None => Err(RecvTimeoutError::Timeout),
    }
}

/// Passes a message on. Returns `None` if it was the last one.
fn send_on(to: &SyncSender<Message>, message: io::Result<Vec<u8>>) -> Option<()> {
    let failed = message.is_err();
    let sent = to.send(message.map_err(Error::system("reading the input")));
    (sent.is_ok() && !failed).then_some(())
}

/// Returns the next line, without its line end.
fn line(from: &mut impl BufRead) -> Option<io::Result<Vec<u8>>> {
    let mut line = Vec::new();
    // A line that is longer than a datagram is refused when it is sealed.
    match from.by_ref().take(MOST_BYTES as u64 + 1).read_until(b'\n', &mut line) {
        Ok(0) => None,
        Ok(_) => {
            if line.last() == Some(&b'\n') {
                line.pop();
            }
            Some(Ok(line))
        }
        Err(error) => Some(Err(error)),
    }
}

/// Returns the next frame.
fn frame(from: &mut impl Read) -> Option<io::Result<Vec<u8>>> {
    let mut length = [0; 4];
    match from.read(&mut length[..1]) {
        Ok(0) => return None,
        Ok(_) => {}
        Err(error) => return Some(Err(error)),
    }
    let whole = from.read_exact(&mut length[1..]).and_then(|()| {
        // Never reads more than fits into a datagram. The rest is read as if it were the next
        // frame.
        let length = (u32::from_be_bytes(length) as usize).min(MOST_BYTES + 1);
        let mut message = vec![0; length];
        from.read_exact(&mut message).map(|()| message)
    });
    Some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_waiting_give_what_comes_and_end() {
        for wait in [Wait::Spin, Wait::Block] {
            let (send, messages) = sync_channel(1);
            let soon = Duration::from_millis(1);
            assert_eq!(next(&messages, wait, soon).err(), Some(RecvTimeoutError::Timeout));
            send.send(Ok(b"one".to_vec())).unwrap();
            let came = next(&messages, wait, Duration::from_secs(60)).unwrap();
            assert_eq!(came.unwrap(), b"one");
            drop(send);
            assert_eq!(next(&messages, wait, soon).err(), Some(RecvTimeoutError::Disconnected));
        }
    }

    #[test]
    fn lines_and_frames() {
        let mut lines = &b"one\n\ntwo"[..];
        let all: Vec<_> = std::iter::from_fn(|| line(&mut lines)).map(Result::unwrap).collect();
        assert_eq!(all, [&b"one"[..], b"", b"two"]);
        let mut frames = &b"\0\0\0\x02hi\0\0\0\0\0\0\0\x05cut"[..];
        assert_eq!(frame(&mut frames).unwrap().unwrap(), b"hi");
        assert_eq!(frame(&mut frames).unwrap().unwrap(), b"");
        assert!(frame(&mut frames).unwrap().is_err());
    }
}
