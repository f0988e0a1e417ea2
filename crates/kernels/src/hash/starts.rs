//! The starts of the standard hash functions: the state before the first block, and the padding.

use super::{Keccak, Sha256, Sha512, sha256, sha512};
use crate::kernel::midstate::{MAX_BLOCK, Midstate};

impl Midstate<Sha256> {
    /// Returns the start of SHA-256 (FIPS 180-4, section 6.2 (SHA-256)).
    #[must_use]
    pub const fn sha256() -> Self {
        Self::start(sha256::INITIAL, 64, 0x80)
    }
}

impl Midstate<Sha512> {
    /// Returns the start of SHA-512 (FIPS 180-4, section 6.4 (SHA-512)).
    #[must_use]
    pub const fn sha512() -> Self {
        Self::start(sha512::INITIAL, 128, 0x80)
    }
}

impl Midstate<Keccak> {
    /// Returns the start of SHA3-256 (FIPS 202, section 6.1 (SHA-3 Hash Functions)).
    #[must_use]
    pub const fn sha3_256() -> Self {
        Self::sponge(136, 0x06)
    }

    /// Returns the start of SHA3-512 (FIPS 202, section 6.1 (SHA-3 Hash Functions)).
    #[must_use]
    pub const fn sha3_512() -> Self {
        Self::sponge(72, 0x06)
    }

    /// Returns the start of SHAKE128
    /// (FIPS 202, section 6.2 (SHA-3 Extendable-Output Functions)).
    #[must_use]
    pub const fn shake128() -> Self {
        Self::sponge(168, 0x1f)
    }

    /// Returns the start of SHAKE256
    /// (FIPS 202, section 6.2 (SHA-3 Extendable-Output Functions)).
    #[must_use]
    pub const fn shake256() -> Self {
        Self::sponge(136, 0x1f)
    }

    /// Returns a sponge of `rate` bytes whose padding begins with the byte `domain`
    /// (FIPS 202, section 5.1 (Specification of pad10*1) and appendix B.2 (Hexadecimal Form of
    /// Padding Bits)).
    ///
    /// # Panics
    /// If `rate` is 0, above 168 or no multiple of 8.
    #[must_use]
    pub const fn sponge(rate: usize, domain: u8) -> Self {
        assert!(rate > 0 && rate <= MAX_BLOCK && rate.is_multiple_of(8));
        Self::start([0; 25], rate, domain)
    }
}
