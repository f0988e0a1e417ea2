//! Keys and signatures for the bench of `rtl/xmss`: `cargo run -p hasten-rtlsim --example xmss_vectors`.
//!
//! `key SK_SEED SK_PRF PUB_SEED ROOT` and `signature INDEX MESSAGE SIGNATURE`, in hexadecimal, `-` for nothing. Indices grow.

use hasten_hbs::{Set, SignerLevel, Throwaway, xmss};
use hasten_kernels::Kernels;
use sha2::{Digest, Sha256};

fn hex(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "-".into();
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes that follow from a label.
fn bytes(label: &str, count: usize) -> Vec<u8> {
    let block = |i: usize| Sha256::digest(format!("{label} {i}"));
    (0..count.div_ceil(32)).flat_map(block).take(count).collect()
}

/// Message lengths: eight of 64 bytes, which the cycles are said of, and those where padding turns.
const LENGTHS: [usize; 16] = [64, 64, 64, 64, 64, 64, 64, 64, 0, 1, 8, 55, 56, 63, 119, 300];

fn main() -> Result<(), hasten_hbs::Error> {
    let seed = bytes("key", 96);
    let mut signer = xmss::generate(Set::named("XMSS-SHA2_10_256")?, &seed, Kernels::best())?;
    let root = signer.public_key().as_bytes()[4..36].to_vec();
    println!("key {} {} {} {}", hex(&seed[..32]), hex(&seed[32..64]), hex(&seed[64..]), hex(&root));
    let mut permits = Throwaway::new();
    for (i, length) in LENGTHS.into_iter().enumerate() {
        let message = bytes(&format!("message {i}"), length);
        let prepared = signer.prepare(permits.permit(), SignerLevel::None)?;
        let signature = prepared.finish(&message)?;
        let index = u32::from_be_bytes(signature.as_bytes()[..4].try_into().expect("four bytes"));
        println!("signature {index} {} {}", hex(&message), hex(signature.as_bytes()));
    }
    Ok(())
}
