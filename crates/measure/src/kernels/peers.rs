//! Other implementations of the kernels. Their interfaces take one state at a time.

use hasten_kernels::{State256, State512, State1600};

/// Returns the name of the code that the sha2 crate runs for SHA-256. The crate detects the
/// features of the processor, unless it was built for portable code.
pub fn sha256_name() -> &'static str {
    if cfg!(any(sha2_backend = "soft", sha2_256_backend = "soft")) {
        return "sha2 0.11 (portable)";
    }
    instructions::sha256().unwrap_or("sha2 0.11 (portable)")
}

/// Returns the name of the code that the sha2 crate runs for SHA-512.
pub fn sha512_name() -> &'static str {
    if cfg!(any(sha2_backend = "soft", sha2_512_backend = "soft")) {
        return "sha2 0.11 (portable)";
    }
    instructions::sha512().unwrap_or("sha2 0.11 (portable)")
}

/// Returns the name of the permutation that the sha3 crate runs.
pub fn keccak_name() -> &'static str {
    instructions::keccak().unwrap_or("keccak 0.2, as in sha3 (portable)")
}

/// Runs the SHA-256 compression of the sha2 crate on each state.
pub fn sha256(states: &mut [State256], blocks: &[[u8; 64]]) {
    for (state, block) in states.iter_mut().zip(blocks) {
        sha2::block_api::compress256(state, std::slice::from_ref(block));
    }
}

/// Runs the SHA-512 compression of the sha2 crate on each state.
pub fn sha512(states: &mut [State512], blocks: &[[u8; 128]]) {
    for (state, block) in states.iter_mut().zip(blocks) {
        sha2::block_api::compress512(state, std::slice::from_ref(block));
    }
}

/// Runs Keccak-f\[1600\] of the keccak crate, which the sha3 crate uses, on each state.
pub fn keccak(states: &mut [State1600]) {
    keccak::Keccak::new().with_f1600(|f1600| states.iter_mut().for_each(f1600));
}

/// Names of the crates if they run special instructions of this CPU.
#[cfg(target_arch = "x86_64")]
mod instructions {
    use std::arch::is_x86_feature_detected as has;

    pub fn sha256() -> Option<&'static str> {
        (has!("sha") && has!("sse4.1")).then_some("sha2 0.11 (SHA-NI)")
    }

    pub fn sha512() -> Option<&'static str> {
        has!("avx2").then_some("sha2 0.11 (AVX2)")
    }

    pub fn keccak() -> Option<&'static str> {
        None
    }
}

#[cfg(target_arch = "aarch64")]
mod instructions {
    use std::arch::is_aarch64_feature_detected as has;

    pub fn sha256() -> Option<&'static str> {
        has!("sha2").then_some("sha2 0.11 (ARM SHA2)")
    }

    pub fn sha512() -> Option<&'static str> {
        has!("sha3").then_some("sha2 0.11 (ARM SHA-512)")
    }

    pub fn keccak() -> Option<&'static str> {
        has!("sha3").then_some("keccak 0.2, as in sha3 (ARM SHA3)")
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod instructions {
    pub fn sha256() -> Option<&'static str> {
        None
    }

    pub fn sha512() -> Option<&'static str> {
        None
    }

    pub fn keccak() -> Option<&'static str> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasten_kernels::Kernels;

    /// The compared implementations must compute the same results.
    #[test]
    fn the_peers_agree_with_ours() {
        let ours = Kernels::best();
        let (mut a, mut b) = ([[7; 8]; 3], [[7; 8]; 3]);
        ours.sha256.compress(&mut a, &[[5; 64]; 3]);
        sha256(&mut b, &[[5; 64]; 3]);
        assert_eq!(a, b);
        let (mut a, mut b) = ([[7; 8]; 3], [[7; 8]; 3]);
        ours.sha512.compress(&mut a, &[[5; 128]; 3]);
        sha512(&mut b, &[[5; 128]; 3]);
        assert_eq!(a, b);
        let (mut a, mut b) = ([[7; 25]; 3], [[7; 25]; 3]);
        ours.keccak.permute(&mut a);
        keccak(&mut b);
        assert_eq!(a, b);
    }
}
