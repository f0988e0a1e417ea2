//! Digests for the bench of `rtl/sha512`: `cargo run -p hasten-rtlsim --example sha512_vectors`.
//!
//! A line is: bytes already in the midstate, length, digest, and the midstate if there is one.
//! Byte i of a message of length n is 7 i + n.

use sha2::block_api::compress512;
use sha2::{Digest, Sha512};

const INITIAL: [u64; 8] = [
    0x6a09e667f3bcc908,
    0xbb67ae8584caa73b,
    0x3c6ef372fe94f82b,
    0xa54ff53a5f1d36f1,
    0x510e527fade682d1,
    0x9b05688c2b3e6c1f,
    0x1f83d9abfb41bd6b,
    0x5be0cd19137e2179,
];

fn message(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 7 + length) as u8).collect()
}

fn hex(bytes: impl IntoIterator<Item = u8>) -> String {
    bytes.into_iter().map(|byte| format!("{byte:02x}")).collect()
}

fn main() {
    for length in (0..=260).chain([383, 384, 385, 1000, 4096]) {
        println!("0 {length} {}", hex(Sha512::digest(message(length))));
    }
    for length in [128, 129, 200, 239, 240, 256, 500] {
        let message = message(length);
        let mut state = INITIAL;
        let block: [u8; 128] = message[..128].try_into().expect("one block");
        compress512(&mut state, &[block]);
        let midstate: String = state.iter().map(|word| format!("{word:016x}")).collect();
        println!("128 {length} {} {midstate}", hex(Sha512::digest(&message)));
    }
}
