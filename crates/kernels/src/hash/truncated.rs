//! The truncated members of the SHA-2 family: SHA-256 or SHA-512 with another initial state and a
//! shorter digest (FIPS 180-4, section 5.3 (Setting the Initial Hash Value)).

use super::{Sha256, Sha512};
use crate::kernel::midstate::Midstate;

impl Midstate<Sha256> {
    /// Returns the start of SHA-224 (FIPS 180-4, section 6.3 (SHA-224)), whose digest is the first
    /// 28 bytes of the output.
    #[must_use]
    pub const fn sha224() -> Self {
        Self::start(SHA224, 64, 0x80)
    }
}

impl Midstate<Sha512> {
    /// Returns the start of SHA-384 (FIPS 180-4, section 6.5 (SHA-384)), whose digest is the first
    /// 48 bytes of the output.
    #[must_use]
    pub const fn sha384() -> Self {
        Self::start(SHA384, 128, 0x80)
    }

    /// Returns the start of SHA-512/224 (FIPS 180-4, section 6.6 (SHA-512/224)). The digest is the
    /// first 28 bytes of the output.
    #[must_use]
    pub const fn sha512_224() -> Self {
        Self::start(SHA512_224, 128, 0x80)
    }

    /// Returns the start of SHA-512/256 (FIPS 180-4, section 6.7 (SHA-512/256)). The digest is the
    /// first 32 bytes of the output.
    #[must_use]
    pub const fn sha512_256() -> Self {
        Self::start(SHA512_256, 128, 0x80)
    }
}

/// The initial state of SHA-224 (FIPS 180-4, section 5.3.2 (SHA-224)).
const SHA224: [u32; 8] = [
    0xc105_9ed8,
    0x367c_d507,
    0x3070_dd17,
    0xf70e_5939,
    0xffc0_0b31,
    0x6858_1511,
    0x64f9_8fa7,
    0xbefa_4fa4,
];

/// The initial state of SHA-384 (FIPS 180-4, section 5.3.4 (SHA-384)).
const SHA384: [u64; 8] = [
    0xcbbb_9d5d_c105_9ed8,
    0x629a_292a_367c_d507,
    0x9159_015a_3070_dd17,
    0x152f_ecd8_f70e_5939,
    0x6733_2667_ffc0_0b31,
    0x8eb4_4a87_6858_1511,
    0xdb0c_2e0d_64f9_8fa7,
    0x47b5_481d_befa_4fa4,
];

/// The initial state of SHA-512/224 (FIPS 180-4, section 5.3.6.1 (SHA-512/224)).
const SHA512_224: [u64; 8] = [
    0x8c3d_37c8_1954_4da2,
    0x73e1_9966_89dc_d4d6,
    0x1dfa_b7ae_32ff_9c82,
    0x679d_d514_582f_9fcf,
    0x0f6d_2b69_7bd4_4da8,
    0x77e3_6f73_04c4_8942,
    0x3f9d_85a8_6a1d_36c8,
    0x1112_e6ad_91d6_92a1,
];

/// The initial state of SHA-512/256 (FIPS 180-4, section 5.3.6.2 (SHA-512/256)).
const SHA512_256: [u64; 8] = [
    0x2231_2194_fc2b_f72c,
    0x9f55_5fa3_c84c_64c2,
    0x2393_b86b_6f53_b151,
    0x9638_7719_5940_eabd,
    0x9628_3ee2_a88e_ffe3,
    0xbe5e_1e25_5386_3992,
    0x2b01_99fc_2c85_b8aa,
    0x0eb7_2ddc_81c5_2ca2,
];
