//! Publishes lines over UDP, each signed with a one-time key that was prepared before:
//!
//!     hasten keygen --alg 'HSS(L1_H10_W4,L1_H10_W4)' --sessions --store bus
//!     cargo run -p hasten-channel --example publish -- bus 127.0.0.1:5000 < lines
//!
//! `hasten publish` does the same, locks its memory, and announces by the clock.

use hasten_channel::{Background, Preparer};
use hasten_kernels::Kernels;
use hasten_keys::stateful::{Sealed, Sessions};
use hasten_store::Options;
use std::error::Error;
use std::io::BufRead;
use std::net::UdpSocket;
use std::path::Path;

/// Messages between two rounds of announcements.
const INTERVAL: usize = 100;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [store, to] = &arguments[..] else { return Err("publish STORE ADDRESS".into()) };
    let (store, kernels) = (Path::new(store), Kernels::best());
    let seeds = Sealed::of_store(store)?.open(None)?;
    let identity = Sessions::open(store, Options::new(), &seeds, kernels)?;
    let set = identity.session_set();
    // A thread makes the trees and prepares the messages; this one only seals.
    let mut sealer = Background::start(Preparer::new(identity, set, kernels)?, 64);
    let socket = UdpSocket::bind("0.0.0.0:0")?;
    socket.connect(to)?;
    let mut datagram = vec![0; hasten_channel::MOST_BYTES];
    let mut announced = None;
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        // Again and again for those who come late, and at once when there is a new tree.
        if number % INTERVAL == 0 || sealer.newest_tree() != announced {
            for announcement in sealer.announcements()? {
                socket.send(announcement)?;
            }
            announced = sealer.newest_tree();
        }
        let bytes = sealer.seal(line?.as_bytes(), &mut datagram)?;
        socket.send(&datagram[..bytes])?;
    }
    Ok(())
}
