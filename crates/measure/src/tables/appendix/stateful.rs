//! Stateful signatures: named sets, sizes, and times of one operation.

/// Machine on which the figures for x86 were taken.
pub const MACHINE: &str =
    "Core i7-8700 at 3.2 GHz, wolfSSL 5.6.3 with hash-sigs and xmss-reference";

/// LMS and HSS sets: name in wolfSSL, name in Hasten, bytes of a signature, and number of
/// signatures.
pub const LMS_SETS: [(&str, &str, usize, u64); 10] = [
    ("WC_LMS_PARM_L1_H15_W2", "L1_H15_W2", 4784, 32768),
    ("WC_LMS_PARM_L1_H15_W4", "L1_H15_W4", 2672, 32768),
    ("WC_LMS_PARM_L2_H10_W2", "L2_H10_W2", 9300, 1048576),
    ("WC_LMS_PARM_L2_H10_W4", "L2_H10_W4", 5076, 1048576),
    ("WC_LMS_PARM_L2_H10_W8", "L2_H10_W8", 2964, 1048576),
    ("WC_LMS_PARM_L3_H5_W2", "L3_H5_W2", 13496, 32768),
    ("WC_LMS_PARM_L3_H5_W4", "L3_H5_W4", 7160, 32768),
    ("WC_LMS_PARM_L3_H5_W8", "L3_H5_W8", 3992, 32768),
    ("WC_LMS_PARM_L3_H10_W4", "L3_H10_W4", 7640, 1073741824),
    ("WC_LMS_PARM_L4_H5_W8", "L4_H5_W8", 5340, 1048576),
];

/// XMSS and XMSS^MT sets: name, number, and bytes of a signature.
pub const XMSS_SETS: [(&str, u32, usize); 11] = [
    ("XMSS-SHA2_10_256", 1, 2500),
    ("XMSS-SHA2_16_256", 2, 2692),
    ("XMSS-SHA2_20_256", 3, 2820),
    ("XMSSMT-SHA2_20/2_256", 1, 4963),
    ("XMSSMT-SHA2_20/4_256", 2, 9251),
    ("XMSSMT-SHA2_40/2_256", 3, 5605),
    ("XMSSMT-SHA2_40/4_256", 4, 9893),
    ("XMSSMT-SHA2_40/8_256", 5, 18469),
    ("XMSSMT-SHA2_60/3_256", 6, 8392),
    ("XMSSMT-SHA2_60/6_256", 7, 14824),
    ("XMSSMT-SHA2_60/12_256", 8, 27688),
];

/// One line of a benchmark: set, operation, and mean time in microseconds.
pub type Line = (&'static str, &'static str, f64);

/// LMS and HSS with hash-sigs on four threads of a Core i7-8700.
pub const LMS_FOUR: [Line; 12] = [
    ("L2_H10_W2", "sign", 717.0),
    ("L2_H10_W2", "verify", 193.0),
    ("L2_H10_W4", "sign", 1265.0),
    ("L2_H10_W4", "verify", 401.0),
    ("L3_H5_W4", "sign", 701.0),
    ("L3_H5_W4", "verify", 379.0),
    ("L3_H5_W8", "sign", 4545.0),
    ("L3_H5_W8", "verify", 2664.0),
    ("L3_H10_W4", "sign", 1211.0),
    ("L3_H10_W4", "verify", 432.0),
    ("L4_H5_W8", "sign", 4367.0),
    ("L4_H5_W8", "verify", 3053.0),
];

/// LMS and HSS with hash-sigs on one thread of a Core i7-8700.
pub const LMS_ONE: [Line; 12] = [
    ("L2_H10_W2", "sign", 1394.0),
    ("L2_H10_W2", "verify", 223.0),
    ("L2_H10_W4", "sign", 2478.0),
    ("L2_H10_W4", "verify", 479.0),
    ("L3_H5_W4", "sign", 1349.0),
    ("L3_H5_W4", "verify", 632.0),
    ("L3_H5_W8", "sign", 10420.0),
    ("L3_H5_W8", "verify", 6102.0),
    ("L3_H10_W4", "sign", 2526.0),
    ("L3_H10_W4", "verify", 701.0),
    ("L4_H5_W8", "sign", 10665.0),
    ("L4_H5_W8", "verify", 7388.0),
];

/// XMSS with `--enable-intelasm` on a Core i7-8700.
pub const XMSS_ASM: [Line; 14] = [
    ("XMSS-SHA2_10_256", "sign", 5052.0),
    ("XMSS-SHA2_10_256", "verify", 632.0),
    ("XMSSMT-SHA2_20/2_256", "sign", 6431.0),
    ("XMSSMT-SHA2_20/2_256", "verify", 1441.0),
    ("XMSSMT-SHA2_20/4_256", "sign", 4076.0),
    ("XMSSMT-SHA2_20/4_256", "verify", 2569.0),
    ("XMSSMT-SHA2_40/4_256", "sign", 7332.0),
    ("XMSSMT-SHA2_40/4_256", "verify", 2560.0),
    ("XMSSMT-SHA2_40/8_256", "sign", 4006.0),
    ("XMSSMT-SHA2_40/8_256", "verify", 5446.0),
    ("XMSSMT-SHA2_60/6_256", "sign", 8618.0),
    ("XMSSMT-SHA2_60/6_256", "verify", 3788.0),
    ("XMSSMT-SHA2_60/12_256", "sign", 4034.0),
    ("XMSSMT-SHA2_60/12_256", "verify", 7877.0),
];

/// XMSS without `--enable-intelasm` on a Core i7-8700.
pub const XMSS_C: [Line; 14] = [
    ("XMSS-SHA2_10_256", "sign", 6781.0),
    ("XMSS-SHA2_10_256", "verify", 854.0),
    ("XMSSMT-SHA2_20/2_256", "sign", 8436.0),
    ("XMSSMT-SHA2_20/2_256", "verify", 1978.0),
    ("XMSSMT-SHA2_20/4_256", "sign", 5593.0),
    ("XMSSMT-SHA2_20/4_256", "verify", 3622.0),
    ("XMSSMT-SHA2_40/4_256", "sign", 9954.0),
    ("XMSSMT-SHA2_40/4_256", "verify", 3478.0),
    ("XMSSMT-SHA2_40/8_256", "sign", 5572.0),
    ("XMSSMT-SHA2_40/8_256", "verify", 7476.0),
    ("XMSSMT-SHA2_60/6_256", "sign", 11114.0),
    ("XMSSMT-SHA2_60/6_256", "verify", 5349.0),
    ("XMSSMT-SHA2_60/12_256", "sign", 5739.0),
    ("XMSSMT-SHA2_60/12_256", "verify", 10797.0),
];

/// XMSS with `--enable-armasm` on an Apple M1.
pub const XMSS_ARM_ASM: [Line; 14] = [
    ("XMSS-SHA2_10_256", "sign", 1349.0),
    ("XMSS-SHA2_10_256", "verify", 155.0),
    ("XMSSMT-SHA2_20/2_256", "sign", 1650.0),
    ("XMSSMT-SHA2_20/2_256", "verify", 329.0),
    ("XMSSMT-SHA2_20/4_256", "sign", 915.0),
    ("XMSSMT-SHA2_20/4_256", "verify", 596.0),
    ("XMSSMT-SHA2_40/4_256", "sign", 1827.0),
    ("XMSSMT-SHA2_40/4_256", "verify", 664.0),
    ("XMSSMT-SHA2_40/8_256", "sign", 916.0),
    ("XMSSMT-SHA2_40/8_256", "verify", 1209.0),
    ("XMSSMT-SHA2_60/6_256", "sign", 1966.0),
    ("XMSSMT-SHA2_60/6_256", "verify", 944.0),
    ("XMSSMT-SHA2_60/12_256", "sign", 923.0),
    ("XMSSMT-SHA2_60/12_256", "verify", 1914.0),
];

/// XMSS without `--enable-armasm` on an Apple M1.
pub const XMSS_ARM_C: [Line; 14] = [
    ("XMSS-SHA2_10_256", "sign", 9538.0),
    ("XMSS-SHA2_10_256", "verify", 1253.0),
    ("XMSSMT-SHA2_20/2_256", "sign", 10843.0),
    ("XMSSMT-SHA2_20/2_256", "verify", 2479.0),
    ("XMSSMT-SHA2_20/4_256", "sign", 8074.0),
    ("XMSSMT-SHA2_20/4_256", "verify", 5355.0),
    ("XMSSMT-SHA2_40/4_256", "sign", 13543.0),
    ("XMSSMT-SHA2_40/4_256", "verify", 4945.0),
    ("XMSSMT-SHA2_40/8_256", "sign", 7941.0),
    ("XMSSMT-SHA2_40/8_256", "verify", 10415.0),
    ("XMSSMT-SHA2_60/6_256", "sign", 15710.0),
    ("XMSSMT-SHA2_60/6_256", "verify", 7632.0),
    ("XMSSMT-SHA2_60/12_256", "sign", 8036.0),
    ("XMSSMT-SHA2_60/12_256", "verify", 15011.0),
];

/// SHA-256 in MiB/s: on x86 with and without assembly, then on ARM with and without assembly.
pub const SHA256: [f64; 4] = [495.569, 273.549, 2303.346, 186.277];
