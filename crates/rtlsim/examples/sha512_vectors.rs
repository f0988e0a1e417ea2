//! Prints digests for the bench of `rtl/sha512`:
//! `cargo run -p hasten-rtlsim --example sha512_vectors`.
//!
//! A line has the number of bytes that are already in the midstate, the length, the digest, and the
//! midstate if there is one. Byte i of a message of length n is 7 i + 31 n, so that bits of a last
//! word take both values.

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

/// Number of bytes at which the lower part of the core's word counter (`sha512_pad.sv`) is full.
const CARRY: usize = 8 << 20;

fn message(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 7 + length * 31) as u8).collect()
}

fn hex(bytes: impl IntoIterator<Item = u8>) -> String {
    bytes.into_iter().map(|byte| format!("{byte:02x}")).collect()
}

fn main() {
    for length in (0..=260).chain([383, 384, 385, 1000, 4096]) {
        println!("0 {length} {}", hex(Sha512::digest(message(length))));
    }
    let short = [128, 129, 200, 239, 240, 256, 500].map(|length| (128, length));
    let long = [CARRY - 1, CARRY, CARRY + 8, CARRY + 300].map(|length| (CARRY - 128, length));
    for (from, length) in short.into_iter().chain(long) {
        let message = message(length);
        let mut state = INITIAL;
        for block in message[..from].chunks_exact(128) {
            compress512(&mut state, &[block.try_into().expect("one block")]);
        }
        let midstate: String = state.iter().map(|word| format!("{word:016x}")).collect();
        println!("{from} {length} {} {midstate}", hex(Sha512::digest(&message)));
    }
}
