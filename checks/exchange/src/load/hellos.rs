//! Changed ClientHellos.

use super::AT_ONCE;
use super::service::Service;
use hasten_chore::failure::Failure;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener};
use std::sync::atomic::{AtomicUsize, Ordering};

fn failed(error: std::io::Error) -> Failure {
    Failure::Tool(error.to_string())
}

/// Returns the first record of a client of ours.
fn recorded(service: &Service) -> Result<Vec<u8>, Failure> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(failed)?;
    let mut client = service.hello(listener.local_addr().map_err(failed)?.port())?;
    let (mut stream, _) = listener.accept().map_err(failed)?;
    let mut head = [0; 5];
    stream.read_exact(&mut head).map_err(failed)?;
    let mut body = vec![0; usize::from(u16::from_be_bytes([head[3], head[4]]))];
    stream.read_exact(&mut body).map_err(failed)?;
    drop(stream);
    client.wait().map_err(failed)?;
    Ok([&head[..], &body].concat())
}

/// Pseudo-random numbers that are the same in every run (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % most.max(1) as u64) as usize
    }
}

/// Makes the lengths of the record and the message fit the actual content.
fn fitted(hello: &mut [u8]) {
    if let Some(body) = hello.len().checked_sub(9) {
        let lengths = [(body + 4) as u16, body as u16].map(u16::to_be_bytes);
        hello[3..5].copy_from_slice(&lengths[0]);
        hello[7..9].copy_from_slice(&lengths[1]);
    }
}

/// Applies a few random changes: bits, bytes, cuts and repeats, and sometimes corrected lengths.
fn changed(hello: &[u8], seed: u64) -> Vec<u8> {
    let (mut numbers, mut made) = (Numbers(seed), hello.to_vec());
    for _ in 0..=numbers.below(4) {
        let (at, length) = (numbers.below(made.len()), numbers.below(64));
        let end = (at + length).min(made.len());
        match numbers.below(6) {
            0 if !made.is_empty() => made[at] ^= 1 << numbers.below(8),
            1 if !made.is_empty() => made[at] = [0, 1, 0x7F, 0x80, 0xFF][numbers.below(5)],
            2 => made.truncate(at),
            3 => drop(made.drain(at..end)),
            4 => {
                let part = made[at..end].to_vec();
                made.splice(at..at, part);
            }
            _ => {
                let part: Vec<u8> = (0..length).map(|_| numbers.below(256) as u8).collect();
                made.splice(at..end, part);
            }
        }
    }
    if numbers.below(2) == 0 {
        fitted(&mut made);
    }
    made
}

/// Sends one ClientHello and reads until the server closes. Returns true if the server answered. It
/// is an error if the connection is still open after a minute.
fn send(service: &Service, hello: &[u8]) -> Result<bool, Failure> {
    let mut stream = service.dial()?;
    let mut answer = Vec::new();
    // The server may close before everything is written, or reset what it did not read.
    let _ = stream.write_all(hello).and_then(|()| stream.shutdown(Shutdown::Write));
    match stream.read_to_end(&mut answer) {
        Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => Err(failed(error)),
        _ => Ok(!answer.is_empty()),
    }
}

/// Sends `count` changed ClientHellos, several at a time.
pub fn run(service: &Service, count: usize, wrong: &mut Vec<String>) -> Result<Value, Failure> {
    let hello = recorded(service)?;
    let (before, memory) = (service.refused(), service.resident()?);
    let [next, answered, stuck] = [0, 0, 0].map(AtomicUsize::new);
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= count {
                        break;
                    }
                    match send(service, &changed(&hello, seed as u64)) {
                        Ok(was) => answered.fetch_add(usize::from(was), Ordering::Relaxed),
                        Err(_) => stuck.fetch_add(1, Ordering::Relaxed),
                    };
                }
            });
        }
    });
    let (stuck, answered, refused) =
        (stuck.into_inner(), answered.into_inner(), service.refused() - before);
    if stuck > 0 || refused != count {
        wrong.push(format!(
            "of {count} changed ClientHellos {stuck} got no end, and the server reports {refused}"
        ));
    }
    let after = service.resident()?;
    eprintln!("{count} changed ClientHellos: {memory} to {after} kB resident");
    Ok(
        json!({ "what": "changed ClientHellos", "count": count, "at_once": AT_ONCE, "hello_bytes": hello.len(),
        "answered": answered, "reported": refused, "stuck": stuck, "resident_kb": [memory, after] }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_the_same_in_every_run_and_change_something() {
        let hello: Vec<u8> = (0..=255).collect();
        let same = (0..500).filter(|seed| changed(&hello, *seed) == hello).count();
        assert!(same < 25, "{same} of 500 unchanged");
        assert_eq!(changed(&hello, 7), changed(&hello, 7));
        assert!(
            (0..500)
                .any(|seed| changed(&hello, seed).is_empty() || changed(&hello, seed).len() < 9)
        );
    }
}
