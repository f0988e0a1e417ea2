//! The sponge over the portable kernel, with which the unit is compared, and random numbers.

use hasten_kernels::Kernels;
use hasten_rtlsim::sha3_job::Pace;

/// The six functions of FIPS 202 and cSHAKE128/256: rate in lanes, suffix, and bytes of output (0
/// for any number).
pub const FUNCTIONS: [(u8, u8, usize); 8] = [
    (18, 0x06, 28),
    (17, 0x06, 32),
    (13, 0x06, 48),
    (9, 0x06, 64),
    (21, 0x1f, 0),
    (17, 0x1f, 0),
    (21, 0x04, 0),
    (17, 0x04, 0),
];

/// Names of the functions.
pub const NAMES: [&str; 8] = [
    "SHA3-224",
    "SHA3-256",
    "SHA3-384",
    "SHA3-512",
    "SHAKE128",
    "SHAKE256",
    "cSHAKE128",
    "cSHAKE256",
];

/// Returns the output of the sponge of FIPS 202, section 4 (Sponge Construction), for whole bytes.
pub fn sponge(rate: u8, suffix: u8, message: &[u8], length: usize) -> Vec<u8> {
    let rate = 8 * usize::from(rate);
    let mut padded = message.to_vec();
    padded.push(suffix);
    padded.resize(padded.len().next_multiple_of(rate), 0);
    *padded.last_mut().expect("not empty") |= 0x80;
    let mut state = [0u64; 25];
    let permute =
        |state: &mut [u64; 25]| Kernels::portable().keccak.permute(std::slice::from_mut(state));
    for block in padded.chunks(rate) {
        for (lane, bytes) in state.iter_mut().zip(block.chunks(8)) {
            *lane ^= u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        }
        permute(&mut state);
    }
    let mut out = Vec::new();
    while out.len() < length {
        out.extend(state.iter().flat_map(|lane| lane.to_le_bytes()).take(rate));
        permute(&mut state);
    }
    out.truncate(length);
    out
}

/// Random numbers (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.word() % n as u64) as usize
    }

    pub fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.word() as u8).collect()
    }
}

/// Stalls the input in the first number of 8 cycles on average, and the output in the second.
pub struct Stalls(pub Random, pub usize, pub usize);

impl Pace for Stalls {
    fn stalls(&mut self, input: bool) -> bool {
        self.0.below(8) < if input { self.1 } else { self.2 }
    }
}
