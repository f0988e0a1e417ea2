//! Prints cases for the bench of `ed25519_halve`:
//! `cargo run -p hasten-rtlsim --example ed25519_halve_vectors [COUNT]`. The cases are the corners
//! and COUNT random scalars. Without a count they are the cases that CI uses.

#[path = "../tests/support/scalars.rs"]
mod scalars;

fn main() {
    let count = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(200);
    scalars::lines(count).for_each(|line| println!("{line}"));
}
