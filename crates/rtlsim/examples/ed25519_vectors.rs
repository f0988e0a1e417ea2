//! Cases for the bench of `rtl/ed25519`: `cargo run -p hasten-rtlsim --example ed25519_vectors [COUNT]`.
//! Without a count the cases CI uses; with one, that many random keys with messages of 0 to 300 bytes.

#[path = "../tests/support/mod.rs"]
mod support;

fn main() {
    let count: Option<u64> = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let cases = match count {
        Some(count) => {
            (0..count).flat_map(|i| support::family(1000 + i, (i * 37 % 301) as usize)).collect()
        }
        None => support::standard(),
    };
    for case in cases {
        println!("{}", case.line());
    }
}
