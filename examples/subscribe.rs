//! Prints the lines that `publish` sends, each once, and only when its signature is good:
//!
//!     cargo run -p hasten-channel --example subscribe -- bus/public.pem 127.0.0.1:5000
//!
//! `hasten subscribe` does the same, and joins multicast groups.

use hasten_channel::{Event, Subscriber};
use hasten_hbs::PublicKey;
use hasten_kernels::Kernels;
use hasten_keys::encoding::read_public;
use std::error::Error;
use std::net::UdpSocket;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [public, from] = &arguments[..] else { return Err("subscribe PUBLIC ADDRESS".into()) };
    let public = read_public(&std::fs::read(public)?, None)?;
    let identity = PublicKey::from_hss_bytes(&public.raw)?;
    let subscriber = Subscriber::new(&identity, Kernels::best());
    let mut subscriber = subscriber.ok_or("this key has no sessions")?;
    let socket = UdpSocket::bind(from)?;
    let mut buffer = vec![0; hasten_channel::MOST_BYTES];
    loop {
        let bytes = socket.recv(&mut buffer)?;
        match subscriber.open(&buffer[..bytes]) {
            Ok(Event::Message(message)) => {
                println!("{}", String::from_utf8_lossy(message.payload));
            }
            Ok(Event::NewTree(_) | Event::Repeated) => {}
            Err(refusal) => eprintln!("refused: {refusal}"),
        }
    }
}
