//! The bare kernels of every backend against the portable one, at every size that takes another
//! path.

use crate::common::{Stream, backends};
use hasten_kernels::{Error, Kernels, NAMES};

fn sizes(lanes: usize) -> impl Iterator<Item = usize> {
    (0..=2 * lanes + 1).chain([31, 257])
}

#[test]
fn sha256() {
    for (name, kernels) in backends() {
        for size in sizes(kernels.sha256.lanes()) {
            let mut stream = Stream(size as u64);
            let blocks: Vec<[u8; 64]> = (0..size).map(|_| stream.bytes()).collect();
            let mut states: Vec<[u32; 8]> =
                (0..size).map(|_| core::array::from_fn(|_| stream.word() as u32)).collect();
            let mut want = states.clone();
            Kernels::portable().sha256.compress(&mut want, &blocks);
            kernels.sha256.compress(&mut states, &blocks);
            assert!(states == want, "{name}, {size} states");
        }
    }
}

#[test]
fn sha512() {
    for (name, kernels) in backends() {
        for size in sizes(kernels.sha512.lanes()) {
            let mut stream = Stream(size as u64);
            let blocks: Vec<[u8; 128]> = (0..size).map(|_| stream.bytes()).collect();
            let mut states: Vec<[u64; 8]> =
                (0..size).map(|_| core::array::from_fn(|_| stream.word())).collect();
            let mut want = states.clone();
            Kernels::portable().sha512.compress(&mut want, &blocks);
            kernels.sha512.compress(&mut states, &blocks);
            assert!(states == want, "{name}, {size} states");
        }
    }
}

#[test]
fn keccak() {
    for (name, kernels) in backends() {
        for size in sizes(kernels.keccak.lanes()) {
            let mut stream = Stream(size as u64);
            let mut states: Vec<[u64; 25]> =
                (0..size).map(|_| core::array::from_fn(|_| stream.word())).collect();
            let mut want = states.clone();
            Kernels::portable().keccak.permute(&mut want);
            kernels.keccak.permute(&mut states);
            assert!(states == want, "{name}, {size} states");
        }
    }
}

#[test]
fn names() {
    assert_eq!(Kernels::named("none").err(), Some(Error::UnknownBackend));
    for name in NAMES {
        match Kernels::named(name) {
            Ok(kernels) => assert_eq!(kernels.keccak.lanes() > 1, name != "portable"),
            Err(error) => assert_eq!(error, Error::NotOnThisCpu),
        }
    }
}

/// Compares the backends with `HASTEN_TEST_AVAILABLE`, if it is set: an emulator gives a known CPU.
#[test]
fn available() {
    let have: Vec<_> = Kernels::available().map(|(name, _)| name).collect();
    println!("kernels: {}", have.join(" "));
    if let Ok(wanted) = std::env::var("HASTEN_TEST_AVAILABLE") {
        assert_eq!(have.join(" "), wanted);
    }
}

/// Compares the backends with /proc/cpuinfo, which asks the CPU in another way.
#[cfg(target_arch = "x86_64")]
#[test]
fn a_backend_that_the_cpu_has_is_there() {
    let Ok(info) = std::fs::read_to_string("/proc/cpuinfo") else { return };
    let Some(flags) = info.lines().find(|line| line.starts_with("flags")) else { return };
    let has = |flag: &&str| flags.split_whitespace().any(|word| word == *flag);
    let needs: [(&str, &[&str]); 4] = [
        ("avx2", &["avx2"]),
        ("sha-ni", &["avx2", "sha_ni"]),
        ("avx512vl", &["avx2", "avx512f", "avx512vl"]),
        ("avx512", &["avx512f", "avx512bw", "avx512vl", "avx512dq"]),
    ];
    for (name, flags) in needs {
        assert_eq!(Kernels::named(name).is_ok(), flags.iter().all(has), "{name}");
        if Kernels::named(name).is_err() {
            println!("kernels: this CPU has no {name}: not run here");
        }
    }
}

/// Compares the backends with the words that the system's kernel gives to a program, which the
/// standard library reads in another way.
#[cfg(all(target_arch = "aarch64", target_os = "linux"))]
#[test]
fn a_backend_that_the_cpu_has_is_there() {
    const AT_HWCAP: u64 = 16;
    let [asimd, sha2, sha3, sha512] = [1, 6, 17, 21].map(|bit| 1_u64 << bit);
    let words = std::fs::read("/proc/self/auxv").expect("the system tells what the CPU has");
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    let entry = words.chunks_exact(16).find(|entry| word(&entry[..8]) == AT_HWCAP);
    let has = word(&entry.expect("an entry for the CPU")[8..]);
    let needs =
        [("neon", asimd), ("arm-sha2", asimd | sha2), ("arm-sha3", asimd | sha2 | sha3 | sha512)];
    for (name, bits) in needs {
        assert_eq!(Kernels::named(name).is_ok(), has & bits == bits, "{name}");
        if Kernels::named(name).is_err() {
            println!("kernels: this CPU has no {name}: not run here");
        }
    }
}
