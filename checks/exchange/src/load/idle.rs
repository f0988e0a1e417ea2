//! Clients that send nothing, and clients that send too slowly.

use super::service::{Service, TIMEOUT};
use hasten_chore::failure::Failure;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

/// Number of clients.
const CLIENTS: usize = 1000;

/// Server memory that each client may take, in kilobytes: a thread and its buffers.
const MOST_EACH: usize = 64;

/// Returns the seconds until the server drops a client that sends nothing.
fn silent(mut stream: TcpStream) -> f64 {
    let begun = Instant::now();
    let _ = stream.read_to_end(&mut Vec::new());
    begun.elapsed().as_secs_f64()
}

/// Returns the seconds until the server drops a client that sends a byte now and then.
fn slow(mut stream: TcpStream) -> f64 {
    let begun = Instant::now();
    for byte in [22, 3, 1, 2, 0].into_iter().chain([1; 500]) {
        if stream.write_all(&[byte]).is_err() {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    begun.elapsed().as_secs_f64()
}

/// Starts a server for this many clients, opens silent and slow connections, and connects a good
/// client among them.
pub fn run(tool: &Path, wrong: &mut Vec<String>) -> Result<Value, Failure> {
    let places = (CLIENTS + 8).to_string();
    let service = Service::start(tool, "ML-DSA-65", TIMEOUT, &["--at-once", &places])?;
    service.client(&["--timeout", "60s"])?;
    let before = service.resident()?;
    let streams: Result<Vec<_>, Failure> = (0..CLIENTS).map(|_| service.dial()).collect();
    let work = |(at, stream): (usize, TcpStream)| match at % 2 {
        0 => std::thread::spawn(move || silent(stream)),
        _ => std::thread::spawn(move || slow(stream)),
    };
    let waiting: Vec<_> = streams?.into_iter().enumerate().map(work).collect();
    let good = service.client(&["--timeout", "60s"])?;
    if good.starts_with("FAILED") {
        wrong.push(format!("a good client among silent ones: {good}"));
    }
    let with = service.resident()?;
    let each = with.saturating_sub(before) / CLIENTS;
    if each > MOST_EACH {
        wrong.push(format!("a silent or slow client takes {each} kB of the server"));
    }
    let times: Vec<f64> =
        waiting.into_iter().map(|thread| thread.join().unwrap_or(f64::MAX)).collect();
    let longest = times.into_iter().fold(0.0, f64::max);
    // The server's timeout and closing messages, with room for a machine that is busy otherwise.
    if longest > TIMEOUT.as_secs_f64() * 5.0 {
        wrong.push(format!("a silent or slow client was held for {longest:.1} s"));
    }
    Ok(json!({ "what": "silent and slow clients", "count": CLIENTS,
        "timeout_s": TIMEOUT.as_secs(), "longest_s": (longest * 10.0).round() / 10.0,
        "resident_kb": [before, with], "each_kb": each }))
}
