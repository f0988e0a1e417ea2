//! Ports for servers that are told theirs before they listen.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU16, Ordering};

/// Ports that Linux gives to no connection by itself: those begin at 32,768.
const FIRST: u16 = 10_000;
const COUNT: u16 = 20_000;

static TAKEN: AtomicU16 = AtomicU16::new(0);

/// Returns a port of loopback that nobody listens at and that no other call in this process
/// returns. A connection cannot take it before the server listens there.
///
/// # Panics
/// If every port is in use.
pub fn free_port() -> u16 {
    let own = u16::try_from(std::process::id() % u32::from(COUNT)).expect("below COUNT");
    // Programs that run at once begin far apart.
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
