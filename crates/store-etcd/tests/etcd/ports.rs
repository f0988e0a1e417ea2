//! Ports for servers that must know their port before they listen.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU16, Ordering};

/// First of the ports used here. Linux does not assign them to connections by itself: its range
/// begins at 32,768.
const FIRST: u16 = 10_000;
const COUNT: u16 = 20_000;

static TAKEN: AtomicU16 = AtomicU16::new(0);

/// Returns a loopback port on which nobody listens and which no other call in this process returns.
/// No connection can take the port before the server listens on it.
///
/// # Panics
/// If every port is in use.
pub fn free_port() -> u16 {
    let own = u16::try_from(std::process::id() % u32::from(COUNT)).expect("below COUNT");
    // Programs that run at the same time begin far apart.
    let start = own.wrapping_mul(61) % COUNT;
    for _ in 0..COUNT {
        let next = TAKEN.fetch_add(1, Ordering::Relaxed) % COUNT;
        let port = FIRST + (start + next) % COUNT;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
    panic!("no port is free");
}
