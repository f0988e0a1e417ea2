//! Prints cases for the bench of `rtl/ed25519`:
//! `cargo run -p hasten-rtlsim --example ed25519_vectors [COUNT | wycheproof]`. Without an argument
//! they are the cases that CI uses. With a count they are that many operations with random keys,
//! alternately on messages of 32 bytes, whose cycles are measured, and of 0 to 300 bytes. With
//! `wycheproof` they are Wycheproof's cases.

#[path = "../tests/support/mod.rs"]
mod support;

fn main() {
    let argument = std::env::args().nth(1);
    let cases = match argument.as_deref() {
        Some("wycheproof") => support::wycheproof(),
        Some(count) => random(count.parse().expect("a count")),
        None => support::standard(),
    };
    for case in cases {
        println!("{}", case.line());
    }
}

fn random(count: u64) -> Vec<support::Case> {
    let length = |i: u64| if i.is_multiple_of(2) { 32 } else { (i * 37 % 301) as usize };
    let families = (0..).flat_map(|i| support::family(1000 + i, length(i)));
    families.take(count as usize).collect()
}
