//! The rows of the table of parameter sets.

use super::{Hash, Number, Scheme, Set};

/// All parameter sets, except those of the features `legacy` and `toy`.
pub static SETS: &[Set] = &[
    xmss("XMSS-SHA2_10_256", 0x01, Hash::Sha256, 32, 10),
    xmss("XMSS-SHA2_16_256", 0x02, Hash::Sha256, 32, 16),
    xmss("XMSS-SHA2_20_256", 0x03, Hash::Sha256, 32, 20),
    xmss("XMSS-SHA2_10_512", 0x04, Hash::Sha512, 64, 10),
    xmss("XMSS-SHA2_16_512", 0x05, Hash::Sha512, 64, 16),
    xmss("XMSS-SHA2_20_512", 0x06, Hash::Sha512, 64, 20),
    xmss("XMSS-SHAKE_10_256", 0x07, Hash::Shake128, 32, 10),
    xmss("XMSS-SHAKE_16_256", 0x08, Hash::Shake128, 32, 16),
    xmss("XMSS-SHAKE_20_256", 0x09, Hash::Shake128, 32, 20),
    xmss("XMSS-SHAKE_10_512", 0x0a, Hash::Shake256, 64, 10),
    xmss("XMSS-SHAKE_16_512", 0x0b, Hash::Shake256, 64, 16),
    xmss("XMSS-SHAKE_20_512", 0x0c, Hash::Shake256, 64, 20),
    xmss("XMSS-SHA2_10_192", 0x0d, Hash::Sha256, 24, 10),
    xmss("XMSS-SHA2_16_192", 0x0e, Hash::Sha256, 24, 16),
    xmss("XMSS-SHA2_20_192", 0x0f, Hash::Sha256, 24, 20),
    xmss("XMSS-SHAKE256_10_256", 0x10, Hash::Shake256, 32, 10),
    xmss("XMSS-SHAKE256_16_256", 0x11, Hash::Shake256, 32, 16),
    xmss("XMSS-SHAKE256_20_256", 0x12, Hash::Shake256, 32, 20),
    xmss("XMSS-SHAKE256_10_192", 0x13, Hash::Shake256, 24, 10),
    xmss("XMSS-SHAKE256_16_192", 0x14, Hash::Shake256, 24, 16),
    xmss("XMSS-SHAKE256_20_192", 0x15, Hash::Shake256, 24, 20),
    xmssmt("XMSSMT-SHA2_20/2_256", 0x01, Hash::Sha256, 32, 20, 2),
    xmssmt("XMSSMT-SHA2_20/4_256", 0x02, Hash::Sha256, 32, 20, 4),
    xmssmt("XMSSMT-SHA2_40/2_256", 0x03, Hash::Sha256, 32, 40, 2),
    xmssmt("XMSSMT-SHA2_40/4_256", 0x04, Hash::Sha256, 32, 40, 4),
    xmssmt("XMSSMT-SHA2_40/8_256", 0x05, Hash::Sha256, 32, 40, 8),
    xmssmt("XMSSMT-SHA2_60/3_256", 0x06, Hash::Sha256, 32, 60, 3),
    xmssmt("XMSSMT-SHA2_60/6_256", 0x07, Hash::Sha256, 32, 60, 6),
    xmssmt("XMSSMT-SHA2_60/12_256", 0x08, Hash::Sha256, 32, 60, 12),
    xmssmt("XMSSMT-SHA2_20/2_512", 0x09, Hash::Sha512, 64, 20, 2),
    xmssmt("XMSSMT-SHA2_20/4_512", 0x0a, Hash::Sha512, 64, 20, 4),
    xmssmt("XMSSMT-SHA2_40/2_512", 0x0b, Hash::Sha512, 64, 40, 2),
    xmssmt("XMSSMT-SHA2_40/4_512", 0x0c, Hash::Sha512, 64, 40, 4),
    xmssmt("XMSSMT-SHA2_40/8_512", 0x0d, Hash::Sha512, 64, 40, 8),
    xmssmt("XMSSMT-SHA2_60/3_512", 0x0e, Hash::Sha512, 64, 60, 3),
    xmssmt("XMSSMT-SHA2_60/6_512", 0x0f, Hash::Sha512, 64, 60, 6),
    xmssmt("XMSSMT-SHA2_60/12_512", 0x10, Hash::Sha512, 64, 60, 12),
    xmssmt("XMSSMT-SHAKE_20/2_256", 0x11, Hash::Shake128, 32, 20, 2),
    xmssmt("XMSSMT-SHAKE_20/4_256", 0x12, Hash::Shake128, 32, 20, 4),
    xmssmt("XMSSMT-SHAKE_40/2_256", 0x13, Hash::Shake128, 32, 40, 2),
    xmssmt("XMSSMT-SHAKE_40/4_256", 0x14, Hash::Shake128, 32, 40, 4),
    xmssmt("XMSSMT-SHAKE_40/8_256", 0x15, Hash::Shake128, 32, 40, 8),
    xmssmt("XMSSMT-SHAKE_60/3_256", 0x16, Hash::Shake128, 32, 60, 3),
    xmssmt("XMSSMT-SHAKE_60/6_256", 0x17, Hash::Shake128, 32, 60, 6),
    xmssmt("XMSSMT-SHAKE_60/12_256", 0x18, Hash::Shake128, 32, 60, 12),
    xmssmt("XMSSMT-SHAKE_20/2_512", 0x19, Hash::Shake256, 64, 20, 2),
    xmssmt("XMSSMT-SHAKE_20/4_512", 0x1a, Hash::Shake256, 64, 20, 4),
    xmssmt("XMSSMT-SHAKE_40/2_512", 0x1b, Hash::Shake256, 64, 40, 2),
    xmssmt("XMSSMT-SHAKE_40/4_512", 0x1c, Hash::Shake256, 64, 40, 4),
    xmssmt("XMSSMT-SHAKE_40/8_512", 0x1d, Hash::Shake256, 64, 40, 8),
    xmssmt("XMSSMT-SHAKE_60/3_512", 0x1e, Hash::Shake256, 64, 60, 3),
    xmssmt("XMSSMT-SHAKE_60/6_512", 0x1f, Hash::Shake256, 64, 60, 6),
    xmssmt("XMSSMT-SHAKE_60/12_512", 0x20, Hash::Shake256, 64, 60, 12),
    xmssmt("XMSSMT-SHA2_20/2_192", 0x21, Hash::Sha256, 24, 20, 2),
    xmssmt("XMSSMT-SHA2_20/4_192", 0x22, Hash::Sha256, 24, 20, 4),
    xmssmt("XMSSMT-SHA2_40/2_192", 0x23, Hash::Sha256, 24, 40, 2),
    xmssmt("XMSSMT-SHA2_40/4_192", 0x24, Hash::Sha256, 24, 40, 4),
    xmssmt("XMSSMT-SHA2_40/8_192", 0x25, Hash::Sha256, 24, 40, 8),
    xmssmt("XMSSMT-SHA2_60/3_192", 0x26, Hash::Sha256, 24, 60, 3),
    xmssmt("XMSSMT-SHA2_60/6_192", 0x27, Hash::Sha256, 24, 60, 6),
    xmssmt("XMSSMT-SHA2_60/12_192", 0x28, Hash::Sha256, 24, 60, 12),
    xmssmt("XMSSMT-SHAKE256_20/2_256", 0x29, Hash::Shake256, 32, 20, 2),
    xmssmt("XMSSMT-SHAKE256_20/4_256", 0x2a, Hash::Shake256, 32, 20, 4),
    xmssmt("XMSSMT-SHAKE256_40/2_256", 0x2b, Hash::Shake256, 32, 40, 2),
    xmssmt("XMSSMT-SHAKE256_40/4_256", 0x2c, Hash::Shake256, 32, 40, 4),
    xmssmt("XMSSMT-SHAKE256_40/8_256", 0x2d, Hash::Shake256, 32, 40, 8),
    xmssmt("XMSSMT-SHAKE256_60/3_256", 0x2e, Hash::Shake256, 32, 60, 3),
    xmssmt("XMSSMT-SHAKE256_60/6_256", 0x2f, Hash::Shake256, 32, 60, 6),
    xmssmt("XMSSMT-SHAKE256_60/12_256", 0x30, Hash::Shake256, 32, 60, 12),
    xmssmt("XMSSMT-SHAKE256_20/2_192", 0x31, Hash::Shake256, 24, 20, 2),
    xmssmt("XMSSMT-SHAKE256_20/4_192", 0x32, Hash::Shake256, 24, 20, 4),
    xmssmt("XMSSMT-SHAKE256_40/2_192", 0x33, Hash::Shake256, 24, 40, 2),
    xmssmt("XMSSMT-SHAKE256_40/4_192", 0x34, Hash::Shake256, 24, 40, 4),
    xmssmt("XMSSMT-SHAKE256_40/8_192", 0x35, Hash::Shake256, 24, 40, 8),
    xmssmt("XMSSMT-SHAKE256_60/3_192", 0x36, Hash::Shake256, 24, 60, 3),
    xmssmt("XMSSMT-SHAKE256_60/6_192", 0x37, Hash::Shake256, 24, 60, 6),
    xmssmt("XMSSMT-SHAKE256_60/12_192", 0x38, Hash::Shake256, 24, 60, 12),
    lms("LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W1", 0x05, 0x01, Hash::Sha256, 32, 5, 1),
    lms("LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W2", 0x05, 0x02, Hash::Sha256, 32, 5, 2),
    lms("LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W4", 0x05, 0x03, Hash::Sha256, 32, 5, 4),
    lms("LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W8", 0x05, 0x04, Hash::Sha256, 32, 5, 8),
    lms("LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W1", 0x06, 0x01, Hash::Sha256, 32, 10, 1),
    lms("LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W2", 0x06, 0x02, Hash::Sha256, 32, 10, 2),
    lms("LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W4", 0x06, 0x03, Hash::Sha256, 32, 10, 4),
    lms("LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W8", 0x06, 0x04, Hash::Sha256, 32, 10, 8),
    lms("LMS_SHA256_M32_H15/LMOTS_SHA256_N32_W1", 0x07, 0x01, Hash::Sha256, 32, 15, 1),
    lms("LMS_SHA256_M32_H15/LMOTS_SHA256_N32_W2", 0x07, 0x02, Hash::Sha256, 32, 15, 2),
    lms("LMS_SHA256_M32_H15/LMOTS_SHA256_N32_W4", 0x07, 0x03, Hash::Sha256, 32, 15, 4),
    lms("LMS_SHA256_M32_H15/LMOTS_SHA256_N32_W8", 0x07, 0x04, Hash::Sha256, 32, 15, 8),
    lms("LMS_SHA256_M32_H20/LMOTS_SHA256_N32_W1", 0x08, 0x01, Hash::Sha256, 32, 20, 1),
    lms("LMS_SHA256_M32_H20/LMOTS_SHA256_N32_W2", 0x08, 0x02, Hash::Sha256, 32, 20, 2),
    lms("LMS_SHA256_M32_H20/LMOTS_SHA256_N32_W4", 0x08, 0x03, Hash::Sha256, 32, 20, 4),
    lms("LMS_SHA256_M32_H20/LMOTS_SHA256_N32_W8", 0x08, 0x04, Hash::Sha256, 32, 20, 8),
    lms("LMS_SHA256_M32_H25/LMOTS_SHA256_N32_W1", 0x09, 0x01, Hash::Sha256, 32, 25, 1),
    lms("LMS_SHA256_M32_H25/LMOTS_SHA256_N32_W2", 0x09, 0x02, Hash::Sha256, 32, 25, 2),
    lms("LMS_SHA256_M32_H25/LMOTS_SHA256_N32_W4", 0x09, 0x03, Hash::Sha256, 32, 25, 4),
    lms("LMS_SHA256_M32_H25/LMOTS_SHA256_N32_W8", 0x09, 0x04, Hash::Sha256, 32, 25, 8),
    lms("LMS_SHA256_M24_H5/LMOTS_SHA256_N24_W1", 0x0a, 0x05, Hash::Sha256, 24, 5, 1),
    lms("LMS_SHA256_M24_H5/LMOTS_SHA256_N24_W2", 0x0a, 0x06, Hash::Sha256, 24, 5, 2),
    lms("LMS_SHA256_M24_H5/LMOTS_SHA256_N24_W4", 0x0a, 0x07, Hash::Sha256, 24, 5, 4),
    lms("LMS_SHA256_M24_H5/LMOTS_SHA256_N24_W8", 0x0a, 0x08, Hash::Sha256, 24, 5, 8),
    lms("LMS_SHA256_M24_H10/LMOTS_SHA256_N24_W1", 0x0b, 0x05, Hash::Sha256, 24, 10, 1),
    lms("LMS_SHA256_M24_H10/LMOTS_SHA256_N24_W2", 0x0b, 0x06, Hash::Sha256, 24, 10, 2),
    lms("LMS_SHA256_M24_H10/LMOTS_SHA256_N24_W4", 0x0b, 0x07, Hash::Sha256, 24, 10, 4),
    lms("LMS_SHA256_M24_H10/LMOTS_SHA256_N24_W8", 0x0b, 0x08, Hash::Sha256, 24, 10, 8),
    lms("LMS_SHA256_M24_H15/LMOTS_SHA256_N24_W1", 0x0c, 0x05, Hash::Sha256, 24, 15, 1),
    lms("LMS_SHA256_M24_H15/LMOTS_SHA256_N24_W2", 0x0c, 0x06, Hash::Sha256, 24, 15, 2),
    lms("LMS_SHA256_M24_H15/LMOTS_SHA256_N24_W4", 0x0c, 0x07, Hash::Sha256, 24, 15, 4),
    lms("LMS_SHA256_M24_H15/LMOTS_SHA256_N24_W8", 0x0c, 0x08, Hash::Sha256, 24, 15, 8),
    lms("LMS_SHA256_M24_H20/LMOTS_SHA256_N24_W1", 0x0d, 0x05, Hash::Sha256, 24, 20, 1),
    lms("LMS_SHA256_M24_H20/LMOTS_SHA256_N24_W2", 0x0d, 0x06, Hash::Sha256, 24, 20, 2),
    lms("LMS_SHA256_M24_H20/LMOTS_SHA256_N24_W4", 0x0d, 0x07, Hash::Sha256, 24, 20, 4),
    lms("LMS_SHA256_M24_H20/LMOTS_SHA256_N24_W8", 0x0d, 0x08, Hash::Sha256, 24, 20, 8),
    lms("LMS_SHA256_M24_H25/LMOTS_SHA256_N24_W1", 0x0e, 0x05, Hash::Sha256, 24, 25, 1),
    lms("LMS_SHA256_M24_H25/LMOTS_SHA256_N24_W2", 0x0e, 0x06, Hash::Sha256, 24, 25, 2),
    lms("LMS_SHA256_M24_H25/LMOTS_SHA256_N24_W4", 0x0e, 0x07, Hash::Sha256, 24, 25, 4),
    lms("LMS_SHA256_M24_H25/LMOTS_SHA256_N24_W8", 0x0e, 0x08, Hash::Sha256, 24, 25, 8),
    lms("LMS_SHAKE_M32_H5/LMOTS_SHAKE_N32_W1", 0x0f, 0x09, Hash::Shake256, 32, 5, 1),
    lms("LMS_SHAKE_M32_H5/LMOTS_SHAKE_N32_W2", 0x0f, 0x0a, Hash::Shake256, 32, 5, 2),
    lms("LMS_SHAKE_M32_H5/LMOTS_SHAKE_N32_W4", 0x0f, 0x0b, Hash::Shake256, 32, 5, 4),
    lms("LMS_SHAKE_M32_H5/LMOTS_SHAKE_N32_W8", 0x0f, 0x0c, Hash::Shake256, 32, 5, 8),
    lms("LMS_SHAKE_M32_H10/LMOTS_SHAKE_N32_W1", 0x10, 0x09, Hash::Shake256, 32, 10, 1),
    lms("LMS_SHAKE_M32_H10/LMOTS_SHAKE_N32_W2", 0x10, 0x0a, Hash::Shake256, 32, 10, 2),
    lms("LMS_SHAKE_M32_H10/LMOTS_SHAKE_N32_W4", 0x10, 0x0b, Hash::Shake256, 32, 10, 4),
    lms("LMS_SHAKE_M32_H10/LMOTS_SHAKE_N32_W8", 0x10, 0x0c, Hash::Shake256, 32, 10, 8),
    lms("LMS_SHAKE_M32_H15/LMOTS_SHAKE_N32_W1", 0x11, 0x09, Hash::Shake256, 32, 15, 1),
    lms("LMS_SHAKE_M32_H15/LMOTS_SHAKE_N32_W2", 0x11, 0x0a, Hash::Shake256, 32, 15, 2),
    lms("LMS_SHAKE_M32_H15/LMOTS_SHAKE_N32_W4", 0x11, 0x0b, Hash::Shake256, 32, 15, 4),
    lms("LMS_SHAKE_M32_H15/LMOTS_SHAKE_N32_W8", 0x11, 0x0c, Hash::Shake256, 32, 15, 8),
    lms("LMS_SHAKE_M32_H20/LMOTS_SHAKE_N32_W1", 0x12, 0x09, Hash::Shake256, 32, 20, 1),
    lms("LMS_SHAKE_M32_H20/LMOTS_SHAKE_N32_W2", 0x12, 0x0a, Hash::Shake256, 32, 20, 2),
    lms("LMS_SHAKE_M32_H20/LMOTS_SHAKE_N32_W4", 0x12, 0x0b, Hash::Shake256, 32, 20, 4),
    lms("LMS_SHAKE_M32_H20/LMOTS_SHAKE_N32_W8", 0x12, 0x0c, Hash::Shake256, 32, 20, 8),
    lms("LMS_SHAKE_M32_H25/LMOTS_SHAKE_N32_W1", 0x13, 0x09, Hash::Shake256, 32, 25, 1),
    lms("LMS_SHAKE_M32_H25/LMOTS_SHAKE_N32_W2", 0x13, 0x0a, Hash::Shake256, 32, 25, 2),
    lms("LMS_SHAKE_M32_H25/LMOTS_SHAKE_N32_W4", 0x13, 0x0b, Hash::Shake256, 32, 25, 4),
    lms("LMS_SHAKE_M32_H25/LMOTS_SHAKE_N32_W8", 0x13, 0x0c, Hash::Shake256, 32, 25, 8),
    lms("LMS_SHAKE_M24_H5/LMOTS_SHAKE_N24_W1", 0x14, 0x0d, Hash::Shake256, 24, 5, 1),
    lms("LMS_SHAKE_M24_H5/LMOTS_SHAKE_N24_W2", 0x14, 0x0e, Hash::Shake256, 24, 5, 2),
    lms("LMS_SHAKE_M24_H5/LMOTS_SHAKE_N24_W4", 0x14, 0x0f, Hash::Shake256, 24, 5, 4),
    lms("LMS_SHAKE_M24_H5/LMOTS_SHAKE_N24_W8", 0x14, 0x10, Hash::Shake256, 24, 5, 8),
    lms("LMS_SHAKE_M24_H10/LMOTS_SHAKE_N24_W1", 0x15, 0x0d, Hash::Shake256, 24, 10, 1),
    lms("LMS_SHAKE_M24_H10/LMOTS_SHAKE_N24_W2", 0x15, 0x0e, Hash::Shake256, 24, 10, 2),
    lms("LMS_SHAKE_M24_H10/LMOTS_SHAKE_N24_W4", 0x15, 0x0f, Hash::Shake256, 24, 10, 4),
    lms("LMS_SHAKE_M24_H10/LMOTS_SHAKE_N24_W8", 0x15, 0x10, Hash::Shake256, 24, 10, 8),
    lms("LMS_SHAKE_M24_H15/LMOTS_SHAKE_N24_W1", 0x16, 0x0d, Hash::Shake256, 24, 15, 1),
    lms("LMS_SHAKE_M24_H15/LMOTS_SHAKE_N24_W2", 0x16, 0x0e, Hash::Shake256, 24, 15, 2),
    lms("LMS_SHAKE_M24_H15/LMOTS_SHAKE_N24_W4", 0x16, 0x0f, Hash::Shake256, 24, 15, 4),
    lms("LMS_SHAKE_M24_H15/LMOTS_SHAKE_N24_W8", 0x16, 0x10, Hash::Shake256, 24, 15, 8),
    lms("LMS_SHAKE_M24_H20/LMOTS_SHAKE_N24_W1", 0x17, 0x0d, Hash::Shake256, 24, 20, 1),
    lms("LMS_SHAKE_M24_H20/LMOTS_SHAKE_N24_W2", 0x17, 0x0e, Hash::Shake256, 24, 20, 2),
    lms("LMS_SHAKE_M24_H20/LMOTS_SHAKE_N24_W4", 0x17, 0x0f, Hash::Shake256, 24, 20, 4),
    lms("LMS_SHAKE_M24_H20/LMOTS_SHAKE_N24_W8", 0x17, 0x10, Hash::Shake256, 24, 20, 8),
    lms("LMS_SHAKE_M24_H25/LMOTS_SHAKE_N24_W1", 0x18, 0x0d, Hash::Shake256, 24, 25, 1),
    lms("LMS_SHAKE_M24_H25/LMOTS_SHAKE_N24_W2", 0x18, 0x0e, Hash::Shake256, 24, 25, 2),
    lms("LMS_SHAKE_M24_H25/LMOTS_SHAKE_N24_W4", 0x18, 0x0f, Hash::Shake256, 24, 25, 4),
    lms("LMS_SHAKE_M24_H25/LMOTS_SHAKE_N24_W8", 0x18, 0x10, Hash::Shake256, 24, 25, 8),
    slhdsa("SLH-DSA-SHA2-128s", 20, Hash::Sha256, 16, (63, 7), (12, 14)),
    slhdsa("SLH-DSA-SHA2-128f", 21, Hash::Sha256, 16, (66, 22), (6, 33)),
    slhdsa("SLH-DSA-SHA2-192s", 22, Hash::Sha256, 24, (63, 7), (14, 17)),
    slhdsa("SLH-DSA-SHA2-192f", 23, Hash::Sha256, 24, (66, 22), (8, 33)),
    slhdsa("SLH-DSA-SHA2-256s", 24, Hash::Sha256, 32, (64, 8), (14, 22)),
    slhdsa("SLH-DSA-SHA2-256f", 25, Hash::Sha256, 32, (68, 17), (9, 35)),
    slhdsa("SLH-DSA-SHAKE-128s", 26, Hash::Shake256, 16, (63, 7), (12, 14)),
    slhdsa("SLH-DSA-SHAKE-128f", 27, Hash::Shake256, 16, (66, 22), (6, 33)),
    slhdsa("SLH-DSA-SHAKE-192s", 28, Hash::Shake256, 24, (63, 7), (14, 17)),
    slhdsa("SLH-DSA-SHAKE-192f", 29, Hash::Shake256, 24, (66, 22), (8, 33)),
    slhdsa("SLH-DSA-SHAKE-256s", 30, Hash::Shake256, 32, (64, 8), (14, 22)),
    slhdsa("SLH-DSA-SHAKE-256f", 31, Hash::Shake256, 32, (68, 17), (9, 35)),
    limited("SLH-DSA-SHA2-128-24", Hash::Sha256, 16, 22, (24, 6), 2),
    limited("SLH-DSA-SHAKE-128-24", Hash::Shake256, 16, 22, (24, 6), 2),
    limited("SLH-DSA-SHA2-192-24", Hash::Sha256, 24, 21, (25, 9), 3),
    limited("SLH-DSA-SHAKE-192-24", Hash::Shake256, 24, 21, (25, 9), 3),
    limited("SLH-DSA-SHA2-256-24", Hash::Sha256, 32, 21, (25, 12), 2),
    limited("SLH-DSA-SHAKE-256-24", Hash::Shake256, 32, 21, (25, 12), 2),
];

/// Returns a row of RFC 8391, section 5.3 (XMSS Parameters) or SP 800-208, section 5 (eXtended
/// Merkle Signature Scheme (XMSS) Parameter Sets), which approves SHA-256 and SHAKE256 with n = 32
/// and 24.
const fn xmss(name: &'static str, oid: u32, hash: Hash, n: usize, h: u32) -> Set {
    let nist = n < 64 && matches!(hash, Hash::Sha256 | Hash::Shake256);
    Set {
        name,
        scheme: Scheme::Xmss,
        number: Number::Xmss(oid),
        hash,
        n,
        lg_w: 4,
        h,
        d: 1,
        nist,
        cnsa: nist,
        draft: false,
        limit: None,
        round31: false,
    }
}

/// Returns a row of FIPS 205, Section 11 (Parameter Sets). SHA2 with n > 16 uses SHA-512 in
/// addition to SHA-256.
const fn slhdsa(
    name: &'static str,
    arc: u32,
    hash: Hash,
    n: usize,
    (h, d): (u32, u32),
    (a, k): (u32, u32),
) -> Set {
    let scheme = Scheme::SlhDsa { a, k };
    let (nist, cnsa, draft, round31) = (true, false, false, false);
    let (number, limit) = (Number::Arc(arc), None);
    Set { name, scheme, number, hash, n, lg_w: 4, h, d, nist, cnsa, draft, limit, round31 }
}

/// SPHINCS+ of round 3.1 with SHAKE, simple: the shapes of FIPS 205, but other signatures.
#[cfg(feature = "legacy")]
pub static LEGACY: &[Set] = &[
    round31("SPHINCS+-SHAKE-128s-simple", 16, 16, (63, 7), (12, 14)),
    round31("SPHINCS+-SHAKE-128f-simple", 13, 16, (66, 22), (6, 33)),
    round31("SPHINCS+-SHAKE-192s-simple", 12, 24, (63, 7), (14, 17)),
    round31("SPHINCS+-SHAKE-192f-simple", 10, 24, (66, 22), (8, 33)),
    round31("SPHINCS+-SHAKE-256s-simple", 12, 32, (64, 8), (14, 22)),
    round31("SPHINCS+-SHAKE-256f-simple", 10, 32, (68, 17), (9, 35)),
];

#[cfg(feature = "legacy")]
const fn round31(
    name: &'static str,
    arc: u32,
    n: usize,
    tree: (u32, u32),
    fors: (u32, u32),
) -> Set {
    Set { nist: false, round31: true, ..slhdsa(name, arc, Hash::Shake256, n, tree, fors) }
}

/// Returns a row of the initial public draft of SP 800-230, April 2026: one tree, and at most 2^24
/// signatures with a key. The draft gives no object identifiers.
const fn limited(
    name: &'static str,
    hash: Hash,
    n: usize,
    h: u32,
    fors: (u32, u32),
    lg_w: u32,
) -> Set {
    let (number, limit) = (Number::None, Some(1 << 24));
    let of_standard = slhdsa(name, 0, hash, n, (h, 1), fors);
    Set { lg_w, number, nist: false, draft: true, limit, ..of_standard }
}

/// Sets shaped like those of the draft, but with small trees and low limits, for tests of limited
/// keys. They belong to no standard and have no security.
#[cfg(feature = "toy")]
pub static TOYS: &[Set] = &[
    toy("TOY-SHA2-128-2", Hash::Sha256, 16, 6, (6, 6), 2),
    toy("TOY-SHAKE-192-2", Hash::Shake256, 24, 6, (6, 9), 3),
    toy("TOY-SHA2-256-2", Hash::Sha256, 32, 6, (6, 12), 2),
    toy("TOY-SHA2-128-2-TALL", Hash::Sha256, 16, 19, (14, 6), 2),
];

#[cfg(feature = "toy")]
const fn toy(name: &'static str, hash: Hash, n: usize, h: u32, fors: (u32, u32), lg_w: u32) -> Set {
    Set { limit: Some(4), ..limited(name, hash, n, h, fors, lg_w) }
}

/// Returns a row of RFC 8391, section 5.4 (XMSS^MT Parameters), or of a set that SP 800-208 adds.
const fn xmssmt(name: &'static str, oid: u32, hash: Hash, n: usize, h: u32, d: u32) -> Set {
    let (scheme, number) = (Scheme::XmssMt, Number::XmssMt(oid));
    Set { scheme, number, d, cnsa: false, ..xmss(name, oid, hash, n, h) }
}

/// Returns a row of RFC 8554, section 5.1 (Parameters) or RFC 9858 (Additional Parameter Sets for
/// HSS/LMS Hash-Based Signatures). `lg_w` is the Winternitz parameter as a number of bits.
const fn lms(
    name: &'static str,
    tree: u32,
    ots: u32,
    hash: Hash,
    n: usize,
    h: u32,
    lg_w: u32,
) -> Set {
    let (scheme, nist, cnsa) = (Scheme::Lms { ots }, true, true);
    let (number, draft, limit, round31) = (Number::Typecode(tree), false, None, false);
    Set { name, scheme, number, hash, n, lg_w, h, d: 1, nist, cnsa, draft, limit, round31 }
}
