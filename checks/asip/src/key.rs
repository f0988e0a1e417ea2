//! The keys generated when the program was built.

/// A key: the data to load it from, and the expected signatures of [`MESSAGE`].
pub struct Key {
    /// Name of its parameter set.
    pub set: &'static str,
    /// Its secret seed.
    pub seed: &'static [u8],
    /// Its public key.
    pub public: &'static [u8],
    /// Its public nodes, and the leaves next to index 0.
    pub cache: &'static [u8],
    /// Its signatures, from index 0 on, all of the same length.
    pub signatures: &'static [u8],
}

/// The message that is signed.
pub const MESSAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/message"));

/// Number of signatures of each key.
pub const SIGNATURES: usize = 8;

/// Bytes aligned to 16, like a system's receive buffer. The unit reads only aligned words.
#[repr(align(16))]
struct Aligned<B: ?Sized>(B);

/// Includes a file of the build.
macro_rules! file {
    ($name:literal, $of:literal) => {{
        const FILE: &Aligned<[u8]> =
            &Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/", $name, $of)));
        &FILE.0
    }};
}

/// Includes the files of a key.
macro_rules! key {
    ($set:literal, $name:literal) => {
        Key {
            set: $set,
            seed: file!($name, ".seed"),
            public: file!($name, ".public"),
            cache: file!($name, ".cache"),
            signatures: file!($name, ".signatures"),
        }
    };
}

/// XMSS-SHA2_10_256.
pub const XMSS_256: Key = key!("XMSS-SHA2_10_256", "xmss_256");

/// XMSS-SHAKE_10_256.
pub const SHAKE_256: Key = key!("XMSS-SHAKE_10_256", "shake_256");

/// XMSS-SHA2_10_192.
pub const XMSS_192: Key = key!("XMSS-SHA2_10_192", "xmss_192");

/// LMS_SHA256_M24_H10 with LMOTS_SHA256_N24_W8.
pub const LMS_192_W8: Key = key!("LMS_SHA256_M24_H10_W8", "lms_192_w8");

/// LMS_SHA256_M32_H10 with LMOTS_SHA256_N32_W4.
pub const LMS_256: Key = key!("LMS_SHA256_M32_H10_W4", "lms_256");

/// LMS_SHA256_M32_H10 with LMOTS_SHA256_N32_W8.
pub const LMS_256_W8: Key = key!("LMS_SHA256_M32_H10_W8", "lms_256_w8");

/// LMS_SHA256_M24_H10 with LMOTS_SHA256_N24_W4.
pub const LMS_192: Key = key!("LMS_SHA256_M24_H10_W4", "lms_192");

impl Key {
    /// Returns the signature with this index.
    pub(crate) fn signature(&self, index: usize) -> &'static [u8] {
        let len = self.signatures.len() / SIGNATURES;
        &self.signatures[index * len..][..len]
    }
}
