//! Cases for the bench of `rtl/ed25519`: `cargo run -p hasten-rtlsim --example ed25519_vectors [COUNT]`.
//! Without a count the cases CI uses; with one, that many operations with random keys, on messages of 32 bytes
//! (whose cycles count) and of 0 to 300 bytes in turn.

#[path = "../tests/support/mod.rs"]
mod support;

fn main() {
    let count: Option<u64> = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let cases = match count {
        Some(count) => random(count),
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
