//! Verifies a firmware signature as a boot loader does: no file, no clock, no randomness.
//!
//!     cargo run -p hasten-pq --example verify_no_std
//!
//! The function `boots` needs `hasten-hbs` and `hasten-kernels` without their default features,
//! and an allocator. `checks/riscv` runs the like of it on a RISC-V machine without a system.

use std::error::Error;

use hasten_pq::StatefulKey;
use hasten_pq::hbs::{PublicKey, Verifier};
use hasten_pq::kernels::Kernels;

/// Returns true if `firmware` is signed by the XMSS key that the boot loader holds (RFC 8391).
fn boots(key: &[u8], firmware: &[u8], signature: &[u8]) -> bool {
    let Ok(key) = PublicKey::from_xmss_bytes(key) else { return false };
    Verifier::new(&key, Kernels::portable()).verify(firmware, signature).is_ok()
}

fn main() -> Result<(), Box<dyn Error>> {
    // The vendor signs, once, elsewhere.
    let dir = tempfile::tempdir()?;
    let (store, guard) = (dir.path().join("key"), dir.path().join("guard"));
    let mut vendor = StatefulKey::generate("XMSS-SHA2_10_256", &store, &guard)?;
    let signature = vendor.sign(b"firmware")?;
    let key = vendor.public_key().raw.clone();
    vendor.close()?;

    println!(
        "firmware: {}",
        if boots(&key, b"firmware", &signature) { "boots" } else { "refused" }
    );
    println!(
        "changed:  {}",
        if boots(&key, b"firmwore", &signature) { "boots" } else { "refused" }
    );
    Ok(())
}
